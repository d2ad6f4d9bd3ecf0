import { LONGEST_WINDOW_SECONDS } from '#partners/settings'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** A contradiction between movements and what causes them: a broken invariant of our own ledger. */
export interface Breach {
  code: string
  /** The order's or ticket's id; `memo:7` and `payment:3`, as movements name these. */
  subject: string
  partnerId: number
}

export interface BreachScope {
  /** Null for all partners. */
  partnerId: number | null
  /** Orders confirmed, tickets voided, memos approved and payments recorded in [from, to). */
  from: Date
  to: Date
}

const LIMIT = 100
/** The longest payment window, and an hour for a confirm that arrived in time. */
const LONGEST_WINDOW = `interval '${LONGEST_WINDOW_SECONDS + 3_600} seconds'`

const isIn = (moment: string) => `${moment} >= :from AND ${moment} < :to`
const isOf = (partnerId: string) => `(:partnerId::int IS NULL OR ${partnerId} = :partnerId)`

const CONFIRMED = `o.created_at >= :from::timestamptz - ${LONGEST_WINDOW} AND o.created_at < :to
      AND ${isIn('o.confirmed_at')} AND ${isOf('o.partner_id')}`

const ORDERS = `
  SELECT * FROM (
    SELECT o.id AS subject, o.partner_id AS "partnerId",
           CASE WHEN issued.count <> booked.count THEN 'PAID_WITHOUT_TICKETS'
                WHEN o.total_tenge <> issued.tenge OR o.total_tenge <> booked.tenge THEN 'TOTAL_NE_TICKETS'
                WHEN o.payment_amount_tenge <> o.total_tenge THEN 'PAID_AMOUNT_NE_TOTAL'
                WHEN sale.id IS NULL THEN 'MOVEMENT_MISSING'
                WHEN sale.amount_tenge <> o.total_tenge OR sale.partner_id <> o.partner_id
                  OR sale.effective_at <> o.confirmed_at OR sale.tickets <> booked.count THEN 'MOVEMENT_WRONG' END AS code
      FROM orders o
      LEFT JOIN LATERAL (SELECT count(*) AS count, coalesce(sum(price_tenge), 0) AS tenge
                           FROM tickets WHERE order_id = o.id) issued ON true
      LEFT JOIN LATERAL (SELECT count(*) AS count, coalesce(sum(price_tenge), 0) AS tenge
                           FROM booking_seats WHERE booking_id = o.booking_id) booked ON true
      LEFT JOIN ledger_movements sale ON sale.source = o.id AND sale.kind = 'sale'
     WHERE ${CONFIRMED}) judged
   WHERE code IS NOT NULL ORDER BY subject LIMIT ${LIMIT}`

interface ChargesOf {
  /** A call of the function that computes what is due, by prices and terms. */
  due: string
  kinds: string
  source: string
  effectiveAt: string
}

/** Whether a kind is due and not written, written and not due, or written with other figures than are due. */
const hasWrongCharge = ({ due, kinds, source, effectiveAt }: ChargesOf) => `EXISTS (
      SELECT 1 FROM ${due} due
        FULL JOIN (SELECT * FROM ledger_movements WHERE source = ${source} AND kind IN (${kinds})) written
          ON written.kind = due.kind
       WHERE (written.amount_tenge, written.rate_bp, written.terms_id, written.partner_id, written.effective_at)
             IS DISTINCT FROM (due.amount, due.rate, agreed.id, o.partner_id, ${effectiveAt}))`

const CHARGES = `
  SELECT 'CHARGE_WRONG' AS code, o.id AS subject, o.partner_id AS "partnerId"
    FROM orders o JOIN ledger_movements sale ON sale.source = o.id AND sale.kind = 'sale'
    JOIN settlement_terms agreed ON agreed.id = sale.terms_id
   WHERE ${CONFIRMED}
     AND ${hasWrongCharge({
       due: 'sale_charges(o.booking_id, agreed)',
       kinds: `'commission', 'vat'`,
       source: 'o.id',
       effectiveAt: 'o.confirmed_at',
     })}
   ORDER BY o.id LIMIT ${LIMIT}`

const TICKETS = `
  SELECT * FROM (
    SELECT t.id AS subject, o.partner_id AS "partnerId",
           CASE WHEN o.confirmed_at IS NULL THEN 'TICKET_WITHOUT_PAID_ORDER'
                WHEN back.id IS NULL THEN 'MOVEMENT_MISSING'
                WHEN back.amount_tenge <> -t.price_tenge OR back.partner_id <> o.partner_id
                  OR back.effective_at <> t.voided_at THEN 'MOVEMENT_WRONG' END AS code
      FROM tickets t JOIN orders o ON o.id = t.order_id
      LEFT JOIN ledger_movements back ON back.source = t.id AND back.kind = void_kind(t.void_cause)
     WHERE t.status = 'void' AND ${isIn('t.voided_at')} AND ${isOf('o.partner_id')}) judged
   WHERE code IS NOT NULL ORDER BY subject LIMIT ${LIMIT}`

// By the terms of the sale, whatever terms hold when the ticket is voided.
const VOID_CHARGES = `
  SELECT 'CHARGE_WRONG' AS code, t.id AS subject, o.partner_id AS "partnerId"
    FROM tickets t JOIN orders o ON o.id = t.order_id
    JOIN ledger_movements sale ON sale.source = o.id AND sale.kind = 'sale'
    JOIN settlement_terms agreed ON agreed.id = sale.terms_id
   WHERE t.status = 'void' AND ${isIn('t.voided_at')} AND ${isOf('o.partner_id')}
     AND ${hasWrongCharge({
       due: 'void_charges(t.price_tenge, agreed)',
       kinds: `'commission_reversal', 'vat_reversal'`,
       source: 't.id',
       effectiveAt: 't.voided_at',
     })}
   ORDER BY t.id LIMIT ${LIMIT}`

const MEMOS = `
  SELECT * FROM (
    SELECT 'memo:' || memo.id AS subject, memo.partner_id AS "partnerId",
           CASE WHEN m.id IS NULL THEN 'MOVEMENT_MISSING'
                WHEN m.amount_tenge <> CASE memo.kind WHEN 'adj_credit' THEN -memo.amount_tenge ELSE memo.amount_tenge END
                  OR m.partner_id <> memo.partner_id THEN 'MOVEMENT_WRONG' END AS code
      FROM settlement_memos memo LEFT JOIN ledger_movements m ON m.source = 'memo:' || memo.id AND m.kind = memo.kind
     WHERE memo.outcome = 'approved' AND ${isIn('memo.decided_at')} AND ${isOf('memo.partner_id')}) judged
   WHERE code IS NOT NULL ORDER BY subject LIMIT ${LIMIT}`

const PAYMENTS = `
  SELECT * FROM (
    SELECT 'payment:' || paid.id AS subject, paid.partner_id AS "partnerId",
           CASE WHEN m.id IS NULL THEN 'MOVEMENT_MISSING'
                WHEN m.amount_tenge <> CASE paid.direction WHEN 'from_partner' THEN -paid.amount_tenge ELSE paid.amount_tenge END
                  OR m.partner_id <> paid.partner_id THEN 'MOVEMENT_WRONG' END AS code
      FROM settlement_payments paid LEFT JOIN ledger_movements m ON m.source = 'payment:' || paid.id AND m.kind = 'payment'
     WHERE ${isIn('paid.recorded_at')} AND ${isOf('paid.partner_id')}) judged
   WHERE code IS NOT NULL ORDER BY subject LIMIT ${LIMIT}`

/** The number in a source such as `memo:7`; null for any other source. */
const numberIn = (source: string, word: string) =>
  `substring(${source} FROM '^${word}:([0-9]{1,18})$')::bigint`

// Movements whose order, ticket, memo or payment is missing, another partner's, or no cause of such a movement.
const MOVEMENTS = `
  SELECT 'MOVEMENT_WITHOUT_CAUSE' AS code, m.source AS subject, m.partner_id AS "partnerId"
    FROM partners p JOIN ledger_movements m ON m.partner_id = p.id AND m.statement_id IS NULL
    LEFT JOIN tickets t ON t.id = m.source
    LEFT JOIN orders o ON o.id = coalesce(t.order_id, m.source)
    LEFT JOIN settlement_memos memo
      ON memo.id = CASE WHEN m.kind IN ('adj_debit', 'adj_credit', 'penalty') THEN ${numberIn('m.source', 'memo')} END
    LEFT JOIN settlement_payments paid ON paid.id = CASE m.kind WHEN 'payment' THEN ${numberIn('m.source', 'payment')} END
   WHERE (:partnerId::int IS NULL OR p.id = :partnerId) AND ${isIn('m.effective_at')}
     AND (m.partner_id = coalesce(o.partner_id, memo.partner_id, paid.partner_id)
          AND CASE WHEN m.kind IN ('sale', 'commission', 'vat') THEN t.id IS NULL AND o.confirmed_at IS NOT NULL
                   WHEN m.kind IN ('commission_reversal', 'vat_reversal') THEN t.status = 'void'
                   WHEN m.kind IN ('refund', 'event_cancel', 'platform_void') THEN t.status = 'void' AND m.kind = void_kind(t.void_cause)
                   WHEN m.kind = 'payment' THEN paid.id IS NOT NULL
                   ELSE memo.outcome = 'approved' AND memo.kind = m.kind END) IS NOT TRUE
   ORDER BY m.id LIMIT ${LIMIT}`

// Computed again from the lines of each statement that was issued in the scope: what rounding adds, and what is still sold.
const ROUNDINGS = `
  SELECT 'ROUNDING_WRONG' AS code, 'statement:' || s.id AS subject, s.partner_id AS "partnerId"
    FROM settlement_statements s
   WHERE ${isIn('s.issued_at')} AND ${isOf('s.partner_id')} AND s.status <> 'superseded' AND s.hash_version >= 2
     AND EXISTS (
       SELECT 1 FROM (
         SELECT concat_ws(':', 'rounding', s.id, coalesce(due.origin_id, s.id), due.terms_id) AS source, m.kind, m.amount, due.terms_id, m.rate
           FROM due_roundings(s.partner_id, s.id, s.period_to) due,
                LATERAL (VALUES ('commission_rounding', due.commission, due.commission_bp), ('vat_rounding', due.vat, due.vat_bp)) m (kind, amount, rate)
          WHERE m.amount <> 0) due
         FULL JOIN (SELECT * FROM ledger_movements WHERE statement_id = s.id AND kind IN ('commission_rounding', 'vat_rounding')) written
           ON (written.source, written.kind) = (due.source, due.kind)
        WHERE (written.amount_tenge, written.rate_bp, written.terms_id, written.partner_id, written.effective_at)
              IS DISTINCT FROM (due.amount, due.rate, due.terms_id, s.partner_id, s.period_to - interval '1 microsecond')
        UNION ALL
       SELECT 1 FROM (SELECT coalesce(origin_id, s.id) AS origin_id, commission_bp, vat_bp, rounding, remaining
                        FROM due_roundings(s.partner_id, s.id, s.period_to)) due
         FULL JOIN (SELECT * FROM settlement_rounded_sales WHERE statement_id = s.id) kept
           USING (origin_id, commission_bp, vat_bp, rounding)
        WHERE kept.remaining_tenge IS DISTINCT FROM due.remaining)
   ORDER BY s.id LIMIT ${LIMIT}`

// Defects that are our own errors, until their case is closed.
const BLOCKING_CASES = `
  SELECT DISTINCT d.code, d.order_id AS subject, c.partner_id AS "partnerId"
    FROM settlement_cases c JOIN settlement_defects d ON d.case_id = c.id AND d.severity = 'BLOCKER' AND d.gone_at IS NULL
   WHERE c.gone_at IS NULL AND c.state IN ('open', 'in_work', 'with_partner') AND c.severity = 'BLOCKER'
     AND ${isIn('c.occurred_at')} AND ${isOf('c.partner_id')}
   ORDER BY subject LIMIT ${LIMIT}`

/** Each reads in proportion to the orders, tickets and movements of the scope; a test counts the rows. */
export const BREACH_CHECKS = {
  orders: ORDERS,
  charges: CHARGES,
  tickets: TICKETS,
  void_charges: VOID_CHARGES,
  memos: MEMOS,
  payments: PAYMENTS,
  movements: MOVEMENTS,
  roundings: ROUNDINGS,
  cases: BLOCKING_CASES,
}

const prepare = (name: keyof typeof BREACH_CHECKS) =>
  statement<Breach, BreachScope>(`settlement_breaches_of_${name}`, BREACH_CHECKS[name])
const LEDGER_CHECKS = [
  prepare('orders'),
  prepare('charges'),
  prepare('tickets'),
  prepare('void_charges'),
  prepare('memos'),
  prepare('payments'),
  prepare('movements'),
  prepare('roundings'),
]
const selectBlockingCases = prepare('cases')

/** Runs all checks; each reports at most 100 breaches. */
export async function findBreaches(
  scope: BreachScope,
  client?: QueryClientContract
): Promise<Breach[]> {
  return [
    ...(await findLedgerBreaches(scope, client)),
    ...(await selectBlockingCases(scope, client)),
  ]
}

/** Contradictions of the ledger alone, whatever the reconciliation has found. */
export async function findLedgerBreaches(
  scope: BreachScope,
  client?: QueryClientContract
): Promise<Breach[]> {
  const found: Breach[] = []
  for (const select of LEDGER_CHECKS) found.push(...(await select(scope, client)))
  return found
}

/** How many orders the checks compare with the ledger. */
export const countConfirmedOrders = statement<{ orders: number }, BreachScope>(
  'settlement_breaches_scope',
  `SELECT count(*)::float8 AS orders FROM orders o WHERE ${CONFIRMED}`
)
