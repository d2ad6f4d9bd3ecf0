import { netMovement, toStoredTotals } from '#ledger/movements'
import { ZONE, type Period } from '#ledger/periods'
import { lockAccount, nextNumber, setLastStatement } from '#ledger/accounts'
import { currentIssuer } from '#ledger/actions/set_issuer'
import { completeCharges } from '#ledger/actions/complete_charges'
import { findBreaches } from '#ledger/queries/find_breaches'
import { findNextPeriod, TAKEN_MOVEMENTS, type NextPeriod } from '#ledger/queries/find_next_period'
import { digestStatement } from '#ledger/statement_digest'
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

const nextId = statement<{ id: number }>(
  'settlement_statement_draw_id',
  `SELECT nextval(pg_get_serial_sequence('settlement_statements', 'id'))::int AS id`
)

interface NewStatement {
  id: number
  number: number
  partnerId: number
  from: Date
  to: Date
  zone: string
  offsetMinutes: number
  termsId: number
  openingTenge: bigint
  closingTenge: bigint
  totals: string
  lines: number
  lateLines: number
  sha256: string
  prevId: number | null
  prevSha256: string | null
  issuedBy: string
  disputeDays: number
  supersedesId: number | null
}

const insertStatement = statement<object, NewStatement>(
  'settlement_statement_insert',
  `INSERT INTO settlement_statements
     (id, number, partner_id, period_from, period_to, zone, utc_offset_minutes, terms_id, opening_tenge, closing_tenge, totals,
      lines, late_lines, data_sha256, prev_id, prev_sha256, data_as_of, issued_by, dispute_until, status_by,
      supersedes_id)
   OVERRIDING SYSTEM VALUE
   SELECT :id, :number, :partnerId, :from, :to, :zone, :offsetMinutes, :termsId, :openingTenge, :closingTenge, :totals, :lines, :lateLines, :sha256, :prevId, :prevSha256, clock_timestamp(), :issuedBy,
          clock_timestamp() + make_interval(days => :disputeDays), :issuedBy, :supersedesId`
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
 * superseded statement of the period, under the next number. A movement that commits later goes to the next statement and is marked late. Refuses STALE, PERIOD_NOT_OVER,
 * NOTHING_TO_SETTLE, TERMS_NOT_SET, ISSUER_NOT_SET, and STATEMENT_BLOCKED while movements disagree with what causes them.
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
      await this.#assertNoBreaches(partnerId, next, trx)
      return this.#issue(partnerId, next, actor, trx)
    }, signal)
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

  async #issue(partnerId: number, next: NextPeriod, actor: Actor, trx: TransactionClientContract) {
    const { id } = await nextId.one({}, trx)
    await takeMovements({ id, partnerId, from: next.from, to: next.to }, trx)
    const number = await nextNumber('statement', trx)
    const header = { ...next, number, partnerId, termsId: next.terms.id }
    const digest = await digestStatement(id, header, trx)
    const closingTenge = next.openingTenge + netMovement(digest.totals)
    await insertStatement(
      {
        id,
        number,
        partnerId,
        from: header.from,
        to: header.to,
        zone: ZONE.name,
        offsetMinutes: ZONE.offsetMinutes,
        termsId: header.termsId,
        openingTenge: header.openingTenge,
        closingTenge,
        totals: JSON.stringify(toStoredTotals(digest.totals)),
        lines: digest.lines,
        lateLines: digest.lateLines,
        sha256: digest.sha256,
        prevId: next.prevId,
        prevSha256: header.prevSha256,
        issuedBy: actor.name,
        disputeDays: next.terms.disputeDays,
        supersedesId: next.supersedesId,
      },
      trx
    )
    await setLastStatement({ partnerId, statementId: id }, trx)
    const change = {
      statement: statementNumber(number),
      closing_tenge: String(closingTenge),
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
