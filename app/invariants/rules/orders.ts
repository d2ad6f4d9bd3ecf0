import { sqlRules, type SqlRule } from '#invariants/invariant'
import {
  ALL_ORDERS,
  CHANGED_ORDERS,
  JOURNAL_BEGINS,
  NAMED_TICKETS,
  SINCE_PLACED,
} from '#invariants/rules/changed_orders'

/** What an order is worth by its booking, its seats, its tickets and its payment. */
export const findWrongTotals = sqlRules('totals', {
  all: ALL_ORDERS,
  changed: CHANGED_ORDERS,
  counterexamples: `
    SELECT * FROM (
      SELECT CASE WHEN o.total_tenge IS DISTINCT FROM b.total_tenge OR o.total_tenge <> seats.tenge THEN 'TOTAL_NE_SEATS'
                  WHEN tickets.count > 0 AND tickets.tenge <> o.total_tenge THEN 'TOTAL_NE_TICKETS'
                  WHEN o.confirmed_at IS NOT NULL AND o.payment_amount_tenge IS DISTINCT FROM o.total_tenge
                  THEN 'PAID_AMOUNT_NE_TOTAL' END AS code,
             'order' AS kind, o.id::text AS id, o.id::text AS label
        FROM looked JOIN orders o ON o.id = looked.id LEFT JOIN bookings b ON b.id = o.booking_id,
             LATERAL (SELECT coalesce(sum(price_tenge), 0) AS tenge FROM booking_seats WHERE booking_id = b.id) seats,
             LATERAL (SELECT count(*), sum(price_tenge) AS tenge FROM tickets WHERE order_id = o.id) tickets) judged
     WHERE code IS NOT NULL`,
})

const noEntry = (name: string) => `'${name}' <> ALL (entries.names)`

const STEPS_OF_ORDERS: SqlRule = {
  all: ALL_ORDERS,
  changed: CHANGED_ORDERS,
  counterexamples: `
    SELECT * FROM (
      SELECT CASE WHEN ${noEntry('order_placed')} THEN 'NO_ENTRY_OF_PLACING'
                  WHEN o.confirmed_at IS NOT NULL AND ${noEntry('order_confirmed')} THEN 'NO_ENTRY_OF_CONFIRM'
                  WHEN o.stored_status = 'cancelled' AND ${noEntry('order_cancelled')} THEN 'NO_ENTRY_OF_CANCELLATION'
                  WHEN o.stored_status = 'expired' AND ${noEntry('order_expired')} THEN 'NO_ENTRY_OF_EXPIRY' END AS code,
             'order' AS kind, o.id::text AS id, o.id::text AS label
        FROM looked JOIN orders o ON o.id = looked.id,
             LATERAL (SELECT coalesce(array_agg(j.name), '{}') AS names FROM journal j
                       WHERE j.order_id = o.id AND ${SINCE_PLACED}) entries
       WHERE o.created_at >= ${JOURNAL_BEGINS}) judged
     WHERE code IS NOT NULL`,
}

/**
 * The tickets of an order, and which of them its entries name:
 *
 *     ticket   used   void by            entries name it in
 *     tkt_1    yes                       ticket_admitted
 *     tkt_2           refund             –                    NO_ENTRY_OF_REFUND
 *     tkt_3           event_cancelled    the event's entry is asked for, which names none
 */
const TICKETS: SqlRule = {
  all: `${ALL_ORDERS} WHERE confirmed_at IS NOT NULL`,
  changed: CHANGED_ORDERS,
  counterexamples: `
    SELECT * FROM (
      SELECT CASE WHEN t.void_cause = 'refund' AND t.id <> ALL (named.refunded) THEN 'NO_ENTRY_OF_REFUND'
                  WHEN t.void_cause = 'platform' AND t.id <> ALL (named.voided) THEN 'NO_ENTRY_OF_VOIDING'
                  WHEN t.void_cause = 'event_cancelled' AND NOT EXISTS (
                    SELECT FROM journal j WHERE j.event_id = t.event_id AND j.booking_id IS NULL AND j.order_id IS NULL
                       AND j.name = 'event_cancelled') THEN 'NO_ENTRY_OF_VOIDING'
                  WHEN t.used_at IS NOT NULL AND t.id <> ALL (named.admitted) THEN 'NO_ENTRY_OF_ADMISSION' END AS code,
             'order' AS kind, o.id::text AS id, t.number::text AS label
        FROM looked JOIN orders o ON o.id = looked.id JOIN tickets t ON t.order_id = o.id AND (t.used_at IS NOT NULL OR t.status = 'void'),
             LATERAL (${NAMED_TICKETS}) named
       WHERE o.created_at >= ${JOURNAL_BEGINS}) judged
     WHERE code IS NOT NULL`,
}

/** Every order has an entry for each step that it took, and for each of its tickets that was admitted, refunded or voided. */
export const findMissingEntries = sqlRules('journal', STEPS_OF_ORDERS, TICKETS)
