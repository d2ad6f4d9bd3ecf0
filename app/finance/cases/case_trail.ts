import { orderStatus } from '#sales/order_status'
import { someOrders } from '#sales/queries/one_order'
import { statement } from '#shared/statement'

interface CaseOrder {
  id: string
  status: string
  totalTenge: number
  event: { ru: string; kk?: string; en?: string }
  eventId: string
  createdAt: Date
  windowEndsAt: Date
  confirmedAt: Date | null
  cancelledAt: Date | null
  paymentId: string | null
  seats: number
  /** Seats of an order without tickets that somebody else has bought since. */
  resoldSeats: number
}

interface TrailOf {
  partnerId: number
  orderIds: string[]
}

// Sold to another order that has a live ticket, or at the platform's own counter, which gives none.
const selectOrders = statement<CaseOrder & { eventCancelledAt: Date | null }, TrailOf>(
  'back_office_case_orders',
  `SELECT o.id, ${orderStatus('now()')} AS status, o.total_tenge::float8 AS "totalTenge", e.title AS event, e.id AS "eventId",
          o.created_at AS "createdAt", o.window_ends_at AS "windowEndsAt", o.confirmed_at AS "confirmedAt",
          o.cancelled_at AS "cancelledAt", o.payment_external_id AS "paymentId", e.cancelled_at AS "eventCancelledAt",
          seats.n AS seats, CASE WHEN o.confirmed_at IS NULL THEN seats.resold ELSE 0 END AS "resoldSeats"
     FROM ${someOrders(':orderIds')} JOIN events e ON e.id = o.event_id,
          LATERAL (SELECT count(*)::int AS n,
                          count(*) FILTER (WHERE t.order_id <> ALL (:orderIds::text[])
                             OR (t.id IS NULL AND s.state = 'sold' AND s.held_by <> o.booking_id))::int AS resold
                     FROM booking_seats b JOIN event_seats s ON s.id = b.event_seat_id
                     LEFT JOIN tickets t ON t.event_seat_id = s.id AND t.status IN ('active', 'used')
                    WHERE b.booking_id = o.booking_id) seats
    WHERE o.partner_id = :partnerId ORDER BY o.created_at, o.id`
)
const selectAttempts = statement<
  {
    at: Date
    orderId: string
    requestId: string
    paidAt: Date | null
    amountTenge: number | null
    paymentId: string | null
  },
  TrailOf
>(
  'back_office_case_attempts',
  `SELECT received_at AS at, order_id_sent AS "orderId", request_id AS "requestId", http_status AS "httpStatus", code,
          amount_tenge::float8 AS "amountTenge", amount_raw AS "amountRaw", external_payment_id AS "paymentId",
          paid_at_raw AS "paidAtRaw", paid_at AS "paidAt", timestamp_sent AS "timestampSent"
     FROM (SELECT * FROM confirm_attempts WHERE order_id_sent = ANY(:orderIds::text[]) AND (signature_valid OR http_status = 401) OFFSET 0) a
    WHERE partner_id = :partnerId ORDER BY id LIMIT 500`
)
const selectVoids = statement<{ at: Date; orderId: string }, TrailOf>(
  'back_office_case_voids',
  `SELECT t.voided_at AS at, t.order_id AS "orderId", t.void_cause AS cause, count(*)::int AS tickets,
          sum(t.price_tenge)::float8 AS "amountTenge"
     FROM ${someOrders(':orderIds')} JOIN tickets t ON t.order_id = o.id AND t.status = 'void'
    WHERE o.partner_id = :partnerId GROUP BY 1, 2, 3`
)

/** What is told of one moment is told in this order. */
const KINDS = [
  'order_made',
  'confirm',
  'paid',
  'window_end',
  'cancelled',
  'event_cancelled',
  'void',
]

/** Everything that has happened to the orders of a case, in one order of time. */
export async function readTrail(partnerId: number, ids: string[]) {
  const asked = { partnerId, orderIds: ids }
  const [orders, attempts, voids] = await Promise.all([
    selectOrders(asked),
    selectAttempts(asked),
    selectVoids(asked),
  ])
  const trail = [
    ...orders.flatMap(momentsOf),
    ...attempts.map((attempt) => ({ kind: 'confirm', ...attempt })),
    ...voids.map((one) => ({ kind: 'void', ...one })),
  ].toSorted(
    (a, b) => a.at.getTime() - b.at.getTime() || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)
  )
  return { orders, trail, chargedTenge: chargedTenge(attempts) }
}

function momentsOf(order: CaseOrder & { eventCancelledAt: Date | null }) {
  const { id: orderId, totalTenge: amountTenge, confirmedAt, cancelledAt, eventCancelledAt } = order
  return [
    { kind: 'order_made', at: order.createdAt, orderId, amountTenge },
    { kind: 'window_end', at: order.windowEndsAt, orderId },
    ...(confirmedAt ? [{ kind: 'paid', at: confirmedAt, orderId, amountTenge }] : []),
    ...(cancelledAt ? [{ kind: 'cancelled', at: cancelledAt, orderId }] : []),
    ...(eventCancelledAt ? [{ kind: 'event_cancelled', at: eventCancelledAt, orderId }] : []),
  ]
}

/** Repeats of a confirm are the same money. */
function chargedTenge(attempts: { amountTenge: number | null; paymentId: string | null }[]) {
  const charged = new Map<string, number>()
  for (const { paymentId, amountTenge } of attempts)
    if (paymentId && amountTenge !== null)
      charged.set(paymentId, Math.max(charged.get(paymentId) ?? 0, amountTenge))
  return [...charged.values()].reduce((sum, one) => sum + one, 0)
}
