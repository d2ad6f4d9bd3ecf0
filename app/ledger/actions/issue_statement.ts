import { sumOf, toStored } from '#ledger/movements'
import { ZONE, type Period } from '#ledger/periods'
import { lockAccount, nextNumber } from '#ledger/queries/accounts'
import { completeCharges } from '#ledger/queries/complete_charges'
import { findBreaches } from '#ledger/queries/find_breaches'
import { findNextPeriod, type NextPeriod } from '#ledger/queries/find_next_period'
import { readFrozen, type StatementData, type StatementHead } from '#ledger/statement_data'
import { statementNumber } from '#ledger/statement_status'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { takeTime } from '#shared/patience'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

interface IssueStatementInput {
  partnerCode: string
  /** The one that is meant; whichever is the next when left out. */
  period?: Period
  actor: Actor
  signal?: AbortSignal
}

const drawId = statement<{ id: number }>(
  'settlement_statement_draw_id',
  `SELECT nextval(pg_get_serial_sequence('settlement_statements', 'id'))::int AS id`
)
const insertStatement = statement(
  'settlement_statement_insert',
  `INSERT INTO settlement_statements
     (id, number, partner_id, period_from, period_to, zone, utc_offset_minutes, terms_id, opening_tenge, closing_tenge, totals,
      lines, late_lines, data_sha256, prev_id, prev_sha256, data_as_of, issued_by, dispute_until, status_by,
      supersedes_id)
   OVERRIDING SYSTEM VALUE
   SELECT $18, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, clock_timestamp(), $16,
          clock_timestamp() + make_interval(days => $17), $16, $19`
)
const takeMovements = statement(
  'settlement_take_movements',
  `WITH ordered AS MATERIALIZED (
     SELECT id, row_number() OVER (ORDER BY effective_at, id) AS line FROM ledger_movements
      WHERE partner_id = $2 AND statement_id IS NULL AND effective_at < $3)
   UPDATE ledger_movements m SET statement_id = $1, line = ordered.line FROM ordered WHERE m.id = ordered.id`
)
const rememberLast = statement(
  'settlement_account_remember',
  'UPDATE settlement_accounts SET last_statement_id = $2 WHERE partner_id = $1'
)

/**
 * Closes the oldest open period of a partner: everything that had happened by its end and is in no statement yet, fixed
 * under the next number. What commits later goes to the next statement, marked as late (design: sweep, not date filter).
 * Refuses STALE, PERIOD_NOT_OVER, NOTHING_TO_SETTLE, TERMS_NOT_SET, and STATEMENT_BLOCKED while ledger and orders disagree.
 */
export default class IssueStatement {
  async handle({ partnerCode, actor, period, signal }: IssueStatementInput) {
    return transaction(async (trx) => {
      await takeTime(trx)
      const { partnerId } = await lockAccount(partnerCode, trx)
      const next = await findNextPeriod(partnerId, trx)
      if (!next) refuse('NOTHING_TO_SETTLE')
      if (period && !isSame(period, next)) refuse('STALE')
      if (next.terms.setBy === null) refuse('TERMS_NOT_SET')
      if (next.closesAt.getTime() > Date.now())
        refuse('PERIOD_NOT_OVER', { closes_at: next.closesAt.toISOString() })
      await completeCharges(partnerId, trx)
      await this.#assertSound(partnerId, next, trx)
      return this.#issue(partnerId, next, actor, trx)
    }, signal)
  }

  async #assertSound(partnerId: number, next: NextPeriod, trx: TransactionClientContract) {
    const { firstAt, to } = next
    // What came late is looked at as well.
    const from = firstAt && firstAt < next.from ? firstAt : next.from
    const breaches = await findBreaches({ partnerId, from, to }, trx)
    if (breaches.length > 0)
      refuse('STATEMENT_BLOCKED', {
        breaches: breaches.map(({ code, subject }) => ({ code, subject })),
      })
  }

  async #issue(partnerId: number, next: NextPeriod, actor: Actor, trx: TransactionClientContract) {
    const { id } = await drawId.one([], trx)
    await takeMovements([id, partnerId, next.to], trx)
    const number = await nextNumber('statement', trx)
    const head = { ...next, number, partnerId, termsId: next.terms.id }
    const data = await readFrozen(id, head, trx)
    const closingTenge = next.openingTenge + sumOf(data.totals)
    const values = columns(head, data, closingTenge, next, actor)
    await insertStatement([...values, id, next.supersedesId], trx)
    await rememberLast([partnerId, id], trx)
    const told = { statement: statementNumber(number), closing_tenge: String(closingTenge) }
    const period = { period_from: next.from.toISOString(), period_to: next.to.toISOString() }
    const change = { ...told, ...period, data_sha256: data.sha256 }
    await record('statement_issued', change, { actor, partnerId }, trx)
    return { statementId: id, number }
  }
}

const isSame = (one: Period, other: Period) =>
  one.from.getTime() === other.from.getTime() && one.to.getTime() === other.to.getTime()

const columns = (
  head: StatementHead,
  data: StatementData,
  closingTenge: bigint,
  { terms, prevId }: NextPeriod,
  actor: Actor
) => [
  ...[head.number, head.partnerId, head.from, head.to, ZONE.name, ZONE.offsetMinutes],
  ...[head.termsId, head.openingTenge, closingTenge, JSON.stringify(toStored(data.totals))],
  ...[data.lines, data.lateLines, data.sha256, prevId, head.prevSha256],
  ...[actor.name, terms.disputeDays],
]
