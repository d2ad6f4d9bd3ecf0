import { netMovement, toStoredTotals, type StoredTotals } from '#ledger/movements'
import { ZONE, type Period } from '#ledger/periods'
import { lockAccount, nextNumber, setLastStatement } from '#ledger/accounts'
import { carryAllocations } from '#ledger/actions/carry_allocations'
import { currentIssuer } from '#ledger/actions/set_issuer'
import { completeCharges } from '#ledger/actions/complete_charges'
import { recordRoundedSales, roundCharges } from '#ledger/actions/round_charges'
import { findChangedDocuments } from '#ledger/queries/find_changed_documents'
import { findBreaches } from '#ledger/queries/find_breaches'
import { findNextPeriod, TAKEN_MOVEMENTS, type NextPeriod } from '#ledger/queries/find_next_period'
import { findStatement } from '#ledger/queries/find_statement'
import { verifyStatementWithin } from '#ledger/queries/verify_statement'
import { sealedStatementToBe } from '#ledger/seal'
import { digestSealed, HASH_VERSION, type StatementSums } from '#ledger/statement_digest'
import { statementNumber } from '#ledger/statement_status'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { allowLongQueries } from '#shared/long_queries'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

interface IssueStatementInput {
  partnerCode: string
  /** The period to close; the next one when left out. */
  period?: Period
  actor: Actor
  signal?: AbortSignal
}

interface DrawnStatement {
  id: number
  /** The moment of its data, and of its issue, and the end of the time for dispute, with all of their microseconds. */
  asOf: string
  disputeUntil: string
}
const drawStatement = statement<DrawnStatement, { disputeDays: number }>(
  'settlement_statement_draw',
  `SELECT nextval(pg_get_serial_sequence('settlement_statements', 'id'))::int AS id, at::text AS "asOf",
          (at + make_interval(days => :disputeDays))::text AS "disputeUntil"
     FROM (SELECT clock_timestamp() AS at) clock`
)

/** A row of `settlement_statements` by its columns, without its hash. */
interface NewStatement {
  id: number
  number: number
  partner_id: number
  period_from: Date
  period_to: Date
  zone: string
  utc_offset_minutes: number
  terms_id: number
  opening_tenge: string
  closing_tenge: string
  totals: StoredTotals
  lines: number
  late_lines: number
  prev_id: number | null
  prev_sha256: string | null
  data_as_of: string
  issued_at: string
  issued_by: string
  dispute_until: string
  supersedes_id: number | null
  hash_version: number
}

const COLUMNS = `id, number, partner_id, period_from, period_to, zone, utc_offset_minutes, terms_id, opening_tenge, closing_tenge,
  totals, lines, late_lines, prev_id, prev_sha256, data_as_of, issued_at, issued_by, dispute_until, supersedes_id, hash_version`
// From the same JSON that was hashed.
const insertStatement = statement<object, { row: string; sha256: string }>(
  'settlement_statement_insert',
  `INSERT INTO settlement_statements (${COLUMNS}, data_sha256, status_by)
   OVERRIDING SYSTEM VALUE
   SELECT ${COLUMNS}, :sha256, issued_by FROM jsonb_populate_record(NULL::settlement_statements, :row::jsonb)`
)
const takeMovements = statement<object, { id: number; partnerId: number; from: Date; to: Date }>(
  'settlement_take_movements',
  `WITH ordered AS MATERIALIZED (
     SELECT id, row_number() OVER (ORDER BY effective_at, id) AS line FROM ledger_movements
      WHERE ${TAKEN_MOVEMENTS})
   UPDATE ledger_movements m SET statement_id = :id, line = ordered.line FROM ordered WHERE m.id = ordered.id`
)

/**
 * Closes a partner's oldest open period: takes every movement before its end that is in no statement yet, and the memos of a
 * superseded statement of the period, under the next number. A movement that commits later goes to the next statement and is
 * marked late. Refuses STALE, PERIOD_NOT_OVER, NOTHING_TO_SETTLE, TERMS_NOT_SET, ISSUER_NOT_SET,
 * DOCUMENTS_CHANGED while a memo or payment that it takes is no longer what was recorded, and STATEMENT_BLOCKED while movements
 * disagree with what causes them, or the statement before is no longer what was issued.
 */
export default class IssueStatement {
  async handle({ partnerCode, actor, period, signal }: IssueStatementInput) {
    return transaction(async (trx) => {
      await allowLongQueries(trx)
      const { partnerId } = await lockAccount(partnerCode, trx)
      const next = await findNextPeriod(partnerId, trx)
      if (!next) refuse('NOTHING_TO_SETTLE')
      if (period && !isSame(period, next)) refuse('STALE')
      if (next.terms.setBy === null) refuse('TERMS_NOT_SET')
      if (!(await currentIssuer(trx))) refuse('ISSUER_NOT_SET')
      if (next.closesAt.getTime() > Date.now())
        refuse('PERIOD_NOT_OVER', { closes_at: next.closesAt.toISOString() })
      await completeCharges(partnerId, trx)
      await this.#assertDocumentsHold(partnerId, next, trx)
      await this.#assertNoBreaches(partnerId, next, trx)
      await this.#assertPreviousHolds(next, trx)
      return this.#issue(partnerId, next, actor, trx)
    }, signal)
  }

  /** The seal of the statement would make a change of them look like what was recorded. */
  async #assertDocumentsHold(
    partnerId: number,
    { from, to }: NextPeriod,
    trx: TransactionClientContract
  ) {
    const documents = await findChangedDocuments({ partnerId, from, to }, trx)
    if (documents.length > 0) refuse('DOCUMENTS_CHANGED', { documents })
  }

  async #assertNoBreaches(partnerId: number, next: NextPeriod, trx: TransactionClientContract) {
    const { firstAt, to } = next
    // Late movements are checked as well.
    const from = firstAt && firstAt < next.from ? firstAt : next.from
    const breaches = await findBreaches({ partnerId, from, to }, trx)
    if (breaches.length > 0)
      refuse('STATEMENT_BLOCKED', {
        breaches: breaches.map(({ code, subject }) => ({ code, subject })),
      })
  }

  /** What was issued before must still be what was issued: a chain is never continued from a changed statement. */
  async #assertPreviousHolds({ prevId }: NextPeriod, trx: TransactionClientContract) {
    if (prevId === null) return
    const previous = await findStatement(prevId, trx)
    const wrong = await verifyStatementWithin(previous, trx)
    if (wrong.length > 0)
      refuse('STATEMENT_BLOCKED', {
        breaches: [{ code: 'STATEMENT_CHANGED', subject: statementNumber(previous.number) }],
      })
  }

  async #issue(partnerId: number, next: NextPeriod, actor: Actor, trx: TransactionClientContract) {
    const drawn = await drawStatement.one({ disputeDays: next.terms.disputeDays }, trx)
    const { id, asOf } = drawn
    await takeMovements({ id, partnerId, from: next.from, to: next.to }, trx)
    const rounded = { statementId: id, partnerId, to: next.to }
    await roundCharges(rounded, trx)
    const number = await nextNumber('statement', trx)
    const rowOf = (sums: StatementSums): NewStatement => ({
      id,
      number,
      partner_id: partnerId,
      period_from: next.from,
      period_to: next.to,
      zone: ZONE.name,
      utc_offset_minutes: ZONE.offsetMinutes,
      terms_id: next.terms.id,
      opening_tenge: String(next.openingTenge),
      closing_tenge: String(next.openingTenge + netMovement(sums.totals)),
      totals: toStoredTotals(sums.totals),
      lines: sums.lines,
      late_lines: sums.lateLines,
      prev_id: next.prevId,
      prev_sha256: next.prevSha256,
      data_as_of: asOf,
      issued_at: asOf,
      issued_by: actor.name,
      dispute_until: drawn.disputeUntil,
      supersedes_id: next.supersedesId,
      hash_version: HASH_VERSION,
    })
    const { from, prevId } = next
    const termsId = next.terms.id
    const scope = {
      form: HASH_VERSION,
      statementId: id,
      partnerId,
      from,
      termsId,
      prevId,
      asOf,
      isSuperseded: false,
    } as const
    const render = (sums: StatementSums) => sealedStatementToBe(rowOf(sums), trx)
    const digest = await digestSealed(scope, render, trx)
    const row = rowOf(digest)
    await insertStatement({ row: JSON.stringify(row), sha256: digest.sha256 }, trx)
    await recordRoundedSales(rounded, trx)
    await setLastStatement({ partnerId, statementId: id }, trx)
    await carryAllocations({ partnerId, fromId: next.supersedesId, toId: id }, actor, trx)
    const change = {
      statement: statementNumber(number),
      closing_tenge: row.closing_tenge,
      period_from: next.from.toISOString(),
      period_to: next.to.toISOString(),
      data_sha256: digest.sha256,
    }
    await record('statement_issued', change, { actor, partnerId }, trx)
    return { statementId: id, number }
  }
}

const isSame = (one: Period, other: Period) =>
  one.from.getTime() === other.from.getTime() && one.to.getTime() === other.to.getTime()
