import { sqlRules } from '#invariants/invariant'
import {
  ALL_ORDERS,
  CHANGED_ORDERS,
  JOURNAL_BEGINS,
  SINCE_PLACED,
} from '#invariants/rules/changed_orders'

/** What an order is worth by its booking, its seats, its tickets and its payment. */
export const findWrongTotals = sqlRules('totals', {
  all: ALL_ORDERS,
  changed: CHANGED_ORDERS,
  counterexamples: `
    SELECT * FROM (
      SELECT CASE WHEN o.total_tenge <> b.total_tenge OR o.total_tenge <> seats.tenge THEN 'TOTAL_NE_SEATS'
                  WHEN tickets.count > 0 AND tickets.tenge <> o.total_tenge THEN 'TOTAL_NE_TICKETS'
                  WHEN o.confirmed_at IS NOT NULL AND o.payment_amount_tenge IS DISTINCT FROM o.total_tenge
                  THEN 'PAID_AMOUNT_NE_TOTAL' END AS code,
             'order' AS kind, o.id::text AS id, o.id::text AS label
        FROM looked JOIN orders o ON o.id = looked.id JOIN bookings b ON b.id = o.booking_id,
             LATERAL (SELECT coalesce(sum(price_tenge), 0) AS tenge FROM booking_seats WHERE booking_id = b.id) seats,
             LATERAL (SELECT count(*), sum(price_tenge) AS tenge FROM tickets WHERE order_id = o.id) tickets) judged
     WHERE code IS NOT NULL`,
})

const entry = (name: string) =>
  `EXISTS (SELECT 1 FROM journal j WHERE j.order_id = o.id AND ${SINCE_PLACED} AND j.name = '${name}')`

/** Every order has an entry for each step that it took, and for each ticket that was admitted or refunded. */
export const findMissingEntries = sqlRules('journal', {
  all: ALL_ORDERS,
  changed: CHANGED_ORDERS,
  counterexamples: `
    SELECT * FROM (
      SELECT CASE WHEN NOT ${entry('order_placed')} THEN 'NO_ENTRY_OF_PLACING'
                  WHEN o.confirmed_at IS NOT NULL AND NOT ${entry('order_confirmed')} THEN 'NO_ENTRY_OF_CONFIRM'
                  WHEN o.stored_status = 'cancelled' AND NOT ${entry('order_cancelled')} THEN 'NO_ENTRY_OF_CANCELLATION'
                  WHEN o.stored_status = 'expired' AND NOT ${entry('order_expired')} THEN 'NO_ENTRY_OF_EXPIRY'
                  WHEN tickets.refunded > 0 AND NOT ${entry('tickets_refunded')} THEN 'NO_ENTRY_OF_REFUND'
                  WHEN tickets.admitted > (SELECT count(DISTINCT j.change ->> 'ticket_id') FROM journal j
                                            WHERE j.order_id = o.id AND ${SINCE_PLACED} AND j.name = 'ticket_admitted')
                  THEN 'NO_ENTRY_OF_ADMISSION' END AS code,
             'order' AS kind, o.id::text AS id, o.id::text AS label
        FROM looked JOIN orders o ON o.id = looked.id,
             LATERAL (SELECT count(*) FILTER (WHERE void_cause = 'refund') AS refunded,
                             count(*) FILTER (WHERE used_at IS NOT NULL) AS admitted
                        FROM tickets WHERE order_id = o.id) tickets
       WHERE o.created_at >= ${JOURNAL_BEGINS}) judged
     WHERE code IS NOT NULL`,
})
