import { aPartner, anEvent, book, grant, order, sell } from '#tests/support/fixtures'
import { confirm, findOrder } from '#tests/support/operations'
import { PartnerClient } from '#tests/support/partner_client'
import { test } from '@japa/runner'
import { outcomeOf, sleep } from './support/crowd.js'
import { aGate } from './support/gates.js'
import { rows } from './support/sql.js'
import { WebProcess } from './support/web_process.js'

const OPENS_AFTER_MS = 1_500
const STARTS_AFTER_MS = 6_000
const LASTS_MS = 500

/** What the rows say, which nobody has swept. */
const storedOf = (eventId: string) =>
  rows(
    `SELECT e.stored_status AS event, b.stored_status AS booking, o.stored_status AS "order", t.status AS ticket
       FROM events e JOIN bookings b ON b.event_id = e.id
       LEFT JOIN orders o ON o.booking_id = b.id LEFT JOIN tickets t ON t.order_id = o.id
      WHERE e.id = $1 ORDER BY b.id`,
    [eventId]
  )

test.group('A web process without a worker', (group) => {
  let web: WebProcess
  group.setup(async () => {
    web = await WebProcess.start()
  })
  group.teardown(async () => {
    await web.stop()
  })

  /** An event that begins in seconds, and two partners at the web process that may sell it. */
  async function aShortEvent() {
    const opensAt = Date.now() + OPENS_AFTER_MS
    const startsAt = Date.now() + STARTS_AFTER_MS
    const event = await anEvent({
      status: 'sales_scheduled',
      salesStartAt: new Date(opensAt),
      startsAt: new Date(startsAt),
      endsAt: new Date(startsAt + LASTS_MS),
    })
    const join = async (holdSeconds: number) => {
      const partner = await aPartner({ holdSeconds, paymentWindowSeconds: 1 })
      await grant(partner, event)
      return new PartnerClient(partner.client.credentials, web.url)
    }
    return { event, opensAt, startsAt, quick: await join(1), other: await join(60) }
  }

  test('follows the clock from the opening of sales to the end of the event', async ({
    assert,
  }) => {
    const { event, opensAt, startsAt, quick, other } = await aShortEvent()
    const statusShown = async () => {
      const { data } = await quick.get(`/events/${event.id}`)
      return data.status as string
    }
    const tryToBook = async (client: PartnerClient, seat: string) =>
      outcomeOf(await book(client, event.id, [seat]))
    const past = (instant: number) => sleep(instant + 50 - Date.now())

    // Before its sales open.
    assert.equal(await statusShown(), 'sales_scheduled')
    assert.equal(await tryToBook(quick, 'seat-1-1'), '409 SALES_NOT_OPEN')

    await past(opensAt)
    assert.equal(await statusShown(), 'sales_open')
    const sold = await sell(other, event.id, ['seat-1-3'])
    assert.equal(await tryToBook(quick, 'seat-1-1'), '201')
    const booking = await book(quick, event.id, ['seat-1-2'])
    const placed = await order(quick, booking.data.booking_id)
    assert.equal(await tryToBook(other, 'seat-1-1'), '409 SEATS_NOT_AVAILABLE')

    // The hold and the window of payment are over.
    await past(Date.parse(placed.data.expires_at))
    assert.equal(await tryToBook(other, 'seat-1-1'), '201')
    assert.equal(await tryToBook(other, 'seat-1-2'), '201')
    const read = await findOrder(quick, placed.data.partner_order_id)
    assert.equal(read.data.status, 'expired')
    const late = await confirm(quick, placed.data.order_id)
    assert.equal(outcomeOf(late), '409 ORDER_EXPIRED')

    await past(startsAt)
    assert.equal(await statusShown(), 'sales_closed')
    assert.equal(await tryToBook(other, 'seat-1-4'), '409 SALES_NOT_OPEN')

    await past(startsAt + LASTS_MS)
    const gate = await aGate()
    const scan = await gate.scan(event.id, sold.tickets[0].qr_token)
    assert.equal(outcomeOf(scan), '409 TICKET_EXPIRED')
    const { data: own } = await findOrder(other, sold.partner_order_id)
    assert.equal(own.tickets[0].status, 'expired')

    // Nothing of it was written down.
    const active = { event: 'sales_scheduled', booking: 'active', order: null, ticket: null }
    assert.deepEqual(await storedOf(event.id), [
      { ...active, booking: 'converted', order: 'paid', ticket: 'active' },
      active,
      { ...active, booking: 'converted', order: 'pending' },
      active,
      active,
    ])
  }).timeout(30_000)
})
