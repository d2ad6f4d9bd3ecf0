import type { Transitions } from '#shared/transitions'

export const STATEMENT_STATUSES = ['issued', 'agreed', 'disputed', 'closed', 'superseded'] as const
export type StatementStatus = (typeof STATEMENT_STATUSES)[number]
export type StatementTrigger = 'agree' | 'dispute' | 'close' | 'supersede'

/** No status is ever undone: an error is corrected by a memo, or by a new statement before the partner has agreed. */
// prettier-ignore
export const STATEMENT_TRANSITIONS: Transitions<StatementStatus, StatementTrigger> = {
  issued:     { agree: 'agreed', dispute: 'disputed',                  supersede: 'superseded' },
  disputed:   { agree: 'agreed',                      close: 'closed', supersede: 'superseded' },
  agreed:     {                                       close: 'closed' },
  closed:     {},
  superseded: {},
}

/**
 * What is paid of a statement; independent of its status. Computed by the view `settlement_statement_payments` of migration 28
 * and stored nowhere.
 */
export const PAYMENT_STATUSES = ['open', 'part_paid', 'paid', 'overpaid'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** The SQL of a stored status. Versions before ADR 21 went on to `part_paid` and `paid` from `closed`. */
export const statementStatus = (row: string) =>
  `CASE WHEN ${row}.status IN ('part_paid', 'paid') THEN 'closed' ELSE ${row}.status::text END`

/** The SQL of today by the clock of the venues. */
export const TODAY = `(clock_timestamp() AT TIME ZONE INTERVAL '05:00')::date`

/** The SQL of the last day to pay a statement: days after its issue, by its terms; NULL where none are agreed on. */
export const payBy = (row: string) =>
  `(SELECT (${row}.issued_at AT TIME ZONE INTERVAL '05:00')::date + terms.payment_days
      FROM settlement_terms terms WHERE terms.id = ${row}.terms_id)`

/** The SQL of whether something of a statement is still to be paid to us after that day; `paid` is its row of `settlement_statement_payments`. */
export const isOverdue = (row: string, paid: string) =>
  `coalesce(${paid}.payment_status IN ('open', 'part_paid') AND ${paid}.due_tenge > 0 AND ${payBy(row)} < ${TODAY}, false)`

/** A number of documents with at least six digits: `000001`. */
export const paddedNumber = (number: number) => String(number).padStart(6, '0')
/** The number as letters and bank payments quote it: `SET-000001`. */
export const statementNumber = (number: number) => `SET-${paddedNumber(number)}`
/** `MEM-000001` */
export const memoNumber = (number: number) => `MEM-${paddedNumber(number)}`
