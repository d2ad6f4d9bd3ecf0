/**
 * Rounds commission and VAT once per statement and rate (ADR 18). Sales and returns are charged ticket by ticket; the closing
 * adds what is missing to the rounded share of all tickets.
 *
 * Example: 100,000 tickets of 1,990 at 5 %. Each is charged 100 (99.5, rounded), together 10,000,000; 5 % of 199,000,000 is
 * 9,950,000. The statement has one line more: commission_rounding +50,000.
 */
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

interface Rounded {
  statementId: number
  partnerId: number
  /** The end of the period: its last microsecond is the moment of the lines. */
  to: Date
}

const insertRoundings = statement<object, Rounded>(
  'settlement_roundings_insert',
  `WITH taken AS MATERIALIZED (SELECT count(*) AS lines FROM ledger_movements WHERE statement_id = :statementId)
   INSERT INTO ledger_movements (partner_id, kind, amount_tenge, source, terms_id, rate_bp, effective_at, statement_id, line)
   SELECT :partnerId, m.kind, m.amount,
          concat_ws(':', 'rounding', :statementId::integer, coalesce(due.origin_id, :statementId), due.terms_id), due.terms_id, m.rate,
          :to::timestamptz - interval '1 microsecond', :statementId,
          taken.lines + row_number() OVER (ORDER BY due.origin_id NULLS FIRST, due.terms_id, m.kind)
     FROM taken, due_roundings(:partnerId, :statementId, :to) due,
          LATERAL (VALUES ('commission_rounding', due.commission, due.commission_bp), ('vat_rounding', due.vat, due.vat_bp)) m (kind, amount, rate)
    WHERE m.amount <> 0`
)
const insertRemaining = statement<object, Rounded>(
  'settlement_rounded_sales_insert',
  `INSERT INTO settlement_rounded_sales (statement_id, origin_id, commission_bp, vat_bp, rounding, remaining_tenge)
   SELECT :statementId, coalesce(origin_id, :statementId), commission_bp, vat_bp, rounding, remaining
     FROM due_roundings(:partnerId, :statementId, :to)`
)

/** Adds the lines of rounding to the movements that a statement has taken. */
export const roundCharges = (rounded: Rounded, trx: TransactionClientContract) =>
  insertRoundings(rounded, trx)

/** Remembers what is still sold at each rate, for returns in later statements. The statement is inserted by now. */
export const recordRoundedSales = (rounded: Rounded, trx: TransactionClientContract) =>
  insertRemaining(rounded, trx)
