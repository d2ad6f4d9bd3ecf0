import ReplayDeliveries from '#webhooks/actions/replay_deliveries'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import deliverWebhooks from '#webhooks/deliver_webhooks/deliver_webhooks'
import relayNews from '#webhooks/relay_news/relay_news'
import { aSale, TESTER, uniqueKey } from '#tests/support/fixtures'
import { aReceiver } from '#tests/support/receiver'
import { one, ownerOne, ownerRows, rows } from '#tests/support/rows'
import { test } from '@japa/runner'

const GOOD = { expired_at: '2026-11-21T10:00:00Z', seats: ['seat-1-1'] }

/** A partner with an endpoint, and a function that records expired bookings for it. */
async function aListener() {
  const receiver = await aReceiver()
  const { partner, event } = await aSale()
  await relayNews()
  const { id } = await new SetEndpoint().handle({
    partnerCode: partner.code,
    url: receiver.url,
    actor: TESTER,
  })
  const recordExpiry = (bookingId: string, change: unknown) =>
    ownerRows(
      `INSERT INTO journal (name, actor_kind, actor, partner_id, event_id, booking_id, change)
       VALUES ('booking_expired', 'clock', 'clock', ?, ?, ?, ?)`,
      partner.id,
      event.id,
      bookingId,
      JSON.stringify(change)
    )
  return { id, partner, receiver, recordExpiry }
}

const roundFor = async (id: number) => {
  await relayNews()
  await deliverWebhooks({ id })
}
const deliveriesOf = (id: number) =>
  rows(
    `SELECT d.subject, d.status, d.attempts, d.locked_until, d.ended_at, a.failure
       FROM webhook_deliveries d
       LEFT JOIN webhook_attempts a ON a.delivery_id = d.id AND a.attempt = d.attempts
      WHERE endpoint_id = ? ORDER BY d.id`,
    id
  )
const endpointOf = (id: number) => one('SELECT * FROM webhook_endpoints WHERE id = ?', id)
const failingSince = async (id: number) => {
  const { failing_since: since } = await endpointOf(id)
  return since as Date | null
}

test.group('Deliveries that cannot be made', (group) => {
  let close: () => void
  group.each.teardown(() => close())
  const listener = async () => {
    const all = await aListener()
    close = all.receiver.close
    return all
  }

  for (const change of [{}, { seats: ['seat-1-1'] }, { ...GOOD, expired_at: 'yesterday' }, []]) {
    test(`a webhook of ${JSON.stringify(change)} is given up at once: not_composed, and the others are sent`, async ({
      assert,
    }) => {
      const { id, receiver, recordExpiry } = await listener()
      const [bad, good] = [uniqueKey(), uniqueKey()]
      await recordExpiry(bad, change)
      await recordExpiry(bad, GOOD)
      await recordExpiry(good, GOOD)
      await roundFor(id)

      const [poisoned, ...others] = await deliveriesOf(id)
      assert.include(poisoned, {
        subject: bad,
        status: 'failed',
        attempts: 1,
        failure: 'not_composed',
        locked_until: null,
      })
      assert.isNotNull(poisoned.ended_at)
      assert.deepEqual(
        others.map(({ subject, status }) => [subject, status]),
        [
          [bad, 'delivered'],
          [good, 'delivered'],
        ]
      )
      assert.lengthOf(receiver.received, 2)
    })
  }

  test('a batch of deliveries that cannot be composed neither ends the round nor counts against the endpoint', async ({
    assert,
  }) => {
    const { id, receiver, recordExpiry } = await listener()
    for (let nth = 0; nth < 10; nth++) await recordExpiry(uniqueKey(), {})
    await recordExpiry(uniqueKey(), GOOD)
    await ownerRows(`UPDATE webhook_endpoints SET last_success_at = NULL WHERE id = ?`, id)
    await roundFor(id)

    assert.lengthOf(receiver.received, 1)
    const endpoint = await endpointOf(id)
    assert.include(endpoint, { status: 'active', failing_since: null, paused_until: null })
    assert.isNotNull(endpoint.last_success_at)
  })

  test('an endpoint with only a delivery that cannot be composed keeps its state', async ({
    assert,
  }) => {
    const { id, recordExpiry } = await listener()
    await ownerRows(
      `UPDATE webhook_endpoints SET failing_since = '2026-11-01Z', failure_notified_at = '2026-11-01Z' WHERE id = ?`,
      id
    )
    const before = await endpointOf(id)
    await recordExpiry(uniqueKey(), {})
    await roundFor(id)
    assert.deepEqual(await endpointOf(id), before)
  })

  test('a replayed delivery that cannot be composed is tried once more', async ({ assert }) => {
    const { id, partner, recordExpiry } = await listener()
    await recordExpiry(uniqueKey(), {})
    await roundFor(id)
    const input = { partnerCode: partner.code, webhookIds: null, since: null, actor: TESTER }
    assert.equal(await new ReplayDeliveries().handle(input), 1)
    await roundFor(id)
    const [{ status, attempts, failure }] = await deliveriesOf(id)
    assert.deepEqual([status, attempts, failure], ['failed', 2, 'not_composed'])
  })

  test('a secret that cannot be decrypted: unreadable_key, retried and delivered once it can', async ({
    assert,
  }) => {
    const { id, partner, receiver, recordExpiry } = await listener()
    const setSecret = async (secret: string) => {
      const { was } = await ownerOne(
        `UPDATE partner_keys k SET secret_encrypted = ? FROM partner_keys old
          WHERE k.partner_id = ? AND old.api_key = k.api_key RETURNING old.secret_encrypted AS was`,
        secret,
        partner.id
      )
      return was as string
    }
    const secret = await setSecret('of another APP_KEY')
    await recordExpiry(uniqueKey(), GOOD)
    await roundFor(id)
    const [{ status, failure }] = await deliveriesOf(id)
    assert.deepEqual([status, failure], ['pending', 'unreadable_key'])
    assert.isNotNull(await failingSince(id))

    await setSecret(secret)
    await ownerRows(
      'UPDATE webhook_deliveries SET next_at = clock_timestamp() WHERE endpoint_id = ?',
      id
    )
    await roundFor(id)
    assert.lengthOf(receiver.received, 1)
    assert.isNull(await failingSince(id))
  })

  test('a delivery to a partner without a live key fails with no_key', async ({ assert }) => {
    const { id, partner, recordExpiry } = await listener()
    await ownerRows(
      'UPDATE partner_keys SET revoked_at = clock_timestamp() WHERE partner_id = ?',
      partner.id
    )
    await recordExpiry(uniqueKey(), GOOD)
    await roundFor(id)
    const [{ status, failure }] = await deliveriesOf(id)
    assert.deepEqual([status, failure], ['pending', 'no_key'])
  })
})
