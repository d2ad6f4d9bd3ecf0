import type {
  CaseOrder,
  ConfirmAttempt,
  TrailEntry,
  TrailKind,
  VoidedTickets,
} from '#finance/cases/cases_props'
import type { WithDates } from '#staff_area/page_props'
import { orderStatus } from '#sales/order_status'
import { someOrders } from '#sales/queries/one_order'
import { statement } from '#shared/statement'
import { sumNumbers } from '#shared/sums'

type OrderRow = WithDates<
  CaseOrder,
  'createdAt' | 'windowEndsAt' | 'confirmedAt' | 'cancelledAt' | 'eventCancelledAt'
>
type AttemptRow = WithDates<ConfirmAttempt, 'at' | 'paidAt'>
type Moment = WithDates<TrailEntry, 'at' | 'paidAt'>

interface TrailOf {
  partnerId: number
  orderIds: string[]
}

// A seat was resold when another order has a live ticket for it, or the platform's own counter sold it, which issues no ticket.
const selectOrders = statement<OrderRow, TrailOf>(
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
const selectAttempts = statement<AttemptRow, TrailOf>(
  'back_office_case_attempts',
  `SELECT received_at AS at, order_id_sent AS "orderId", request_id AS "requestId", http_status AS "httpStatus", code,
          amount_tenge::float8 AS "amountTenge", amount_raw AS "amountRaw", external_payment_id AS "paymentId",
          paid_at_raw AS "paidAtRaw", paid_at AS "paidAt", timestamp_sent AS "timestampSent"
     FROM (SELECT * FROM confirm_attempts WHERE order_id_sent = ANY(:orderIds::text[]) AND (signature_valid OR http_status = 401) OFFSET 0) a
    WHERE partner_id = :partnerId ORDER BY id LIMIT 500`
)
const selectVoids = statement<WithDates<VoidedTickets, 'at'>, TrailOf>(
  'back_office_case_voids',
  `SELECT t.voided_at AS at, t.order_id AS "orderId", t.void_cause AS cause, count(*)::int AS tickets,
          sum(t.price_tenge)::float8 AS "amountTenge"
     FROM ${someOrders(':orderIds')} JOIN tickets t ON t.order_id = o.id AND t.status = 'void'
    WHERE o.partner_id = :partnerId GROUP BY 1, 2, 3`
)

/** Entries of the same moment are listed in this order. */
const KINDS: TrailKind[] = [
  'order_made',
  'confirm',
  'paid',
  'window_end',
  'cancelled',
  'event_cancelled',
  'void',
]

/** Everything that happened to the orders of a case, the oldest first. */
export async function readTrail(partnerId: number, ids: string[]) {
  const asked = { partnerId, orderIds: ids }
  const [orders, attempts, voids] = await Promise.all([
    selectOrders(asked),
    selectAttempts(asked),
    selectVoids(asked),
  ])
  const moments: Moment[] = [
    ...orders.flatMap(momentsOf),
    ...attempts.map((attempt) => ({ kind: 'confirm' as const, ...attempt })),
    ...voids.map((one) => ({ kind: 'void' as const, ...one })),
  ]
  const trail = moments.toSorted(
    (a, b) => a.at.getTime() - b.at.getTime() || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)
  )
  return { orders, trail, chargedTenge: chargedTenge(attempts) }
}

function momentsOf(order: OrderRow) {
  const { id: orderId, totalTenge: amountTenge, confirmedAt, cancelledAt, eventCancelledAt } = order
  const moments: Moment[] = [
    { kind: 'order_made', at: order.createdAt, orderId, amountTenge },
    { kind: 'window_end', at: order.windowEndsAt, orderId },
  ]
  if (confirmedAt) moments.push({ kind: 'paid', at: confirmedAt, orderId, amountTenge })
  if (cancelledAt) moments.push({ kind: 'cancelled', at: cancelledAt, orderId })
  if (eventCancelledAt) moments.push({ kind: 'event_cancelled', at: eventCancelledAt, orderId })
  return moments
}

/** The sum of all payments that confirms name: repeats of one payment count once, with its largest amount. */
function chargedTenge(attempts: AttemptRow[]) {
  const charged = new Map<string, number>()
  for (const { paymentId, amountTenge } of attempts)
    if (paymentId && amountTenge !== null)
      charged.set(paymentId, Math.max(charged.get(paymentId) ?? 0, amountTenge))
  return sumNumbers(charged.values(), (amountTenge) => amountTenge)
}
