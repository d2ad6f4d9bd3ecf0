import { periodAround, periodFrom, type Period, type PeriodKind } from '#ledger/periods'
import { findTermsById, findTermsAt, type TermsRow } from '#ledger/terms'
import { MINUTE_MS } from '#shared/days'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** The oldest period of a partner that is in no statement yet. */
export interface NextPeriod extends Period {
  /** The terms in force when the period begins; a superseded statement's terms when it is issued again. */
  terms: TermsRow
  /** Its end and the terms' grace time. */
  closesAt: Date
  openingTenge: bigint
  /** The earliest movement that is in no statement; before `from` when it is late. */
  firstAt: Date | null
  prevId: number | null
  prevSha256: string | null
  /** The superseded statement that this period's statement replaces. */
  supersedesId: number | null
}

/**
 * The open movements that a period's statement takes: what happened before its end, and memos that were made for a superseded
 * statement of this period, whenever they were made. Named parameters: partnerId, from, to.
 *
 * Example: SET-000001 of October is withdrawn in November; a memo of -1,000 is made for it then.
 *   SET-000002 of October takes the memo, although it is of November; November's statement doesn't.
 */
export const TAKEN_MOVEMENTS = `partner_id = :partnerId AND statement_id IS NULL
      AND (effective_at < :to OR source IN (
        SELECT 'memo:' || memo.id FROM settlement_statements s JOIN settlement_memos memo ON memo.origin_statement_id = s.id
         WHERE s.partner_id = :partnerId AND s.status = 'superseded' AND s.period_from = :from AND s.period_to = :to))`

/** A partner's last statement, its earliest open movement and the superseded statement to be issued again. */
interface AccountState {
  prevId: number | null
  prevTo: Date | null
  prevClosing: bigint | null
  prevSha256: string | null
  firstAt: Date | null
  supersedesId: number | null
  supersededFrom: Date | null
  supersededTo: Date | null
  supersededTermsId: number | null
}

// Of several withdrawn statements of one period only the latest has not been replaced.
const selectAccountState = statement<AccountState, { partnerId: number }>(
  'settlement_account_state',
  `SELECT last.id AS "prevId", last.period_to AS "prevTo", last.closing_tenge AS "prevClosing", last.data_sha256 AS "prevSha256",
          (SELECT min(effective_at) FROM ledger_movements WHERE partner_id = account.partner_id AND statement_id IS NULL) AS "firstAt",
          superseded.id AS "supersedesId", superseded.period_from AS "supersededFrom", superseded.period_to AS "supersededTo",
          superseded.terms_id AS "supersededTermsId"
     FROM settlement_accounts account LEFT JOIN settlement_statements last ON last.id = account.last_statement_id
     LEFT JOIN LATERAL (
       SELECT id, period_from, period_to, terms_id FROM settlement_statements
        WHERE partner_id = account.partner_id AND status = 'superseded'
          AND (period_from = last.period_to OR (last.id IS NULL AND prev_id IS NULL))
        ORDER BY number DESC LIMIT 1) superseded ON true
    WHERE account.partner_id = :partnerId`
)

/** Null while a partner has no movement. */
export async function findNextPeriod(
  partnerId: number,
  client?: QueryClientContract
): Promise<NextPeriod | null> {
  const state = await selectAccountState.one({ partnerId }, client)
  const begins = state.supersededFrom ?? state.prevTo ?? state.firstAt
  if (!begins) return null
  const terms = state.supersededTermsId
    ? await findTermsById.one({ termsId: state.supersededTermsId }, client)
    : await findTermsAt.one({ partnerId, at: begins }, client)
  const period = periodOf(state, begins, terms.period)
  return {
    ...period,
    terms,
    closesAt: new Date(period.to.getTime() + terms.graceMinutes * MINUTE_MS),
    openingTenge: state.prevClosing ?? 0n,
    firstAt: state.firstAt,
    prevId: state.prevId,
    prevSha256: state.prevSha256,
    supersedesId: state.supersedesId,
  }
}

/** A superseded statement is issued again for the same period. */
function periodOf({ supersededTo, prevTo }: AccountState, begins: Date, kind: PeriodKind): Period {
  if (supersededTo) return { from: begins, to: supersededTo }
  return prevTo ? periodFrom(begins, kind) : periodAround(begins, kind)
}
