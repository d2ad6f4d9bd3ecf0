import { EVENT_TRANSITIONS } from '#catalog/event_status'
import { allowedSteps, sqlRules, type SqlRule } from '#invariants/invariant'
import {
  ALL_ORDERS,
  CHANGED_ORDERS,
  JOURNAL_BEGINS,
  NAMED_TICKETS,
  SINCE_PLACED,
} from '#invariants/rules/changed_orders'
import { STATEMENT_TRANSITIONS } from '#ledger/statement_status'
import { ORDER_TRANSITIONS } from '#sales/order_status'

// Whether a refund left valid tickets is not in its entry, and in phase 1 of the contract it leaves the order paid.
const isRefund = (status: string) => status === 'partially_refunded' || status === 'refunded'
const withoutParts = (status: string) => (isRefund(status) ? 'refunded' : status)

/** `('pending', 'paid'), …, ('paid', 'refunded'), ('refunded', 'refunded')` */
const ORDER_STEPS = allowedSteps(
  Object.fromEntries(
    Object.entries(ORDER_TRANSITIONS)
      .filter(([from]) => from !== 'refunded')
      .map(([from, next]) => [
        withoutParts(from),
        Object.fromEntries(Object.values(next).map((to) => [to, withoutParts(to)])),
      ])
  )
)

/**
 * The status after each entry of an order, in the journal's order, against the state table and the stored status:
 *
 *     entry            status after it
 *     order_placed     pending
 *     order_confirmed  paid             pending → paid is allowed
 *     order_expired    expired          paid → expired is not: STEP_NOT_ALLOWED
 *                                       stored is paid, not expired: STATUS_NOT_OF_LAST_STEP
 */
const ORDERS: SqlRule = {
  all: ALL_ORDERS,
  changed: CHANGED_ORDERS,
  counterexamples: `
    SELECT DISTINCT * FROM (
      SELECT CASE WHEN former IS NOT NULL AND (former, status) NOT IN (${ORDER_STEPS}) THEN 'STEP_NOT_ALLOWED'
                  WHEN next IS NULL AND stored_status <> ALL (stored) THEN 'STATUS_NOT_OF_LAST_STEP' END AS code,
             'order' AS kind, id, id AS label
        FROM (SELECT o.id::text AS id, o.stored_status::text, step.status, step.stored,
                     lag(step.status) OVER (PARTITION BY o.id ORDER BY j.id) AS former,
                     lead(step.status) OVER (PARTITION BY o.id ORDER BY j.id) AS next
                FROM looked JOIN orders o ON o.id = looked.id JOIN journal j ON j.order_id = looked.id AND ${SINCE_PLACED}
                JOIN (VALUES ('order_placed', 'pending', ARRAY['pending']),
                             ('order_confirmed', 'paid', ARRAY['paid']),
                             ('order_cancelled', 'cancelled', ARRAY['cancelled']),
                             ('order_expired', 'expired', ARRAY['expired']),
                             ('tickets_refunded', 'refunded', ARRAY['paid', 'partially_refunded', 'refunded']))
                       step (name, status, stored) ON step.name = j.name) steps) judged
     WHERE code IS NOT NULL`,
}

/** What entries say of single tickets is what the tickets are: a guest who was admitted is not admitted again. */
const TICKETS: SqlRule = {
  all: `${ALL_ORDERS} WHERE confirmed_at IS NOT NULL`,
  changed: CHANGED_ORDERS,
  counterexamples: `
    SELECT 'STATUS_NOT_OF_LAST_STEP' AS code, 'order' AS kind, o.id::text AS id, t.number::text AS label
      FROM looked JOIN orders o ON o.id = looked.id JOIN tickets t ON t.order_id = o.id, LATERAL (${NAMED_TICKETS}) named
     WHERE (t.id = ANY (named.admitted) AND (t.used_at IS NULL OR t.status NOT IN ('used', 'void')))
        OR (t.id = ANY (named.refunded) AND t.void_cause IS DISTINCT FROM 'refund')
        OR (t.id = ANY (named.voided) AND t.void_cause IS DISTINCT FROM 'platform')`,
}

/** The booking of an order is converted to it. */
const BOOKINGS: SqlRule = {
  all: ALL_ORDERS,
  changed: CHANGED_ORDERS,
  counterexamples: `
    SELECT 'BOOKING_NOT_CONVERTED' AS code, 'booking' AS kind, b.id::text AS id, b.id::text AS label
      FROM looked JOIN orders o ON o.id = looked.id JOIN bookings b ON b.id = o.booking_id
     WHERE b.order_id IS DISTINCT FROM o.id OR b.stored_status <> 'converted'`,
}

const ENTRIES_OF_EVENT = `journal j ON j.event_id = looked.id AND j.booking_id IS NULL AND j.order_id IS NULL`

const EVENTS: SqlRule = {
  all: 'SELECT id FROM events',
  changed: `SELECT DISTINCT event_id AS id FROM journal
             WHERE id >= :sinceEntry AND event_id IS NOT NULL AND booking_id IS NULL AND order_id IS NULL`,
  counterexamples: `
    SELECT DISTINCT 'STEP_NOT_ALLOWED' AS code, 'event' AS kind, looked.id, looked.id AS label
      FROM looked JOIN ${ENTRIES_OF_EVENT} AND j.name = 'event_status_changed'
     WHERE (j.change ->> 'from', j.change ->> 'to') NOT IN (${allowedSteps(EVENT_TRANSITIONS)})
     UNION ALL
    SELECT DISTINCT 'STEP_NOT_FROM_LAST', 'event', id, id
      FROM (SELECT looked.id, j.change ->> 'from' AS begins, lag(j.change ->> 'to') OVER (PARTITION BY looked.id ORDER BY j.id) AS ended
              FROM looked JOIN ${ENTRIES_OF_EVENT} AND j.name = 'event_status_changed') steps
     WHERE begins <> ended
     UNION ALL
    SELECT 'STATUS_NOT_OF_LAST_STEP', 'event', e.id, e.id
      FROM looked JOIN events e ON e.id = looked.id
      LEFT JOIN LATERAL (
        SELECT CASE j.name WHEN 'event_cancelled' THEN 'cancelled' ELSE j.change ->> 'to' END AS status
          FROM journal j
         WHERE j.event_id = e.id AND j.booking_id IS NULL AND j.order_id IS NULL
           AND j.name IN ('event_status_changed', 'event_cancelled')
         ORDER BY j.id DESC LIMIT 1) latest ON true
     WHERE e.stored_status <> coalesce(latest.status, 'sales_scheduled')
       AND (latest.status IS NOT NULL OR e.created_at >= ${JOURNAL_BEGINS})`,
}

/** Steps of versions before ADR 21. */
const FORMER_STEPS = `('closed', 'part_paid'), ('closed', 'paid'), ('part_paid', 'paid')`
/** Versions before ADR 21 went on to these from `closed`. */
const isClosed = (status: string) =>
  `CASE WHEN ${status} IN ('part_paid', 'paid') THEN 'closed' ELSE ${status} END`

const ENTRIES_OF_STATEMENTS = `
  SELECT id, name, substring(change ->> 'statement' FROM '[0-9]+$')::integer AS number, change ->> 'from' AS from_status,
         CASE name WHEN 'statement_issued' THEN 'issued' ELSE change ->> 'to' END AS to_status
    FROM journal WHERE name IN ('statement_issued', 'statement_status_changed')`

/**
 * The steps of each statement, in the journal's order:
 *
 *     statement_issued           issued
 *     statement_status_changed   issued → agreed
 *     statement_status_changed   disputed → closed      from disputed, though it was agreed: STEP_NOT_FROM_LAST
 *                                                     stored is agreed, not closed: STATUS_NOT_OF_LAST_STEP
 */
const STATEMENTS: SqlRule = {
  all: ENTRIES_OF_STATEMENTS,
  changed: `${ENTRIES_OF_STATEMENTS} AND id >= :sinceEntry`,
  counterexamples: `
    SELECT DISTINCT code, 'statement' AS kind, s.id::text AS id, 'SET-' || lpad(number::text, greatest(6, length(number::text)), '0') AS label
      FROM (SELECT number, unnest(ARRAY[
                     CASE WHEN from_status IS NOT NULL AND (from_status, to_status) NOT IN (${allowedSteps(STATEMENT_TRANSITIONS)}, ${FORMER_STEPS})
                          THEN 'STEP_NOT_ALLOWED' END,
                     CASE WHEN ${isClosed('from_status')} <> ${isClosed('former')} THEN 'STEP_NOT_FROM_LAST' END,
                     CASE WHEN next IS NULL AND ${isClosed('to_status')} <> ${isClosed('status')} THEN 'STATUS_NOT_OF_LAST_STEP' END]) AS code
              FROM (SELECT looked.*, s.status::text,
                           lag(to_status) OVER (PARTITION BY number ORDER BY looked.id) AS former,
                           lead(to_status) OVER (PARTITION BY number ORDER BY looked.id) AS next
                      FROM looked LEFT JOIN settlement_statements s USING (number)) steps) judged
      LEFT JOIN settlement_statements s USING (number)
     WHERE code IS NOT NULL`,
}

export const findForbiddenSteps = sqlRules('steps', ORDERS, TICKETS, BOOKINGS, EVENTS, STATEMENTS)
