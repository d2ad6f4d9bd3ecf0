import { sqlRules, type SqlRule } from '#invariants/invariant'
import { CHANGED_ORDERS } from '#invariants/rules/changed_orders'

const hasNoOrder = (id: string) => `NOT EXISTS (SELECT FROM orders o WHERE o.id = ${id})`

// Of tickets, sales and bookings only those without their order are kept: there are several of them for each order.
const ORDERS: SqlRule = {
  all: `SELECT order_id AS id FROM journal WHERE name = 'order_placed'
         UNION ALL
        SELECT order_id FROM tickets WHERE ${hasNoOrder('order_id')}
         UNION ALL
        SELECT source FROM ledger_movements WHERE kind = 'sale' AND ${hasNoOrder('source')}
         UNION ALL
        SELECT order_id FROM bookings WHERE order_id IS NOT NULL AND ${hasNoOrder('order_id')}`,
  changed: CHANGED_ORDERS,
  counterexamples: `SELECT DISTINCT 'ORDER_GONE' AS code, 'order' AS kind, id, id AS label FROM looked WHERE ${hasNoOrder('looked.id')}`,
}

const ISSUED = `SELECT id, at FROM journal WHERE name = 'statement_issued'`

const STATEMENTS: SqlRule = {
  all: ISSUED,
  changed: `${ISSUED} AND id >= :sinceEntry`,
  counterexamples: `
    SELECT 'STATEMENT_GONE' AS code, 'partner' AS kind, p.code AS id, j.change ->> 'statement' AS label
      FROM looked JOIN journal j ON j.id = looked.id AND j.at = looked.at JOIN partners p ON p.id = j.partner_id
     WHERE NOT EXISTS (SELECT FROM settlement_statements s
                        WHERE s.number = substring(j.change ->> 'statement' FROM '[0-9]+$')::integer)`,
}

const SOLD = `s.state = 'sold' AND s.held_by LIKE 'bkg!_%' ESCAPE '!'`

// A cart of the storefront has no tickets of ours. Seats of a cancelled event stay sold.
const SEATS: SqlRule = {
  all: `SELECT s.id FROM event_seats s WHERE ${SOLD}`,
  changed: `SELECT s.id FROM (${CHANGED_ORDERS}) changed JOIN orders o ON o.id = changed.id
              JOIN booking_seats b ON b.booking_id = o.booking_id JOIN event_seats s ON s.id = b.event_seat_id AND ${SOLD}`,
  counterexamples: `
    SELECT 'TICKET_GONE' AS code, 'event' AS kind, s.event_id AS id, s.space_id AS label
      FROM looked JOIN event_seats s ON s.id = looked.id
     WHERE NOT EXISTS (SELECT FROM orders o JOIN tickets t ON t.order_id = o.id AND t.event_seat_id = s.id
                        WHERE o.booking_id = s.held_by AND (t.status <> 'void' OR t.void_cause = 'event_cancelled'))`,
}

/**
 * What other rows name is there. The other rules begin with the orders, tickets and statements that there are:
 *
 *     the journal says               there is
 *     order_placed TIX-2026-000017   no such order        ORDER_GONE
 *     statement_issued SET-000004    no such statement    STATEMENT_GONE
 *     the seat says                  there is
 *     sold to bkg_01k9…              no ticket for it     TICKET_GONE
 */
export const findVanishedRows = sqlRules('vanished', ORDERS, STATEMENTS, SEATS)
