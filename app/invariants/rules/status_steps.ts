import { EVENT_TRANSITIONS } from '#catalog/event_status'
import { allowedSteps, sqlRules, type SqlRule } from '#invariants/invariant'
import {
  ALL_ORDERS,
  CHANGED_ORDERS,
  JOURNAL_BEGINS,
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
const ENTRY_OF_STATEMENT = `SELECT id FROM journal WHERE name = 'statement_status_changed'`

const STATEMENTS: SqlRule = {
  all: ENTRY_OF_STATEMENT,
  changed: `${ENTRY_OF_STATEMENT} AND id >= :sinceEntry`,
  counterexamples: `
    SELECT 'STEP_NOT_ALLOWED' AS code, 'statement' AS kind, s.id::text AS id, j.change ->> 'statement' AS label
      FROM looked JOIN journal j ON j.id = looked.id
      LEFT JOIN settlement_statements s ON s.number = substring(j.change ->> 'statement' FROM '[0-9]+$')::integer
     WHERE (j.change ->> 'from', j.change ->> 'to') NOT IN (${allowedSteps(STATEMENT_TRANSITIONS)}, ${FORMER_STEPS})`,
}

export const findForbiddenSteps = sqlRules('steps', ORDERS, EVENTS, STATEMENTS)
