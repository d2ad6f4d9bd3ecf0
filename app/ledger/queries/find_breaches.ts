import { LONGEST_WINDOW_SECONDS } from '#partners/settings'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** A contradiction between movements, orders and tickets: a broken invariant of our own ledger. */
export interface Breach {
  code: string
  /** The order's or ticket's id. */
  subject: string
  partnerId: number
}

export interface BreachScope {
  /** Null for all partners. */
  partnerId: number | null
  /** Orders confirmed and tickets voided in [from, to). */
  from: Date
  to: Date
}

const LIMIT = 100
/** The longest payment window, and an hour for a confirm that arrived in time. */
const LONGEST_WINDOW = `interval '${LONGEST_WINDOW_SECONDS + 3_600} seconds'`

const CONFIRMED_ORDERS = `
  FROM orders o
  LEFT JOIN LATERAL (SELECT count(*) AS count, coalesce(sum(price_tenge), 0) AS tenge
                       FROM tickets WHERE order_id = o.id) issued ON true
  LEFT JOIN LATERAL (SELECT count(*) AS count, coalesce(sum(price_tenge), 0) AS tenge
                       FROM booking_seats WHERE booking_id = o.booking_id) booked ON true
  LEFT JOIN ledger_movements sale ON sale.source = o.id AND sale.kind = 'sale'
 WHERE o.created_at >= :from::timestamptz - ${LONGEST_WINDOW} AND o.created_at < :to
   AND o.confirmed_at >= :from AND o.confirmed_at < :to AND (:partnerId::int IS NULL OR o.partner_id = :partnerId)`

const selectOfOrders = statement<Breach, BreachScope>(
  'settlement_breaches_of_orders',
  `SELECT * FROM (
     SELECT o.id AS subject, o.partner_id AS "partnerId",
            CASE WHEN issued.count <> booked.count THEN 'PAID_WITHOUT_TICKETS'
                 WHEN o.total_tenge <> issued.tenge OR o.total_tenge <> booked.tenge THEN 'TOTAL_NE_TICKETS'
                 WHEN o.payment_amount_tenge <> o.total_tenge THEN 'PAID_AMOUNT_NE_TOTAL'
                 WHEN sale.id IS NULL THEN 'MOVEMENT_MISSING'
                 WHEN sale.amount_tenge <> o.total_tenge OR sale.partner_id <> o.partner_id
                   OR sale.effective_at <> o.confirmed_at OR sale.tickets <> booked.count THEN 'MOVEMENT_WRONG' END AS code
     ${CONFIRMED_ORDERS}) judged
    WHERE code IS NOT NULL ORDER BY subject LIMIT ${LIMIT}`
)

// Computes commission and VAT again from prices and terms.
const selectOfCharges = statement<Breach, BreachScope>(
  'settlement_breaches_of_charges',
  `SELECT 'CHARGE_WRONG' AS code, o.id AS subject, o.partner_id AS "partnerId"
     FROM orders o JOIN ledger_movements sale ON sale.source = o.id AND sale.kind = 'sale'
     JOIN settlement_terms t ON t.id = sale.terms_id
     LEFT JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS tenge FROM sale_charges(o.booking_id, t)) due ON true
     LEFT JOIN LATERAL (SELECT coalesce(sum(amount_tenge), 0) AS tenge FROM ledger_movements
                         WHERE source = o.id AND kind IN ('commission', 'vat')) written ON true
    WHERE o.created_at >= :from::timestamptz - ${LONGEST_WINDOW} AND o.created_at < :to
      AND o.confirmed_at >= :from AND o.confirmed_at < :to AND (:partnerId::int IS NULL OR o.partner_id = :partnerId)
      AND due.tenge <> written.tenge
    ORDER BY o.id LIMIT ${LIMIT}`
)

const selectOfTickets = statement<Breach, BreachScope>(
  'settlement_breaches_of_tickets',
  `SELECT * FROM (
     SELECT t.id AS subject, o.partner_id AS "partnerId",
            CASE WHEN o.confirmed_at IS NULL THEN 'TICKET_WITHOUT_PAID_ORDER'
                 WHEN back.id IS NULL THEN 'MOVEMENT_MISSING'
                 WHEN back.amount_tenge <> -t.price_tenge OR back.partner_id <> o.partner_id
                   OR back.effective_at <> t.voided_at THEN 'MOVEMENT_WRONG' END AS code
       FROM tickets t JOIN orders o ON o.id = t.order_id
       LEFT JOIN ledger_movements back ON back.source = t.id AND back.kind = void_kind(t.void_cause)
      WHERE t.status = 'void' AND t.voided_at >= :from AND t.voided_at < :to
        AND (:partnerId::int IS NULL OR o.partner_id = :partnerId)) judged
    WHERE code IS NOT NULL ORDER BY subject LIMIT ${LIMIT}`
)

// Movements without a sale or a void.
const selectOfMovements = statement<Breach, BreachScope>(
  'settlement_breaches_of_movements',
  `SELECT 'MOVEMENT_WITHOUT_CAUSE' AS code, m.source AS subject, m.partner_id AS "partnerId"
     FROM partners p JOIN ledger_movements m ON m.partner_id = p.id AND m.statement_id IS NULL AND m.effective_at < :to
     LEFT JOIN orders o ON o.id = m.source LEFT JOIN tickets t ON t.id = m.source
    WHERE (:partnerId::int IS NULL OR p.id = :partnerId) AND m.effective_at >= :from
      AND CASE WHEN m.kind IN ('sale', 'commission', 'vat') THEN o.confirmed_at IS NULL
               WHEN m.kind IN ('adj_debit', 'adj_credit', 'penalty', 'payment') THEN false
               ELSE t.status IS DISTINCT FROM 'void' END
    ORDER BY m.id LIMIT ${LIMIT}`
)

// Defects that are our own errors, until their case is closed.
const selectBlockingCases = statement<Breach, BreachScope>(
  'settlement_breaches_of_cases',
  `SELECT DISTINCT d.code, d.order_id AS subject, c.partner_id AS "partnerId"
     FROM settlement_cases c JOIN settlement_defects d ON d.case_id = c.id AND d.severity = 'BLOCKER' AND d.gone_at IS NULL
    WHERE c.gone_at IS NULL AND c.state IN ('open', 'in_work', 'with_partner') AND c.severity = 'BLOCKER'
      AND c.occurred_at >= :from AND c.occurred_at < :to AND (:partnerId::int IS NULL OR c.partner_id = :partnerId)
    ORDER BY subject LIMIT ${LIMIT}`
)

const CHECKS = [
  selectOfOrders,
  selectOfCharges,
  selectOfTickets,
  selectOfMovements,
  selectBlockingCases,
]

/** Runs all checks; each reports at most 100 breaches. */
export async function findBreaches(
  scope: BreachScope,
  client?: QueryClientContract
): Promise<Breach[]> {
  const found: Breach[] = []
  for (const select of CHECKS) found.push(...(await select(scope, client)))
  return found
}
