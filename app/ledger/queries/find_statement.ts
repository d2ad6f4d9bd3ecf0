import { fromStoredTotals, type StoredTotals, type Totals } from '#ledger/movements'
import type { Period } from '#ledger/periods'
import {
  isOverdue,
  payBy,
  statementStatus,
  type PaymentStatus,
  type StatementStatus,
} from '#ledger/statement_status'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

export interface StatementRef {
  id: number
  number: number
}

interface StatementRow {
  id: number
  number: number
  partnerId: number
  partnerCode: string
  partnerName: string
  status: StatementStatus
  from: Date
  to: Date
  zone: string
  utcOffsetMinutes: number
  termsId: number
  openingTenge: bigint
  closingTenge: bigint
  lines: number
  lateLines: number
  /** The statement hash: SHA-256 of its header and lines. */
  statementSha256: string
  prevId: number | null
  prevSha256: string | null
  asOf: Date
  issuedAt: Date
  issuedBy: string
  disputeUntil: Date
  statusAt: Date
  statusBy: string
  statusNote: string | null
  /** The superseded statement that it replaces, and the one that replaces it. */
  supersedes: StatementRef | null
  supersededBy: StatementRef | null
  /** The last day to pay it, `2026-11-24`; null where the terms have none. */
  payBy: string | null
  /** Whether something of it is still to be paid after that day. */
  isOverdue: boolean
  /** What is to be paid of it, without memos that were paid by themselves; negative when we owe the partner. */
  dueTenge: bigint
  /** What was put against it, signed as `dueTenge`. */
  paidTenge: bigint
  /** Null when it is superseded: nothing is to be paid then. */
  paymentStatus: PaymentStatus | null
}
export type SettlementStatement = StatementRow & { totals: Totals }

const SELECT = `
  SELECT s.id, s.number, s.partner_id AS "partnerId", p.code AS "partnerCode", p.name AS "partnerName", ${statementStatus('s')} AS status,
         s.period_from AS "from", s.period_to AS "to", s.zone, s.utc_offset_minutes AS "utcOffsetMinutes",
         s.terms_id AS "termsId", s.opening_tenge AS "openingTenge", s.closing_tenge AS "closingTenge", s.totals,
         s.lines, s.late_lines AS "lateLines", s.data_sha256 AS "statementSha256", s.prev_id AS "prevId", s.prev_sha256 AS "prevSha256",
         s.data_as_of AS "asOf", s.issued_at AS "issuedAt", s.issued_by AS "issuedBy", s.dispute_until AS "disputeUntil",
         s.status_at AS "statusAt", s.status_by AS "statusBy", s.status_note AS "statusNote",
         (SELECT json_build_object('id', o.id, 'number', o.number) FROM settlement_statements o WHERE o.id = s.supersedes_id) AS supersedes,
         (SELECT json_build_object('id', n.id, 'number', n.number) FROM settlement_statements n WHERE n.supersedes_id = s.id) AS "supersededBy",
         coalesce(paid.due_tenge, 0)::bigint AS "dueTenge", coalesce(paid.paid_tenge, 0)::bigint AS "paidTenge",
         paid.payment_status AS "paymentStatus", (${payBy('s')})::text AS "payBy",
         ${isOverdue('s', 'paid')} AS "isOverdue"
    FROM settlement_statements s JOIN partners p ON p.id = s.partner_id
    LEFT JOIN settlement_statement_payments paid ON paid.statement_id = s.id`

const selectById = statement<StatementRow & { totals: StoredTotals }, { id: number }>(
  'settlement_statement_by_id',
  `${SELECT} WHERE s.id = :id`
)
const selectByNumber = statement<StatementRow & { totals: StoredTotals }, { number: number }>(
  'settlement_statement_by_number',
  `${SELECT} WHERE s.number = :number`
)
const selectOfPeriod = statement<
  { id: number; number: number },
  { partnerId: number; from: Date; to: Date }
>(
  'settlement_statement_of_period',
  `SELECT id, number FROM settlement_statements
    WHERE partner_id = :partnerId AND period_from = :from AND period_to = :to AND status <> 'superseded'
    ORDER BY number DESC LIMIT 1`
)
const selectLastUntil = statement<
  StatementRef & Pick<Period, 'to'>,
  { partnerId: number; until: Date }
>(
  'settlement_statement_until',
  `SELECT id, number, period_to AS "to" FROM settlement_statements
    WHERE partner_id = :partnerId AND period_to <= :until AND status <> 'superseded' ORDER BY period_to DESC LIMIT 1`
)
const lockStatementRow = statement<object, { id: number }>(
  'settlement_statement_lock',
  'SELECT 1 FROM settlement_statements WHERE id = :id FOR NO KEY UPDATE'
)
const selectOfPartner = statement<
  StatementRow & { totals: StoredTotals },
  { partnerId: number; limit: number }
>(
  'settlement_statements_of_partner',
  `${SELECT} WHERE s.partner_id = :partnerId ORDER BY s.period_from DESC, s.number DESC LIMIT :limit`
)

const toStatement = ({ totals, ...row }: StatementRow & { totals: StoredTotals }) => ({
  ...row,
  totals: fromStoredTotals(totals),
})

/** Refuses NO_SUCH. */
export async function findStatement(
  id: number,
  client?: QueryClientContract
): Promise<SettlementStatement> {
  const row = await selectById.first({ id }, client)
  if (!row) refuse('NO_SUCH', { what: 'statement' })
  return toStatement(row)
}

/** Refuses NO_SUCH. */
export async function findStatementByNumber(number: number): Promise<SettlementStatement> {
  const row = await selectByNumber.first({ number })
  if (!row) refuse('NO_SUCH', { what: 'statement' })
  return toStatement(row)
}

/** The statement in force for a period; null while the period is open. */
export async function findStatementOfPeriod(
  partnerId: number,
  { from, to }: Period,
  client?: QueryClientContract
) {
  const found = await selectOfPeriod.first({ partnerId, from, to }, client)
  return found ? { statementId: found.id, number: found.number } : null
}

/** The latest statement in force that ends by a moment. */
export const findLastStatementUntil = (
  partnerId: number,
  until: Date,
  client?: QueryClientContract
) => selectLastUntil.first({ partnerId, until }, client)

/** Locks a statement for a change of its status. Refuses NO_SUCH. */
export async function lockStatement(id: number, trx: QueryClientContract) {
  await lockStatementRow({ id }, trx)
  return findStatement(id, trx)
}

/** The newest first. */
export async function listStatements(partnerId: number, limit = 100) {
  const rows = await selectOfPartner({ partnerId, limit })
  return rows.map(toStatement)
}
