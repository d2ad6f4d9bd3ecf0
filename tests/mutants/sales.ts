import type { Mutant } from '../../dev/mutation/mutant.ts'

const lockOrder = ['tests/functional/races/lock_order.spec.ts']
const holdSeats = 'app/sales/hold_seats/hold_seats_sql.ts'
const placeOrder = 'app/sales/place_order/place_order_sql.ts'
const payOrder = 'app/sales/confirm_order/pay_order_sql.ts'
const cancelOrder = 'app/sales/cancel_order/cancel_order_sql.ts'
const cancelEvent = 'app/sales/cancel_event/cancel_event.ts'
const voidTickets = 'app/sales/void_tickets/void_tickets.ts'
const storefront = 'app/inventory/actions/storefront.ts'

const inIdOrder = 'ORDER BY s.id FOR NO KEY UPDATE OF s'
const backwards = 'ORDER BY s.id DESC FOR NO KEY UPDATE OF s'
const anyOrder = 'ORDER BY random() FOR NO KEY UPDATE OF s'

const api = (...names: string[]) =>
  names.map((name) => `tests/functional/partner_api/${name}.spec.ts`)
const races = (...names: string[]) => names.map((name) => `tests/functional/races/${name}.spec.ts`)

export default [
  {
    name: 'a booking locks its seats in any order',
    file: holdSeats,
    find: inIdOrder,
    replace: anyOrder,
    specs: lockOrder,
  },
  {
    name: 'a booking locks its seats backwards',
    file: holdSeats,
    find: inIdOrder,
    replace: backwards,
    specs: lockOrder,
  },
  {
    name: 'an order locks its seats backwards',
    file: placeOrder,
    find: inIdOrder,
    replace: backwards,
    specs: lockOrder,
  },
  {
    name: 'a confirm locks its seats backwards',
    file: payOrder,
    find: inIdOrder,
    replace: backwards,
    specs: lockOrder,
  },
  {
    name: 'a cancellation locks its seats backwards',
    file: cancelOrder,
    find: inIdOrder,
    replace: backwards,
    specs: lockOrder,
  },
  {
    name: 'a refund locks its seats backwards',
    file: voidTickets,
    find: 'WHERE id = ANY(:seatIds::bigint[]) ORDER BY id FOR NO KEY UPDATE',
    replace: 'WHERE id = ANY(:seatIds::bigint[]) ORDER BY id DESC FOR NO KEY UPDATE',
    specs: lockOrder,
  },
  {
    name: 'the box office locks seats backwards to hold them',
    file: storefront,
    find: 'space_id = ANY(:seats::text[]) ORDER BY id FOR',
    replace: 'space_id = ANY(:seats::text[]) ORDER BY id DESC FOR',
    specs: lockOrder,
  },
  {
    name: 'the box office locks seats backwards to sell them',
    file: storefront,
    find: "state = 'free' ORDER BY id FOR",
    replace: "state = 'free' ORDER BY id DESC FOR",
    specs: lockOrder,
  },
  {
    name: 'a cancellation frees seats that another booking holds',
    file: cancelOrder,
    find: "AND s.held_by = o.booking_id AND s.state = 'free'",
    replace: "AND s.state = 'free'",
    specs: lockOrder,
  },
  {
    name: 'a ticket that the platform took back counts as refunded',
    file: voidTickets,
    find: "void_cause IS DISTINCT FROM 'refund')",
    replace: "status <> 'void')",
    specs: ['tests/functional/partner_api/refund_order.spec.ts'],
  },
  {
    name: 'a cancellation of an event reads tickets without locking them',
    file: cancelEvent,
    find: 'ORDER BY t.id FOR UPDATE OF t)',
    replace: 'ORDER BY t.id)',
    specs: lockOrder,
  },
  {
    name: 'the box office sells a cart whose hold has run out',
    file: storefront,
    find: 'if (seats.length === 0 || !seats.every((seat) => seat.is_held))',
    replace: 'if (seats.length === 0)',
    specs: ['tests/functional/back_office/seat_plan.spec.ts'],
  },
  {
    name: 'the box office sells a cart of which one hold has run out',
    file: storefront,
    find: '!seats.every((seat) => seat.is_held)',
    replace: '!seats.some((seat) => seat.is_held)',
    specs: ['tests/functional/back_office/seat_plan.spec.ts'],
  },
  {
    name: 'a booking has more seats than the event allows',
    file: holdSeats,
    find: '\n        AND cardinality(:seats::text[]) <= gate.max_seats',
    replace: '',
    specs: api('create_booking'),
  },
  {
    name: 'a partner without a grant books',
    file: holdSeats,
    find: "AND gate.access = 'active' ",
    replace: '',
    specs: [...api('create_booking'), ...races('rights')],
  },
  {
    name: 'a suspended partner books',
    file: holdSeats,
    find: ' AND NOT gate.is_suspended',
    replace: '',
    specs: [...api('create_booking'), ...races('rights')],
  },
  {
    name: 'a seat without a price is booked',
    file: holdSeats,
    find: 's.price_tenge IS NOT NULL\n              AND seat_status',
    replace: 'seat_status',
    specs: api('create_booking'),
  },
  {
    name: 'some of the seats are booked',
    file: holdSeats,
    find: 'count(*) FILTER (WHERE is_sellable) = cardinality',
    replace: 'count(*) FILTER (WHERE is_sellable) <= cardinality',
    specs: api('create_booking'),
  },
  {
    name: 'an order of an expired booking is placed',
    file: placeOrder,
    find: ' AND b.expires_at > clock.at',
    replace: '',
    specs: api('create_order'),
  },
  {
    name: 'an order of another partner’s booking is placed',
    file: placeOrder,
    find: '\n      WHERE asked.partner_id = :partnerId),',
    replace: '),',
    specs: api('create_order'),
  },
  {
    name: 'an order does not move the hold of its seats',
    file: placeOrder,
    find: 'SET hold_until = placed.window_ends_at',
    replace: 'SET hold_until = s.hold_until',
    specs: api('create_order'),
  },
  {
    name: 'a confirm is judged by the moment of its payment',
    file: payOrder,
    find: 'o.window_ends_at > :receivedAt::timestamptz',
    replace: 'o.window_ends_at > clock_timestamp()',
    specs: [...api('confirm_order'), ...races('orders', 'events_and_sales')],
  },
  {
    name: 'a confirm without all of its seats pays',
    file: payOrder,
    find: ' AND (SELECT count(*) FROM seats) = cardinality(:eventSeatIds::bigint[])',
    replace: '',
    specs: lockOrder,
  },
  {
    name: 'a confirm of a cancelled event pays',
    file: payOrder,
    find: " AND gate.status <> 'cancelled'",
    replace: '',
    specs: [...api('confirm_order'), ...races('events_and_sales')],
  },
  {
    name: 'a confirm does not mark its seats as sold',
    file: payOrder,
    find: "SET state = 'sold', hold_until = NULL",
    replace: 'SET hold_until = NULL',
    specs: api('confirm_order'),
  },
  {
    name: 'an order whose window is over is cancelled',
    file: cancelOrder,
    find: ' AND o.window_ends_at > clock_timestamp()',
    replace: '',
    specs: [...api('cancel_order'), ...races('orders')],
  },
  {
    name: 'a partner cancels the order of another',
    file: cancelOrder,
    find: ' AND o.partner_id = :partnerId',
    replace: '',
    specs: api('cancel_order'),
  },
  {
    name: 'the sweep ends an order at the end of its window',
    file: 'app/sales/expire_overdue/expire_overdue.ts',
    find: "interval '30 seconds'",
    replace: "interval '0 seconds'",
    specs: ['tests/functional/worker/expiry_and_retention.spec.ts', ...races('orders')],
  },
  {
    name: 'the sweep waits for locked bookings',
    file: 'app/sales/expire_overdue/expire_overdue.ts',
    find: 'ORDER BY expires_at LIMIT :limit FOR UPDATE SKIP LOCKED',
    replace: 'ORDER BY expires_at LIMIT :limit FOR UPDATE',
    specs: ['tests/functional/worker/expiry_and_retention.spec.ts'],
  },
  {
    name: 'a partner refunds the tickets of another',
    file: voidTickets,
    find: 'WHERE id = :orderId AND partner_id = :partnerId FOR NO KEY UPDATE',
    replace: 'WHERE id = :orderId FOR NO KEY UPDATE',
    specs: api('refund_order'),
  },
  {
    name: 'a void ticket is refunded again for another reason',
    file: voidTickets,
    find: ' && ticket.void_reason === reason)',
    replace: ')',
    specs: api('refund_order'),
  },
  {
    name: 'a ticket of a past event is refunded',
    file: voidTickets,
    find: "CASE WHEN t.status = 'active' AND e.ends_at <= clock_timestamp() THEN 'expired' ELSE t.status END",
    replace: 't.status',
    specs: api('refund_order'),
  },
  {
    name: 'tickets are read before they are locked',
    file: voidTickets,
    find: '    await lockTickets({ orderId }, trx)\n',
    replace: '',
    specs: [...api('refund_order'), ...races('orders', 'end_of_event')],
  },
  {
    name: 'an expired request to cancel is approved',
    file: 'app/sales/cancel_event/cancellation_requests_sql.ts',
    find: 'outcome IS NULL AND lapses_at > clock_timestamp() FOR UPDATE',
    replace: 'outcome IS NULL FOR UPDATE',
    specs: ['tests/functional/sales/second_person.spec.ts'],
  },
  {
    name: 'a cancellation leaves open requests open',
    file: 'app/sales/cancel_event/cancel_event.ts',
    find: '  await overtakeRequests({ eventId, actor: actor.name }, trx)\n',
    replace: '',
    specs: ['tests/functional/sales/second_person.spec.ts'],
  },
  {
    name: 'one person cancels an event with sales',
    file: 'app/sales/cancel_event/cancel_event.ts',
    find: "if (sold.is_sold) refuse('SECOND_PERSON_NEEDED')",
    replace: '',
    specs: ['tests/functional/sales/second_person.spec.ts'],
  },
  {
    name: 'the box office sells without looking at the event',
    file: 'app/inventory/actions/storefront.ts',
    find: '      await assertOpen(eventId, trx)\n      const seats = await lockCart',
    replace: '      const seats = await lockCart',
    specs: races('events_and_sales', 'model'),
  },
  {
    name: 'a partner reads the order of another',
    file: 'app/sales/queries/find_order.ts',
    find: 'WHERE o.partner_id = :partnerId AND o.id = :orderId',
    replace: 'WHERE o.id = :orderId AND :partnerId::int IS NOT NULL',
    specs: api('find_order', 'cancel_order', 'confirm_order', 'refund_order'),
  },
  {
    name: 'a partner reads the order of another by its key',
    file: 'app/sales/queries/find_order.ts',
    find: 'WHERE o.partner_id = :partnerId AND o.partner_order_id',
    replace: 'WHERE :partnerId::int IS NOT NULL AND o.partner_order_id',
    specs: api('find_order'),
  },
  {
    name: 'an order is confirmed with another amount',
    file: 'app/sales/confirm_order/confirm_order.ts',
    find: 'if (amountTenge !== order.total_tenge) {',
    replace: 'if (amountTenge < order.total_tenge) {',
    specs: api('confirm_order'),
  },
  {
    name: 'a repeated booking with other seats is answered',
    file: 'app/sales/same_request.ts',
    find: 'if (inOrder(stored.seats) !== inOrder(received.seats)) {',
    replace: 'if (stored.seats.length !== received.seats.length) {',
    specs: api('create_booking'),
  },
  {
    name: 'a repeated order for another buyer is answered',
    file: 'app/sales/same_request.ts',
    find: "assertSame('booking_id', stored.bookingId, received.bookingId)\n  assertSameCustomer(stored.customer, received.customer)",
    replace: "assertSame('booking_id', stored.bookingId, received.bookingId)",
    specs: api('create_order'),
  },
  {
    name: 'the limit of seats is refused one seat early',
    file: 'app/sales/hold_seats/hold_seats.ts',
    find: 'if (seats.length > limit)',
    replace: 'if (seats.length >= limit)',
    specs: ['tests/functional/partner_api/create_booking.spec.ts'],
  },
  {
    name: 'orders are counted in turn only at the cap itself',
    file: 'app/sales/place_order/place_order.ts',
    find: 'pendingOrders - 2 * requestsInFlight',
    replace: 'pendingOrders',
    specs: ['tests/functional/races/repeated_requests.spec.ts'],
  },
] satisfies Mutant[]
