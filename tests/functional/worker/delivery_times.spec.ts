import { setPrices } from '#catalog/event_prices'
import type { PartnerSettings } from '#partners/settings'
import { record } from '#shared/journal'
import { transaction } from '#shared/transaction'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import { cancelEvent, changeStatus } from '#tests/support/circumstances'
import { aPartner, anEvent, book, grant, PRICES, TESTER } from '#tests/support/fixtures'
import type { TestPartner } from '#tests/support/fixtures'
import { PartnerClient } from '#tests/support/partner_client'
import { test } from '@japa/runner'
import { between, sleep, together } from '#tests/functional/races/support/crowd'
import {
  ReceiverProcess,
  RECEIVER_EXAMPLES,
} from '#tests/functional/races/support/receiver_process'
import type { Printed, ReceiverExample } from '#tests/functional/races/support/receiver_process'
import { relayHasPassed } from '#tests/functional/races/support/relay'
import { rows } from '#tests/functional/races/support/sql'
import { WebProcess } from '#tests/functional/races/support/web_process'
import { WorkerProcess } from '#tests/functional/races/support/worker_process'

type EventRef = { id: string }

const EXPIRY_WITHIN_MS = 10_000
const CHANGE_WITHIN_MS = 5_000
const CHANGES = Number(process.env.CHANGES ?? 6)

async function databaseClock() {
  const [{ now }] = await rows('SELECT clock_timestamp() AS now')
  return (now as Date).getTime()
}

/** Staff have no action for these two yet; the entry of the journal is the one that theirs will make. */
const lowerPrice = ({ id: eventId }: EventRef, lowest: number) =>
  transaction(async (trx) => {
    await setPrices(eventId, { ...PRICES, invitation: BigInt(lowest) }, trx)
    const change = { price_from_tenge: String(lowest) }
    await record('event_prices_set', change, { actor: TESTER, eventId }, trx)
  })
const reschedule = ({ id: eventId }: EventRef, to: string) =>
  transaction(async (trx) => {
    await trx.rawQuery(
      `UPDATE events SET starts_at = ?, ends_at = ?::timestamptz + interval '3 hours' WHERE id = ?`,
      [to, to, eventId]
    )
    await record('event_rescheduled', { from: '', to }, { actor: TESTER, eventId }, trx)
  })

const isExpiry = ({ name }: Printed) => name === 'booking_expired'
const isAbout =
  ({ id }: EventRef) =>
  (printed: Printed) =>
    !isExpiry(printed) && printed.news.event_id === id

/** Content of a webhook, without the id of the delivery. */
const contentOf = ({ name, news }: Printed) => {
  const { delivery_id: deliveryId, ...body } = news
  return { name, ...body }
}

/** How a partner sees an event. */
interface Look {
  status: string
  access: 'active' | 'revoked'
  price_from_tenge: number
}

/** Makes a random change that staff may make now; returns the event after it. */
async function changeAtRandom(partner: TestPartner, event: EventRef, look: Look): Promise<Look> {
  const { status, access, price_from_tenge: price } = look
  const turned = access === 'active' ? 'revoked' : 'active'
  const turn = async (trigger: 'open' | 'pause' | 'close', to: string) => {
    await changeStatus(event, trigger)
    return { status: to }
  }
  const pause = () => turn('pause', 'sales_paused')
  const close = () => turn('close', 'sales_closed')
  const possible: (() => Promise<Partial<Look>>)[] = [
    () => grant(partner, event, turned).then(() => ({ access: turned })),
    () => lowerPrice(event, price - 1).then(() => ({ price_from_tenge: price - 1 })),
    ...(status === 'sales_open' ? [pause, close] : [() => turn('open', 'sales_open')]),
  ]
  const change = possible[between(0, possible.length - 1)]
  return { ...look, ...(await change()) }
}

const changedSince = (client: PartnerClient, cursor: string) =>
  client.get(`/events?updated_since=${encodeURIComponent(cursor)}`)

/** What a partner knows of each event that asks the feed again and again, from before the work until after it. */
async function knownByPolling(client: PartnerClient, work: () => Promise<unknown>) {
  const known = new Map<string, Look>()
  const first = await client.get('/events')
  let { cursor } = first.json.meta
  const poll = async () => {
    const { data, json } = await changedSince(client, cursor)
    for (const event of data) known.set(event.event_id, event)
    cursor = json.meta.cursor
  }
  let isOver = false
  const polling = (async () => {
    while (!isOver) {
      await poll()
      await sleep(100)
    }
    await poll()
  })()
  try {
    await work()
  } finally {
    isOver = true
    await polling
  }
  return known
}

test.group('Delivery times of webhooks', (group) => {
  let web: WebProcess
  const worker = new WorkerProcess()
  const receivers: ReceiverProcess[] = []
  group.setup(async () => {
    worker.start()
    web = await WebProcess.start()
  })
  group.each.teardown(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()))
  })
  group.teardown(async () => {
    await Promise.all([worker.stop('SIGKILL'), web.stop()])
  })

  /** A partner with grants on the events, and its receiver, which gets webhooks from now on. */
  async function aListener(
    events: EventRef[],
    options: { example?: ReceiverExample; settings?: Partial<PartnerSettings> } = {}
  ) {
    const partner = await aPartner(options.settings)
    const { credentials } = partner.client
    for (const event of events) await grant(partner, event)
    const receiver = await ReceiverProcess.start(credentials, options.example)
    receivers.push(receiver)
    await relayHasPassed()
    const endpoint = { partnerCode: partner.code, url: receiver.url, actor: TESTER }
    await new SetEndpoint().handle(endpoint)
    return { partner, receiver, client: new PartnerClient(credentials, web.url) }
  }

  for (const example of RECEIVER_EXAMPLES) {
    test(`${example} verifies all three webhooks: each arrives once, those of an event in order`, async ({
      assert,
    }) => {
      const event = await anEvent()
      const options = { example, settings: { holdSeconds: 1 } }
      const { client, receiver } = await aListener([event], options)
      const { data: booking } = await book(client, event.id, ['seat-1-2', 'seat-1-1'])

      await changeStatus(event, 'pause')
      await changeStatus(event, 'open')
      await reschedule(event, '2035-02-01T14:00:00Z')
      await lowerPrice(event, 100)
      await receiver.hasPrinted(isExpiry)
      await cancelEvent(event)
      await receiver.hasPrinted(({ name }) => name === 'event_cancelled')

      const eventId = event.id
      const contents = receiver.printed.filter(isAbout(event)).map(contentOf)
      const updated = { name: 'event_updated', event_id: eventId }
      const { cancelled_at: cancelledAt, ...cancelled } = contents.pop()!
      assert.deepEqual(contents, [
        { ...updated, change_type: 'sales_paused' },
        { ...updated, change_type: 'sales_resumed' },
        { ...updated, change_type: 'rescheduled', new_date: '2035-02-01T19:00:00+05:00' },
        { ...updated, change_type: 'updated' },
      ])
      const reason = { cancellation_reason: 'Болезнь солиста' }
      assert.deepEqual(cancelled, { name: 'event_cancelled', event_id: eventId, ...reason })
      assert.closeTo(Date.parse(cancelledAt), Date.now(), CHANGE_WITHIN_MS)
      assert.deepEqual(receiver.printed.filter(isExpiry).map(contentOf), [
        {
          name: 'booking_expired',
          booking_id: booking.booking_id,
          event_id: eventId,
          expired_at: booking.expires_at,
          seats: ['seat-1-2', 'seat-1-1'],
        },
      ])
    })
  }

  test('an expired booking is delivered within 10 seconds', async ({ assert }) => {
    const event = await anEvent()
    const { client, receiver } = await aListener([event], { settings: { holdSeconds: 1 } })

    const delays = await together(8, async (nth) => {
      // One after the other, so that they meet the sweep at any moment of its turn.
      await sleep(nth * 700)
      const { data: booking } = await book(client, event.id, [`seat-2-${nth + 1}`])
      await receiver.hasPrinted(({ news }) => news.booking_id === booking.booking_id)
      const arrivedAt = await databaseClock()
      return arrivedAt - Date.parse(booking.expires_at)
    })

    assert.isAtLeast(Math.min(...delays), 0)
    assert.isAtMost(Math.max(...delays), EXPIRY_WITHIN_MS)
  })

  test('a change of an event is delivered within 5 seconds, also one made by the clock', async ({
    assert,
  }) => {
    const changes: ((event: EventRef, partner: TestPartner) => Promise<unknown>)[] = [
      (event) => changeStatus(event, 'pause'),
      (event) => changeStatus(event, 'close'),
      (event) => reschedule(event, '2035-02-01T14:00:00Z'),
      (event) => lowerPrice(event, 100),
      (event, partner) => grant(partner, event, 'revoked'),
      (event) => cancelEvent(event),
    ]
    const events = await together(changes.length, () => anEvent())
    const opensAt = Date.now() + 4_000
    const [opening, closing] = await Promise.all([
      anEvent({ status: 'sales_scheduled', salesStartAt: new Date(opensAt) }),
      anEvent({ startsAt: new Date(opensAt) }),
    ])
    const { partner, receiver } = await aListener([...events, opening, closing])
    const delayOf = async (event: EventRef, since: number) => {
      await receiver.hasPrinted(isAbout(event))
      const arrivedAt = await databaseClock()
      return arrivedAt - since
    }

    const delays = await together(changes.length, async (nth) => {
      await sleep(nth * 350)
      const began = await databaseClock()
      await changes[nth](events[nth], partner)
      return delayOf(events[nth], began)
    })
    const byClock = await Promise.all([delayOf(opening, opensAt), delayOf(closing, opensAt)])

    assert.isAtLeast(Math.min(...byClock), 0)
    assert.isAtMost(Math.max(...delays, ...byClock), CHANGE_WITHIN_MS)
  })

  test('the feed has a change when its webhook arrives, and polling alone shows every change', async ({
    assert,
  }) => {
    const events = await together(3, () => anEvent())
    const { partner, client, receiver } = await aListener(events)
    const looks = new Map<string, Look>()

    const follow = async (event: EventRef) => {
      let look: Look = { status: 'sales_open', access: 'active', price_from_tenge: 5000 }
      for (let nth = 1; nth <= CHANGES; nth++) {
        const { json } = await client.get('/events')
        if (nth < CHANGES) look = await changeAtRandom(partner, event, look)
        else look = await cancelEvent(event).then(() => ({ ...look, status: 'cancelled' }))
        await receiver.hasPrinted(isAbout(event), nth)
        const { data } = await changedSince(client, json.meta.cursor)
        assert.containsSubset(data, [{ event_id: event.id, ...look }])
      }
      looks.set(event.id, look)
    }
    const known = await knownByPolling(client, () => Promise.all(events.map(follow)))

    assert.lengthOf(receiver.printed, events.length * CHANGES)
    for (const { id } of events) assert.containsSubset(known.get(id), looks.get(id)!)
  })
})
