import type {
  OrderFacts,
  OrderPage,
  OrderTicket,
  RefusedPayment,
  TimelineEntry,
} from '#back_office/orders/orders_props'
import { IS_CHARGED_REFUSAL } from '#back_office/orders/charged_refusal'
import { orderStatus } from '#sales/order_status'
import { ticketPdfUrl } from '#tickets/ticket_link'
import { statement } from '#shared/statement'

const selectOrder = statement<OrderFacts, { id: string }>(
  'back_office_order',
  `SELECT o.id, o.partner_id AS "partnerId", o.booking_id AS "bookingId", o.partner_order_id AS "partnerOrderId",
          b.partner_booking_id AS "partnerBookingId", p.code AS partner, p.name AS "partnerName",
          e.id AS "eventId", e.title AS event, e.starts_at AS "eventStartsAt", e.stored_status = 'cancelled' AS "isEventCancelled",
          ${orderStatus('now()')} AS status,
          o.customer, o.buyer_erased_at AS "buyerErasedAt", o.total_tenge::float8 AS "totalTenge", b.created_at AS "bookedAt", o.created_at AS "createdAt",
          o.window_ends_at AS "windowEndsAt", o.confirmed_at AS "confirmedAt", o.cancelled_at AS "cancelledAt",
          o.payment_amount_tenge::float8 AS "paymentTenge", o.payment_paid_at AS "paidAt", o.payment_paid_at_raw AS "paidAtRaw",
          o.payment_external_id AS "paymentId", o.payment_method AS "paymentMethod"
     FROM orders o JOIN bookings b ON b.id = o.booking_id JOIN partners p ON p.id = o.partner_id
     JOIN events e ON e.id = o.event_id
    WHERE o.id = :id`
)
const selectTickets = statement<Omit<OrderTicket, 'pdfUrl'>, { id: string }>(
  'back_office_order_tickets',
  `SELECT t.id, t.number, t.price_tenge::float8 AS "priceTenge", bs.space_id AS "spaceId", s.name AS sector,
          r.label AS "row", es.label AS seat, bs.category_code AS category,
          CASE WHEN t.status = 'active' AND e.ends_at <= now() THEN 'expired' ELSE t.status END AS status,
          t.used_at AS "usedAt", t.used_gate AS "usedGate", t.void_cause AS "voidCause", t.void_reason AS "voidReason",
          t.voided_at AS "voidedAt", t.voided_by AS "voidedBy",
          (SELECT live.order_id FROM tickets live
            WHERE live.event_seat_id = bs.event_seat_id AND live.status IN ('active', 'used') AND live.order_id <> o.id) AS "soldIn"
     FROM booking_seats bs JOIN event_seats es ON es.id = bs.event_seat_id
     JOIN sectors s ON s.id = es.sector_id LEFT JOIN hall_rows r ON r.id = es.row_id
     JOIN orders o ON o.booking_id = bs.booking_id JOIN events e ON e.id = o.event_id
     LEFT JOIN tickets t ON t.order_id = o.id AND t.event_seat_id = bs.event_seat_id
    WHERE o.id = :id ORDER BY bs.position`
)
// Nothing happened to an order before its booking: PostgreSQL passes over the months before (ADR 31).
const SINCE_BOOKED = `:bookedAt::timestamptz - interval '1 day'`

const selectRefused = statement<
  RefusedPayment,
  { id: string; partnerId: number; bookedAt: string }
>(
  'back_office_order_refused_payments',
  `SELECT * FROM (
     SELECT DISTINCT ON (c.external_payment_id) c.code, c.received_at AS at, c.amount_tenge::float8 AS tenge, c.external_payment_id AS "paymentId"
       FROM confirm_attempts c JOIN orders o ON o.id = c.order_id_sent
      WHERE c.order_id_sent = :id AND c.partner_id = :partnerId AND c.received_at >= ${SINCE_BOOKED} AND ${IS_CHARGED_REFUSAL}
      ORDER BY c.external_payment_id, c.received_at) payments
    ORDER BY at`
)
const selectSettled = statement<{ isSettled: boolean | null }, { id: string; partnerId: number }>(
  'back_office_order_settled',
  `SELECT bool_and(state IN ('resolved', 'dismissed')) AS "isSettled" FROM settlement_cases
    WHERE order_ids @> ARRAY[:id::text] AND partner_id = :partnerId AND gone_at IS NULL`
)

/** A program may open a link every minute; the newest openings are shown. */
const MOST_OPENINGS = 50

const selectTimeline = statement<
  TimelineEntry,
  { id: string; bookingId: string; partnerId: number; bookedAt: string }
>(
  'back_office_order_timeline',
  `SELECT at, kind, name, actor_kind AS "actorKind", actor, request_id AS "requestId", detail FROM (
     SELECT at, 'journal' AS kind, name, actor_kind::text, actor, request_id, change AS detail
       FROM journal WHERE order_id = :id AND at >= ${SINCE_BOOKED}
     UNION ALL
     SELECT at, 'journal', name, actor_kind::text, actor, request_id, change
       FROM journal WHERE booking_id = :bookingId AND order_id IS NULL AND at >= ${SINCE_BOOKED}
     UNION ALL
     SELECT received_at, 'confirm', coalesce(code, 'OK'), 'partner', NULL, request_id,
            jsonb_build_object('http_status', http_status, 'signature_valid', signature_valid, 'amount', amount_raw,
                               'paid_at', paid_at_raw, 'external_payment_id', external_payment_id)
       FROM confirm_attempts WHERE order_id_sent = :id AND partner_id = :partnerId AND received_at >= ${SINCE_BOOKED}
     UNION ALL
     SELECT a.started_at, 'webhook', coalesce(a.failure, 'delivered'), NULL, NULL, NULL,
            jsonb_build_object('news', j.name, 'webhook_id', d.webhook_id, 'attempt', a.attempt, 'http_status', a.http_status)
       FROM webhook_deliveries d JOIN journal j ON j.id = d.journal_id AND j.at = d.journal_at
       JOIN webhook_attempts a ON a.delivery_id = d.id
      WHERE d.subject = :bookingId AND d.endpoint_id = (SELECT id FROM webhook_endpoints WHERE partner_id = :partnerId)
     UNION ALL
     SELECT s.scanned_at, 'scan', s.verdict, CASE WHEN s.staff_id IS NULL THEN 'gate' ELSE 'staff' END,
            coalesce(g.name, m.email), NULL, jsonb_build_object('ticket', t.number, 'offline_at', s.offline_at)
       FROM tickets t JOIN ticket_scans s ON s.ticket_id = t.id LEFT JOIN gate_devices g ON g.id = s.gate_device_id
       LEFT JOIN staff m ON m.id = s.staff_id
      WHERE t.order_id = :id
     UNION ALL
     (SELECT op.opened_at, 'pdf', 'opened', NULL, NULL, NULL, jsonb_build_object('ticket', t.number)
        FROM tickets t JOIN ticket_openings op ON op.ticket_id = t.id
       WHERE t.order_id = :id ORDER BY op.opened_at DESC LIMIT ${MOST_OPENINGS})
   ) happened ORDER BY at, kind`
)

const withPdf = (ticket: Omit<OrderTicket, 'pdfUrl'>): OrderTicket => ({
  ...ticket,
  pdfUrl: ticket.id === null ? null : ticketPdfUrl(ticket.id),
})

export const findOrderPartner = statement<{ partnerId: number }, { orderId: string }>(
  'back_office_order_partner',
  'SELECT partner_id AS "partnerId" FROM orders WHERE id = :orderId'
)

type FoundOrder = Pick<
  OrderPage,
  'order' | 'tickets' | 'refusedPayments' | 'isSettled' | 'timeline'
>

/** One order with tickets and timeline; undefined when there is no such order. */
export async function readOrder(id: string): Promise<FoundOrder | undefined> {
  const order = await selectOrder.first({ id })
  if (!order) return undefined
  const { partnerId, bookingId, bookedAt } = order
  const [tickets, refusedPayments, { isSettled }, timeline] = await Promise.all([
    selectTickets({ id }),
    selectRefused({ id, partnerId, bookedAt }),
    selectSettled.one({ id, partnerId }),
    selectTimeline({ id, bookingId, partnerId, bookedAt }),
  ])
  return {
    order,
    tickets: tickets.map(withPdf),
    refusedPayments,
    isSettled: isSettled ?? false,
    timeline,
  }
}
