import { aSale, grant, paymentOf, sell, type TestPartner } from '#tests/support/fixtures'
import { bookingBody, aBooking, orderBody } from '#tests/support/operations'
import type { PartnerClient } from '#tests/support/partner_client'
import { rows } from '#tests/support/rows'
import { newId } from '#shared/public_id'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'

interface Ids {
  event: string
  booking: string
  order: string
  ticket: string
  partnerOrder: string
}

/** Each operation that names something, asked about what `ids` name. A new operation needs a line here or below. */
const ASK: Record<string, (client: PartnerClient, ids: Ids) => ReturnType<PartnerClient['get']>> = {
  'partner_api.get_event': (client, { event }) => client.get(`/events/${event}`),
  'partner_api.list_seats': (client, { event }) => client.get(`/events/${event}/seats`),
  'partner_api.create_booking': (client, { event }) => client.post('/bookings', bookingBody(event)),
  'partner_api.create_order': (client, { booking }) => client.post('/orders', orderBody(booking)),
  'partner_api.find_order': (client, { partnerOrder }) =>
    client.get(`/orders?partner_order_id=${partnerOrder}`),
  'partner_api.confirm_order': (client, { order }) =>
    client.post(`/orders/${order}/confirm`, paymentOf(12_000)),
  'partner_api.cancel_order': (client, { order }) => client.post(`/orders/${order}/cancel`),
  'partner_api.refund_order': (client, { order, ticket }) =>
    client.post(`/orders/${order}/refund`, { ticket_ids: [ticket], reason: 'нет' }),
}

/** The contract answers 403 for an event that exists and may not be sold; its rows stay as they are all the same. */
const REFUSES_EVENT = [
  'partner_api.get_event',
  'partner_api.list_seats',
  'partner_api.create_booking',
]
const NAMES_NOTHING = [
  'partner_api.list_events',
  'partner_api.root',
  'partner_api.fallback',
  // Public: the description, and the keys that verify tickets at the door.
  'partner_api.public.get_description',
  'partner_api.public.get_event_keys',
]

const unknown = (): Ids => ({
  event: newId('evt'),
  booking: newId('bkg'),
  order: 'TIX-20260101-999999',
  ticket: newId('tkt'),
  partnerOrder: 'no-such-order',
})

/** What a partner has sold, with everything that its ids name. */
async function whatAnotherHas() {
  const { client, event, booking, partner } = await aBooking()
  const paid = await sell(client, event.id, ['seat-1-1'])
  return {
    partner,
    event,
    ids: {
      event: event.id,
      booking: booking.booking_id as string,
      order: paid.order_id as string,
      ticket: paid.tickets[0].ticket_id as string,
      partnerOrder: paid.partner_order_id as string,
    },
  }
}

/** The rows that a request with somebody else's ids could have changed. */
async function stateOf(partner: TestPartner) {
  const [{ state }] = await rows(
    `SELECT jsonb_build_object(
       'orders', (SELECT jsonb_agg(o ORDER BY o.id) FROM orders o WHERE o.partner_id = p.id),
       'bookings', (SELECT jsonb_agg(b ORDER BY b.id) FROM bookings b WHERE b.partner_id = p.id),
       'tickets', (SELECT jsonb_agg(t ORDER BY t.id) FROM tickets t JOIN orders o ON o.id = t.order_id WHERE o.partner_id = p.id),
       'attempts', (SELECT count(*) FROM confirm_attempts a WHERE a.partner_id = p.id),
       'journal', (SELECT count(*) FROM journal j WHERE j.partner_id = p.id)) AS state
     FROM partners p WHERE p.id = ?`,
    partner.id
  )
  return state
}

test.group('Ids of another partner', () => {
  test('every operation is asked with them', ({ assert }) => {
    const routes = Object.values(router.toJSON()).flat()
    const operations = routes.filter(({ pattern }) => pattern.startsWith('/api/v1/partners'))
    assert.sameMembers(
      operations.map(({ name }) => name!),
      [...Object.keys(ASK), ...NAMES_NOTHING]
    )
  })

  for (const isShared of [false, true])
    test(`{$self} answers them as unknown ones${isShared ? ' when both sell the event' : ''}`)
      .with(Object.keys(ASK).filter((operation) => !REFUSES_EVENT.includes(operation)))
      .run(async ({ assert }, operation) => {
        const other = await whatAnotherHas()
        const { client, partner } = await aSale()
        if (isShared) await grant(partner, other.event)
        const before = await stateOf(other.partner)

        const asked = await ASK[operation](client, other.ids)
        const expected = await ASK[operation](client, unknown())

        assert.equal(asked.status, expected.status)
        assert.deepEqual(asked.json, expected.json)
        assert.deepEqual(await stateOf(other.partner), before)
      })

  test('{$self} is refused for an event that it may not sell')
    .with(REFUSES_EVENT)
    .run(async ({ assert }, operation) => {
      const other = await whatAnotherHas()
      const { client } = await aSale()
      const before = await stateOf(other.partner)

      const { status, error } = await ASK[operation](client, other.ids)

      assert.deepEqual([status, error.code], [403, 'ACCESS_DENIED'])
      assert.deepEqual(await stateOf(other.partner), before)
    })

  test('a refund of the own order does not void a ticket of another partner', async ({
    assert,
  }) => {
    const other = await whatAnotherHas()
    const { client, event } = await aSale()
    const own = await sell(client, event.id, ['seat-1-1'])
    const before = await stateOf(other.partner)
    const refund = ASK['partner_api.refund_order']

    const asked = await refund(client, { ...other.ids, order: own.order_id })
    const expected = await refund(client, { ...unknown(), order: own.order_id })

    assert.isAtLeast(asked.status, 400)
    assert.equal(asked.status, expected.status)
    assert.equal(asked.error.code, expected.error.code)
    assert.deepEqual(await stateOf(other.partner), before)
  })

  test('events of another partner are not listed', async ({ assert }) => {
    const other = await whatAnotherHas()
    const { client, event } = await aSale()
    const { data } = await client.get('/events')
    const listed = data.map(({ event_id: id }: { event_id: string }) => id)
    assert.include(listed, event.id)
    assert.notInclude(listed, other.event.id)
  })
})
