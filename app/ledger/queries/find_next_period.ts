import { periodAround, periodFrom, type Period, type PeriodKind } from '#ledger/periods'
import { findTerms, findTermsAt, type TermsRow } from '#ledger/terms'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** The oldest period of a partner that is in no statement yet. */
export interface NextPeriod extends Period {
  /** Those in force when it begins, or when a partner first sold anything; what was withdrawn keeps its own. */
  terms: TermsRow
  /** Its end and the grace for what is still on its way. */
  closesAt: Date
  openingTenge: bigint
  /** Of the earliest movement that is in no statement: before the beginning, where one came late. */
  firstAt: Date | null
  prevId: number | null
  prevSha256: string | null
  /** The withdrawn statement whose place it takes. */
  supersedesId: number | null
}

interface Place {
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

const selectPlace = statement<Place, { partnerId: number }>(
  'settlement_place',
  `SELECT s.id AS "prevId", s.period_to AS "prevTo", s.closing_tenge AS "prevClosing", s.data_sha256 AS "prevSha256",
          (SELECT min(effective_at) FROM ledger_movements WHERE partner_id = a.partner_id AND statement_id IS NULL) AS "firstAt",
          gone.id AS "supersedesId", gone.period_from AS "supersededFrom", gone.period_to AS "supersededTo",
          gone.terms_id AS "supersededTermsId"
     FROM settlement_accounts a LEFT JOIN settlement_statements s ON s.id = a.last_statement_id
     LEFT JOIN LATERAL (
       SELECT w.id, w.period_from, w.period_to, w.terms_id FROM settlement_statements w
        WHERE w.partner_id = a.partner_id AND w.status = 'superseded'
          AND (w.period_from = s.period_to OR (s.id IS NULL AND w.prev_id IS NULL))
          AND NOT EXISTS (SELECT 1 FROM settlement_statements n WHERE n.supersedes_id = w.id)
        ORDER BY w.number DESC LIMIT 1) gone ON true
    WHERE a.partner_id = :partnerId`
)

const MINUTE_MS = 60_000

/** Null while a partner has never sold anything. */
export async function findNextPeriod(
  partnerId: number,
  client?: QueryClientContract
): Promise<NextPeriod | null> {
  const place = await selectPlace.one({ partnerId }, client)
  const begins = place.supersededFrom ?? place.prevTo ?? place.firstAt
  if (!begins) return null
  const terms = place.supersededTermsId
    ? await findTerms.one({ supersededTermsId: place.supersededTermsId }, client)
    : await findTermsAt.one({ partnerId, begins }, client)
  const period = periodOf(place, begins, terms.period)
  return {
    ...period,
    terms,
    closesAt: new Date(period.to.getTime() + terms.graceMinutes * MINUTE_MS),
    openingTenge: place.prevClosing ?? 0n,
    firstAt: place.firstAt,
    prevId: place.prevId,
    prevSha256: place.prevSha256,
    supersedesId: place.supersedesId,
  }
}

/** Whatever was withdrawn is issued anew for the same days. */
function periodOf({ supersededTo, prevTo }: Place, begins: Date, kind: PeriodKind): Period {
  if (supersededTo) return { from: begins, to: supersededTo }
  return prevTo ? periodFrom(begins, kind) : periodAround(begins, kind)
}
