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
] satisfies Mutant[]
