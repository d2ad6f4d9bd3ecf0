import { readEndpoint } from '#back_office/partners/read_partner'
import ChangeEventStatus from '#catalog/actions/change_event_status'
import IssueKey from '#partners/actions/issue_key'
import RevokeKey from '#partners/actions/revoke_key'
import RotateKey from '#partners/actions/rotate_key'
import platform from '#config/platform'
import expireOverdue from '#sales/expire_overdue/expire_overdue'
import PushDelivery from '#webhooks/actions/push_delivery'
import PingEndpoint from '#webhooks/actions/ping_endpoint'
import ReplayDeliveries from '#webhooks/actions/replay_deliveries'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import deliverWebhooks from '#webhooks/deliver_webhooks/deliver_webhooks'
import relayNews from '#webhooks/relay_news/relay_news'
import CancelEvent from '#sales/cancel_event/cancel_event'
import { aPartner, aSale, book, grant, TESTER, type TestPartner } from '#tests/support/fixtures'
import { lapseBooking } from '#tests/support/circumstances'
import { aReceiver } from '#tests/support/receiver'
import {
  claimDeliveries,
  lockEndpoint,
  releaseClaims,
  releaseEndpoint,
} from '#webhooks/deliver_webhooks/claim_deliveries'
import { disableEndpoint } from '#webhooks/deliver_webhooks/failing_endpoint'
import { recordAttempts } from '#webhooks/deliver_webhooks/record_attempts'
import { one, ownerRows, rows } from '#tests/support/rows'
import { test } from '@japa/runner'
import { createHmac, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'

const setEndpoint = (partner: TestPartner, url: string) =>
  new SetEndpoint().handle({ partnerCode: partner.code, url, actor: TESTER })
const push = ({ id }: { id?: bigint }) =>
  new PushDelivery().handle({ deliveryId: BigInt(id!), actor: TESTER })
const pause = (eventId: string, trigger: 'pause' | 'open' = 'pause') =>
  new ChangeEventStatus().handle({ eventId, trigger, reason: null, actor: TESTER })

/** One round for the endpoint, after the journal's news were relayed. */
async function round({ id }: { id: number }) {
  await relayNews()
  await deliverWebhooks({ id })
}

/** Lets the waiting time of whatever is to be repeated be over. */
const hurry = ({ id }: { id: number }) =>
  ownerRows(
    `UPDATE webhook_deliveries SET next_at = clock_timestamp() WHERE endpoint_id = ? AND status = 'pending'`,
    id
  )
const oneDelivery = ({ id }: { id: number }) =>
  one('SELECT * FROM webhook_deliveries WHERE endpoint_id = ?', id)
const deliveriesOf = ({ id }: { id: number }) =>
  rows('SELECT * FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY id', id)
const attemptsOf = ({ id }: { id: number }) =>
  rows(
    `SELECT a.* FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
      WHERE d.endpoint_id = ? ORDER BY a.delivery_id, a.attempt`,
    id
  )
const endpointOf = ({ id }: { id: number }) =>
  one('SELECT * FROM webhook_endpoints WHERE id = ?', id)

/** A sale whose partner has a receiver for webhooks. */
async function aListener(answer?: Parameters<typeof aReceiver>[0]) {
  const receiver = await aReceiver(answer)
  const sale = await aSale()
  await relayNews()
  const endpoint = await setEndpoint(sale.partner, receiver.url)
  return { ...sale, receiver, endpoint }
}

test.group('Webhook deliveries', (group) => {
  const open: { close: () => void }[] = []
  const listener = async (answer?: Parameters<typeof aReceiver>[0]) => {
    const all = await aListener(answer)
    open.push(all.receiver)
    return all
  }
  group.each.teardown(() => {
    for (const receiver of open.splice(0)) receiver.close()
  })

  test('a pause is delivered, signed over the bytes sent as the contract says', async ({
    assert,
  }) => {
    const { event, partner, receiver, endpoint } = await listener()
    await pause(event.id)
    await round(endpoint)

    assert.lengthOf(receiver.received, 1)
    const [{ method, path, headers, body, json }] = receiver.received
    const { secret, apiKey } = partner.client.credentials
    const canonical = `${headers['x-timestamp']}\nPOST\n/news?of=tickets\n${body}`
    assert.equal(method, 'POST')
    assert.equal(path, '/news?of=tickets')
    assert.equal(headers['x-api-key'], apiKey)
    assert.equal(
      headers['x-signature'],
      createHmac('sha256', secret).update(canonical).digest('hex')
    )
    assert.closeTo(Number(headers['x-timestamp']), Date.now() / 1000, 5)
    assert.equal(headers['x-webhook-event'], 'event_updated')
    assert.equal(headers['x-webhook-id'], json.delivery_id)
    assert.equal(headers['x-webhook-attempt'], '1')
    assert.deepEqual(json, {
      delivery_id: json.delivery_id,
      event_id: event.id,
      change_type: 'sales_paused',
    })
  })

  test('a webhook is signed with the oldest key that is neither revoked nor expired', async ({
    assert,
  }) => {
    const { partner, receiver, endpoint } = await listener()
    const { apiKey: first } = partner.client.credentials
    const own = { partnerCode: partner.code, actor: TESTER }
    const second = await new IssueKey().handle(own)
    const expiresAt = new Date(Date.now() + 60_000)
    const third = await new RotateKey().handle({ ...own, apiKey: second.apiKey, expiresAt })
    const ping = async () => {
      await new PingEndpoint().handle({ partnerCode: partner.code })
      await deliverWebhooks(endpoint)
    }

    await ping()
    await new RevokeKey().handle({ apiKey: first, actor: TESTER })
    await ping()
    await rows('UPDATE partner_keys SET expires_at = now() WHERE api_key = ?', second.apiKey)
    await ping()

    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['x-api-key']),
      [first, second.apiKey, third.apiKey]
    )
  })

  test('an expired booking is delivered after the sweep, with its seats', async ({ assert }) => {
    const { client, event, receiver, endpoint } = await listener()
    const { data: booking } = await book(client, event.id, ['seat-1-2', 'seat-1-1'])
    await lapseBooking(booking.booking_id)
    await expireOverdue()
    await round(endpoint)

    const [{ json, headers }] = receiver.received
    assert.equal(headers['x-webhook-event'], 'booking_expired')
    assert.equal(json.booking_id, booking.booking_id)
    assert.equal(json.event_id, event.id)
    assert.deepEqual(json.seats, ['seat-1-2', 'seat-1-1'])
    assert.match(json.expired_at, /\+05:00$/)
  })

  test('a cancelled event is delivered with its reason and the bookings that it ended', async ({
    assert,
  }) => {
    const { client, event, receiver, endpoint } = await listener()
    const { data: booking } = await book(client, event.id, ['seat-1-1'])
    await new CancelEvent().handle({ eventId: event.id, reason: 'Болезнь солиста', actor: TESTER })
    await round(endpoint)

    const received = Object.fromEntries(
      receiver.received.map(({ headers, json }) => [headers['x-webhook-event'], json])
    )
    const { data } = await client.get(`/events/${event.id}`)
    assert.equal(data.status, 'cancelled')
    assert.equal(received.booking_expired.booking_id, booking.booking_id)
    assert.equal(received.event_cancelled.event_id, event.id)
    assert.equal(received.event_cancelled.cancellation_reason, 'Болезнь солиста')
    assert.match(received.event_cancelled.cancelled_at, /\+05:00$/)
  })

  test('a delivery waiting for a retry can be sent at once, ahead of others', async ({
    assert,
  }) => {
    let isBroken = true
    const { event, receiver, endpoint } = await listener((response) => {
      response.statusCode = isBroken ? 500 : 200
      response.end()
    })
    await pause(event.id)
    await round(endpoint)
    await pause(event.id, 'open')
    await round(endpoint)
    isBroken = false
    const [first, second] = await deliveriesOf(endpoint)
    await round(endpoint)
    assert.lengthOf(receiver.received, 1, 'not due yet')

    await push(second)
    await round(endpoint)
    await round(endpoint)
    const [, ...sent] = receiver.received.map(({ headers }) => headers['x-webhook-id'])
    assert.deepEqual(sent, [first.webhook_id, second.webhook_id])
    const entries = await rows(
      `SELECT change FROM journal WHERE name = 'webhook_pushed' AND partner_id = (SELECT partner_id FROM webhook_endpoints WHERE id = ?)`,
      endpoint.id
    )
    assert.deepEqual(entries, [{ change: { webhook_id: second.webhook_id } }])
  })

  test('a delivery sent at once starts a new series of retries, also at a paused endpoint', async ({
    assert,
  }) => {
    const { event, receiver, endpoint } = await listener((response) => {
      response.statusCode = 500
      response.end()
    })
    await pause(event.id)
    await round(endpoint)
    await ownerRows(
      `UPDATE webhook_endpoints SET paused_until = now() + interval '1 minute' WHERE id = ?`,
      endpoint.id
    )
    await push(await oneDelivery(endpoint))
    await round(endpoint)
    assert.lengthOf(receiver.received, 2)
    const { attempts, attempts_before: before } = await oneDelivery(endpoint)
    assert.deepEqual([attempts, before], [2, 1])
  })

  test('an endpoint fails from its first failure to the next success', async ({ assert }) => {
    let status = 500
    const { event, endpoint } = await listener((response) => {
      response.statusCode = status
      response.end()
    })
    const failingSince = async () => {
      const { failing_since: since } = await endpointOf(endpoint)
      return since as Date | null
    }
    await pause(event.id)
    await round(endpoint)
    const first = await failingSince()
    assert.isNotNull(first)
    await hurry(endpoint)
    await round(endpoint)
    assert.deepEqual(await failingSince(), first)
    status = 200
    await hurry(endpoint)
    await round(endpoint)
    assert.isNull(await failingSince())

    const before = await endpointOf(endpoint)
    status = 500
    await pause(event.id, 'open')
    await round(endpoint)
    const after = await endpointOf(endpoint)
    assert.deepEqual(after.last_success_at, before.last_success_at)
    assert.deepEqual([Number(after.succeeded), Number(after.failed)], [1, 3])
  })

  test('a new address has neither the pause of the old one nor its notice', async ({ assert }) => {
    const { partner, receiver, endpoint } = await listener()
    await ownerRows(
      `UPDATE webhook_endpoints SET failing_since = now() - interval '2 hours', failure_notified_at = now(),
              paused_until = now() + interval '1 minute' WHERE id = ?`,
      endpoint.id
    )
    await setEndpoint(partner, new URL('/elsewhere', receiver.url).href)
    const now = await endpointOf(endpoint)
    assert.deepEqual([now.failure_notified_at, now.paused_until], [null, null])
  })

  test('an endpoint with a new address fails from its first failure there', async ({ assert }) => {
    const { event, partner, receiver, endpoint } = await listener((response) => {
      response.statusCode = 500
      response.end()
    })
    await pause(event.id)
    await round(endpoint)
    await ownerRows(
      `UPDATE webhook_endpoints SET failing_since = clock_timestamp() - interval '5 days' WHERE id = ?`,
      endpoint.id
    )
    await setEndpoint(partner, new URL('/elsewhere', receiver.url).href)
    await hurry(endpoint)
    await round(endpoint)
    assert.equal(receiver.received[1].path, '/elsewhere')
    const { status, failing_since: since } = await endpointOf(endpoint)
    assert.equal(status, 'active')
    assert.isBelow(Date.now() - since.getTime(), 60_000)
  })

  test('an endpoint that is paused or in another round is not called', async ({ assert }) => {
    const { event, receiver, endpoint } = await listener()
    await pause(event.id)
    const pauseEndpoint = (until: string) =>
      ownerRows(`UPDATE webhook_endpoints SET paused_until = ${until} WHERE id = ?`, endpoint.id)
    await pauseEndpoint(`now() + interval '1 minute'`)
    await round(endpoint)
    assert.lengthOf(receiver.received, 0)
    await pauseEndpoint('now()')

    const otherRound = randomUUID()
    await lockEndpoint(endpoint.id, otherRound)
    await round(endpoint)
    assert.lengthOf(receiver.received, 0)
    await releaseEndpoint(endpoint.id, otherRound)
    await round(endpoint)
    assert.lengthOf(receiver.received, 1)
  })

  test('a delivery in progress or ended cannot be sent at once', async ({ assert }) => {
    const { event, receiver, endpoint } = await listener()
    await pause(event.id)
    await relayNews()
    const delivery = await oneDelivery(endpoint)
    const [claimed] = await claimDeliveries(endpoint.id, 1)
    await assert.rejects(() => push(delivery), /has ended or is being sent/)
    await releaseClaims([claimed])
    await round(endpoint)
    await assert.rejects(() => push(delivery), /has ended or is being sent/)
    assert.lengthOf(receiver.received, 1)
    const { status } = await oneDelivery(endpoint)
    assert.equal(status, 'delivered')
    // Nor does the push of one that has ended send the next one of its event.
    await pause(event.id, 'open')
    await relayNews()
    await assert.rejects(() => push(delivery), /has ended or is being sent/)
  })

  test('a delivery that waits or is being sent is not replayed', async ({ assert }) => {
    const { event, partner, endpoint } = await listener()
    await pause(event.id)
    await relayNews()
    const { webhook_id: webhookId } = await oneDelivery(endpoint)
    const input = { partnerCode: partner.code, since: null, actor: TESTER }
    const replay = () => new ReplayDeliveries().handle({ ...input, webhookIds: [webhookId] })
    assert.equal(await replay(), 0)
    await claimDeliveries(endpoint.id, 1)
    const claimed = await oneDelivery(endpoint)
    assert.equal(await replay(), 0)
    assert.deepEqual(await oneDelivery(endpoint), claimed)
    const entries = await rows(
      `SELECT 1 FROM journal WHERE partner_id = ? AND name = 'webhooks_replayed'`,
      partner.id
    )
    assert.deepEqual(entries, [])
  })

  test('simultaneous pushes and claims send a delivery once', async ({ assert }) => {
    for (let turn = 0; turn < 10; turn++) {
      const { event, endpoint } = await listener((response) => {
        response.statusCode = 500
        response.end()
      })
      await pause(event.id)
      await round(endpoint)
      const delivery = await oneDelivery(endpoint)
      const acts = Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0 ? push(delivery).then(() => 'pushed') : claimDeliveries(endpoint.id, 1)
      )
      const ended = await Promise.allSettled(acts)
      const claims = ended.flatMap((each) =>
        each.status === 'fulfilled' && Array.isArray(each.value) ? each.value : []
      )
      const [, ...others] = claims
      assert.lengthOf(others, 0)
      const { attempts, locked_until: lockedUntil } = await oneDelivery(endpoint)
      assert.equal(attempts, 1 + claims.length)
      assert.equal(lockedUntil !== null, claims.length === 1)
    }
  })

  test('only partners with a current or former grant are notified', async ({ assert }) => {
    const first = await listener()
    const revoked = await listener()
    const stranger = await listener()
    await grant(revoked.partner, first.event)
    await grant(revoked.partner, first.event, 'revoked')
    await relayNews()
    await ownerRows('DELETE FROM webhook_deliveries WHERE endpoint_id = ?', revoked.endpoint.id)
    await pause(first.event.id)
    for (const { endpoint } of [first, revoked, stranger]) await round(endpoint)

    assert.lengthOf(first.receiver.received, 1)
    assert.lengthOf(revoked.receiver.received, 1)
    assert.lengthOf(stranger.receiver.received, 0)
  })

  test('a change committed late is delivered although later ones were delivered before', async ({
    assert,
  }) => {
    const { event, receiver, endpoint, partner } = await listener()
    const { default: db } = await import('@adonisjs/lucid/services/db')
    const late = await db.transaction()
    await late.rawQuery(
      `INSERT INTO journal (name, actor_kind, actor, event_id) VALUES ('event_prices_set', 'staff', 'late', ?)`,
      [event.id]
    )
    await pause(event.id)
    await round(endpoint)
    assert.lengthOf(receiver.received, 1)

    await late.commit()
    await round(endpoint)
    assert.deepEqual(
      receiver.received.map(({ json }) => json.change_type),
      ['sales_paused', 'updated']
    )
    assert.isAbove(partner.id, 0)
  })

  for (const status of [500, 404, 301, 302]) {
    test(`${status} is a failure: logged, repeated under the same id, without following redirects`, async ({
      assert,
    }) => {
      const answers = [status, 204]
      const { event, receiver, endpoint } = await listener((response) => {
        response.statusCode = answers.shift()!
        response.setHeader('Location', '/elsewhere')
        response.end('no')
      })
      await pause(event.id)
      await round(endpoint)
      const [waiting] = await deliveriesOf(endpoint)
      assert.equal(waiting.status, 'pending')
      assert.closeTo(waiting.next_at.getTime() - Date.now(), 5000, 1200)

      await deliverWebhooks(endpoint)
      assert.lengthOf(receiver.received, 1)
      await hurry(endpoint)
      await deliverWebhooks(endpoint)

      const [first, second] = receiver.received
      assert.equal(second.path, first.path)
      assert.equal(second.body, first.body)
      assert.equal(second.headers['x-webhook-id'], first.headers['x-webhook-id'])
      assert.equal(second.headers['x-webhook-attempt'], '2')
      const attempts = await attemptsOf(endpoint)
      assert.deepEqual(
        attempts.map((each) => [each.attempt, each.http_status, each.failure, each.response]),
        [
          [1, status, status < 400 ? 'redirect' : `status_${status}`, 'no'],
          [2, 204, null, ''],
        ]
      )
      const { status: end } = await oneDelivery(endpoint)
      assert.equal(end, 'delivered')
    })
  }

  test('after the twelfth failure a delivery is given up and can be replayed', async ({
    assert,
  }) => {
    let isBroken = true
    const { event, receiver, endpoint, partner } = await listener((response) => {
      response.statusCode = isBroken ? 503 : 200
      response.end()
    })
    await pause(event.id)
    for (let attempt = 0; attempt < 14; attempt++) {
      await round(endpoint)
      await hurry(endpoint)
    }
    const [failed] = await deliveriesOf(endpoint)
    assert.equal(failed.status, 'failed')
    assert.closeTo(failed.ended_at.getTime(), Date.now(), 60_000)
    assert.lengthOf(receiver.received, 12)

    isBroken = false
    const { code: stranger } = await aPartner()
    const input = { partnerCode: partner.code, webhookIds: null, since: null, actor: TESTER }
    const byStranger = {
      ...input,
      partnerCode: stranger,
      webhookIds: [failed.webhook_id as string],
    }
    assert.equal(await new ReplayDeliveries().handle(byStranger), 0)
    assert.equal(await new ReplayDeliveries().handle(input), 1)
    await round(endpoint)
    assert.equal(receiver.received[12].headers['x-webhook-attempt'], '13')
    assert.equal(receiver.received[12].json.delivery_id, failed.webhook_id)
    const { status: end } = await oneDelivery(endpoint)
    assert.equal(end, 'delivered')
    // What was delivered is repeated only by its id.
    assert.equal(await new ReplayDeliveries().handle(input), 0)
    const byId = { ...input, webhookIds: [failed.webhook_id as string] }
    assert.equal(await new ReplayDeliveries().handle(byId), 1)
  })

  test('an endpoint looks well once something has arrived at its present address', async ({
    assert,
  }) => {
    const { event, partner, receiver, endpoint } = await listener()
    const health = async () => {
      const shown = await readEndpoint.first({ partnerId: partner.id })
      return shown!.health
    }
    assert.equal(await health(), 'untried')
    await pause(event.id)
    await round(endpoint)
    assert.equal(await health(), 'well')
    await setEndpoint(partner, new URL('/elsewhere', receiver.url).href)
    assert.equal(await health(), 'untried')
  })

  test('only what was created since a moment is replayed', async ({ assert }) => {
    const { event, endpoint, partner } = await listener()
    await pause(event.id)
    await pause(event.id, 'open')
    await relayNews()
    await ownerRows(
      `UPDATE webhook_deliveries SET status = 'failed', ended_at = now() WHERE endpoint_id = ?`,
      endpoint.id
    )
    const [first] = await deliveriesOf(endpoint)
    await ownerRows(
      `UPDATE webhook_deliveries SET created_at = now() - interval '2 hours' WHERE id = ?`,
      first.id
    )
    const since = new Date(Date.now() - 3_600_000)
    const input = { partnerCode: partner.code, webhookIds: null, since, actor: TESTER }
    assert.equal(await new ReplayDeliveries().handle(input), 1)
    const [stillFailed] = await deliveriesOf(endpoint)
    assert.equal(stillFailed.status, 'failed')
  })

  test('the first phase of the contract has no webhooks, nor the next one those of before', async ({
    assert,
  }) => {
    const { event, endpoint } = await listener()
    const phase = platform.contractPhase
    platform.contractPhase = 1
    try {
      await pause(event.id)
      await relayNews()
    } finally {
      platform.contractPhase = phase
    }
    await relayNews()
    assert.deepEqual(await deliveriesOf(endpoint), [])
  })

  test('410 disables the endpoint; later deliveries are held and can be replayed', async ({
    assert,
  }) => {
    let status = 410
    const { event, receiver, endpoint, partner } = await listener((response) => {
      response.statusCode = status
      response.end()
    })
    await pause(event.id)
    await round(endpoint)
    assert.include(await endpointOf(endpoint), { status: 'disabled', disabled_cause: 'gone' })
    await pause(event.id, 'open')
    await round(endpoint)
    const held = await deliveriesOf(endpoint)
    assert.deepEqual(
      held.map((each) => each.status),
      ['held', 'held']
    )
    const { name } = await one(
      `SELECT name FROM journal WHERE partner_id = ? ORDER BY id DESC LIMIT 1`,
      partner.id
    )
    assert.equal(name, 'webhook_endpoint_disabled')

    status = 200
    await setEndpoint(partner, receiver.url)
    const input = { partnerCode: partner.code, webhookIds: null, since: null, actor: TESTER }
    assert.equal(await new ReplayDeliveries().handle(input), 2)
    await round(endpoint)
    await round(endpoint)
    assert.deepEqual(
      receiver.received.slice(1).map(({ json }) => json.change_type),
      ['sales_paused', 'sales_resumed']
    )
  })

  test('one 410 among good answers disables the endpoint, and nothing more is sent', async ({
    assert,
  }) => {
    const { event, receiver, endpoint, partner } = await listener((response, { json }) => {
      response.statusCode = json.event_id === event.id ? 410 : 200
      response.end()
    })
    const { event: other } = await aSale()
    await grant(partner, other)
    await relayNews()
    await ownerRows('DELETE FROM webhook_deliveries WHERE endpoint_id = ?', endpoint.id)
    for (const { id } of [event, other]) await pause(id)
    for (const { id } of [event, other]) await pause(id, 'open')
    await round(endpoint)
    assert.include(await endpointOf(endpoint), { status: 'disabled', disabled_cause: 'gone' })
    assert.lengthOf(receiver.received, 2)
    const states = await deliveriesOf(endpoint)
    assert.sameMembers(
      states.map(({ status }) => status as string),
      ['held', 'held', 'held', 'delivered']
    )
  })

  test('webhooks of one event keep their order, those of others do not wait', async ({
    assert,
  }) => {
    let isBroken = true
    const { event, receiver, endpoint, partner } = await listener((response, { json }) => {
      response.statusCode = isBroken && json.event_id === event.id ? 500 : 200
      response.end()
    })
    const { event: other } = await aSale()
    await grant(partner, other)
    await relayNews()
    await ownerRows('DELETE FROM webhook_deliveries WHERE endpoint_id = ?', endpoint.id)
    await pause(event.id)
    await pause(event.id, 'open')
    await pause(other.id)
    await round(endpoint)
    const receivedChanges = () =>
      receiver.received.map(({ json }) => `${json.event_id} ${json.change_type}`)
    assert.sameMembers(receivedChanges(), [`${event.id} sales_paused`, `${other.id} sales_paused`])

    isBroken = false
    await hurry(endpoint)
    await round(endpoint)
    await round(endpoint)
    assert.deepEqual(receivedChanges().slice(2), [
      `${event.id} sales_paused`,
      `${event.id} sales_resumed`,
    ])
  })

  test('an answer is stored up to 4 KiB, in whole characters without NUL', async ({ assert }) => {
    const { event, endpoint } = await listener((response) => {
      response.statusCode = 500
      response.end(`\0${'ж'.repeat(100_000)}`)
    })
    await pause(event.id)
    await round(endpoint)
    const [{ response }] = await attemptsOf(endpoint)
    assert.isAtMost(Buffer.byteLength(response), 4096)
    assert.match(response, /^\uFFFDж+$/u)
  })

  test('a dropped connection and an unreachable receiver are failures', async ({ assert }) => {
    const { event, endpoint, receiver } = await listener((response: ServerResponse) => {
      response.writeHead(200, { 'Content-Length': '100' })
      response.write('half')
      setTimeout(() => response.destroy(), 50)
    })
    await pause(event.id)
    await round(endpoint)
    receiver.close()
    await hurry(endpoint)
    await round(endpoint)
    const attempts = await attemptsOf(endpoint)
    assert.deepEqual(
      attempts.map(({ failure }) => failure),
      ['connection_lost', 'refused']
    )
  })

  test('an endpoint that fails for five days is disabled, and staff are notified once after an hour', async ({
    assert,
  }) => {
    const { event, endpoint, partner } = await listener((response) => {
      response.statusCode = 500
      response.end()
    })
    const failingFor = (interval: string) =>
      ownerRows(
        `UPDATE webhook_endpoints SET failing_since = clock_timestamp() - ?::interval WHERE id = ?`,
        interval,
        endpoint.id
      )
    const journalNames = async () => {
      const entries = await rows(
        `SELECT name FROM journal WHERE partner_id = ? AND name LIKE 'webhook_endpoint_%' ORDER BY id`,
        partner.id
      )
      return entries.map(({ name }) => name).slice(1)
    }
    await pause(event.id)
    await round(endpoint)
    assert.deepEqual(await journalNames(), [])
    for (let times = 0; times < 2; times++) {
      await failingFor('61 minutes')
      await hurry(endpoint)
      await round(endpoint)
    }
    assert.deepEqual(await journalNames(), ['webhook_endpoint_failing'])
    await failingFor('5 days')
    await hurry(endpoint)
    await round(endpoint)
    assert.deepEqual(await journalNames(), [
      'webhook_endpoint_failing',
      'webhook_endpoint_disabled',
    ])
    assert.include(await endpointOf(endpoint), { disabled_cause: 'failing' })
  })

  test('staff are notified again of an endpoint that has worked in between', async ({ assert }) => {
    let status = 500
    const { event, endpoint, partner } = await listener((response) => {
      response.statusCode = status
      response.end()
    })
    const failForAnHour = async () => {
      await ownerRows(
        `UPDATE webhook_endpoints SET failing_since = clock_timestamp() - interval '61 minutes' WHERE id = ?`,
        endpoint.id
      )
      await hurry(endpoint)
      await round(endpoint)
    }
    const notices = async () => {
      const entries = await rows(
        `SELECT 1 FROM journal WHERE partner_id = ? AND name = 'webhook_endpoint_failing'`,
        partner.id
      )
      return entries.length
    }
    await pause(event.id)
    await round(endpoint)
    await failForAnHour()
    assert.equal(await notices(), 1)
    status = 200
    await hurry(endpoint)
    await round(endpoint)
    status = 500
    await pause(event.id, 'open')
    await round(endpoint)
    await failForAnHour()
    assert.equal(await notices(), 2)
  })

  test('an endpoint that fails within a batch is paused, and unsent deliveries stay as they were', async ({
    assert,
  }) => {
    let answered = 0
    const { event, partner, endpoint, receiver } = await listener((response) => {
      response.statusCode = ++answered <= 24 ? 200 : 500
      response.end()
    })
    await ownerRows(
      `INSERT INTO journal (name, actor_kind, actor, partner_id, event_id, booking_id, change)
       SELECT 'booking_expired', 'clock', 'clock', ?, ?, 'bkg_' || gen_random_uuid(),
              jsonb_build_object('expired_at', now(), 'seats', jsonb_build_array('seat-1-1'))
         FROM generate_series(1, 56)`,
      partner.id,
      event.id
    )
    await round(endpoint)

    // Batches of 8, 16 and 32: of the last, the first 8 fail and up to 3 more are already on their way.
    const sent = receiver.received.length
    assert.isAtLeast(sent, 32)
    assert.isAtMost(sent, 35)
    const deliveries = await deliveriesOf(endpoint)
    const unsent = deliveries.filter((each) => each.attempts === 0)
    assert.lengthOf(unsent, 56 - sent)
    for (const each of unsent) {
      assert.include(each, { status: 'pending', locked_until: null })
      assert.isBelow(each.next_at.getTime(), Date.now())
    }
    const attempts = await attemptsOf(endpoint)
    assert.lengthOf(attempts, sent)
    const { seconds } = await one(
      `SELECT extract(epoch FROM paused_until - clock_timestamp())::float8 AS seconds FROM webhook_endpoints WHERE id = ?`,
      endpoint.id
    )
    assert.isAbove(seconds as number, 30)
    assert.isAtMost(seconds as number, 60)
    await round(endpoint)
    assert.lengthOf(receiver.received, sent)
  })

  test('two workers at once send each delivery once', async ({ assert }) => {
    const { client, event, receiver, endpoint } = await listener()
    const seats = ['seat-1-1', 'seat-1-2', 'seat-1-3', 'seat-1-4', 'seat-2-1', 'seat-2-2']
    for (const seat of seats) {
      const { data } = await book(client, event.id, [seat])
      await lapseBooking(data.booking_id)
    }
    await Promise.all([expireOverdue(), expireOverdue()])
    await Promise.all([relayNews(), relayNews()])
    await Promise.all([1, 2, 3].map(() => deliverWebhooks(endpoint)))
    assert.lengthOf(receiver.received, seats.length)
  })

  test('a delivery whose worker died is sent again when its lease ends, under the same id', async ({
    assert,
  }) => {
    const { event, receiver, endpoint } = await listener()
    await pause(event.id)
    await relayNews()
    await ownerRows(
      `UPDATE webhook_deliveries SET attempts = 1, locked_until = clock_timestamp() + interval '90 s' WHERE endpoint_id = ?`,
      endpoint.id
    )
    await deliverWebhooks(endpoint)
    assert.lengthOf(receiver.received, 0)
    await ownerRows(
      `UPDATE webhook_deliveries SET locked_until = clock_timestamp() WHERE endpoint_id = ?`,
      endpoint.id
    )
    const followUps = await relayNews()
    assert.include(
      followUps.map(({ data }) => data.id),
      endpoint.id
    )
    await deliverWebhooks(endpoint)
    assert.equal(receiver.received[0].headers['x-webhook-attempt'], '2')
  })

  test('an answer that comes after the lease and another claim changes nothing but the log', async ({
    assert,
  }) => {
    const { event, endpoint } = await listener()
    await pause(event.id)
    await relayNews()
    const [late] = await claimDeliveries(endpoint.id, 1)
    await ownerRows(
      `UPDATE webhook_deliveries SET locked_until = clock_timestamp() WHERE endpoint_id = ?`,
      endpoint.id
    )
    const [current] = await claimDeliveries(endpoint.id, 1)
    assert.deepEqual([late.attempt, current.attempt], [1, 2])
    const claimed = await oneDelivery(endpoint)

    const outcome = { startedAt: new Date(), durationMs: 1, response: null, retryAfter: null }
    const delivered = { ...outcome, status: 200, failure: null }
    await recordAttempts(endpoint.id, [{ claim: late, outcome: delivered }], 8)
    await releaseClaims([late])

    assert.deepEqual(await oneDelivery(endpoint), claimed)
    const attempts = await attemptsOf(endpoint)
    assert.deepEqual(
      attempts.map(({ attempt, http_status: status }) => [attempt, status]),
      [[1, 200]]
    )
  })

  test('an endpoint that is disabled during a round gets nothing more, and what fails then is held', async ({
    assert,
  }) => {
    const inFlight: ServerResponse[] = []
    const disableDuringBatch = async (response: ServerResponse) => {
      inFlight.push(response)
      if (inFlight.length < 2) return
      const about = { id: endpoint.id, partner_id: partner.id }
      await disableEndpoint(about, 'gone')
      // As a relay leaves it that had read the endpoint before.
      await ownerRows(
        `UPDATE webhook_deliveries SET status = 'pending', next_at = now() WHERE id = ?`,
        later.id
      )
      const [delivered, failed] = inFlight
      delivered.end('ok')
      failed.statusCode = 500
      failed.end()
    }
    const { client, event, partner, receiver, endpoint } = await listener(
      (response) => void disableDuringBatch(response)
    )
    for (const seat of ['seat-1-1', 'seat-1-2', 'seat-1-3']) {
      const { data } = await book(client, event.id, [seat])
      await lapseBooking(data.booking_id)
    }
    await expireOverdue()
    await relayNews()
    const [, , later] = await deliveriesOf(endpoint)
    await ownerRows(
      `UPDATE webhook_deliveries SET next_at = now() + '1 hour' WHERE id = ?`,
      later.id
    )

    await deliverWebhooks(endpoint)

    assert.lengthOf(receiver.received, 2)
    const deliveries = await deliveriesOf(endpoint)
    const statuses = deliveries.map(({ status }) => status as string)
    assert.sameMembers(statuses.slice(0, 2), ['delivered', 'held'])
    assert.equal(statuses[2], 'pending')
  })

  test('a ping contains nothing but its id', async ({ assert }) => {
    const { partner, receiver, endpoint } = await listener()
    const { webhookId } = await new PingEndpoint().handle({ partnerCode: partner.code })
    await round(endpoint)
    assert.deepEqual(receiver.received[0].json, { delivery_id: webhookId })
    assert.equal(receiver.received[0].headers['x-webhook-event'], 'ping')
  })

  test('a ping without an endpoint is refused', async ({ assert }) => {
    const { code } = await aPartner()
    await assert.rejects(() => new PingEndpoint().handle({ partnerCode: code }))
  })

  test('a ping of a disabled endpoint is refused and leaves no delivery', async ({ assert }) => {
    const { partner, endpoint } = await listener()
    await disableEndpoint({ id: endpoint.id, partner_id: partner.id }, 'failing')
    const ping = () => new PingEndpoint().handle({ partnerCode: partner.code })
    await assert.rejects(ping, /does not exist/)
    assert.deepEqual(await deliveriesOf(endpoint), [])
  })
})
