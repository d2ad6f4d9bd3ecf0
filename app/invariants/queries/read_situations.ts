import { INVARIANT_NAMES, type InvariantName } from '#invariants/invariant_names'
import type { Situation } from '#invariants/next_run'
import { statement } from '#shared/statement'

interface SituationRow {
  name: InvariantName
  now: Date
  isAsked: boolean
  endedAt: Date | null
  tookMs: number | null
  wasFull: boolean | null
  isRed: boolean | null
  since: Date | null
  asOf: Date | null
  fullEndedAt: Date | null
  fullTookMs: number | null
  hasFullFailed: boolean | null
}

const selectSituations = statement<SituationRow, { names: string[] }>(
  'invariant_situations',
  `SELECT name, clock_timestamp() AS now, s.run_asked_at IS NOT NULL AS "isAsked",
          last.ended_at AS "endedAt", last.took_ms AS "tookMs", last.since IS NULL AS "wasFull",
          result.state = 'red' AS "isRed", result.since, result.as_of AS "asOf",
          whole.ended_at AS "fullEndedAt", whole.took_ms AS "fullTookMs", whole.state = 'failed' AS "hasFullFailed"
     FROM unnest(:names::text[]) WITH ORDINALITY AS names (name, place)
     LEFT JOIN invariant_states s ON s.invariant = name
     LEFT JOIN LATERAL (SELECT ended_at, took_ms, since FROM invariant_runs
                         WHERE invariant = name AND state <> 'running' ORDER BY id DESC LIMIT 1) last ON true
     LEFT JOIN LATERAL (SELECT state, since, as_of FROM invariant_runs
                         WHERE invariant = name AND state IN ('green', 'red') ORDER BY id DESC LIMIT 1) result ON true
     LEFT JOIN LATERAL (SELECT ended_at, took_ms, state FROM invariant_runs
                         WHERE invariant = name AND since IS NULL AND state <> 'running' ORDER BY id DESC LIMIT 1) whole ON true
    ORDER BY place`
)

/** What is known of each invariant's runs, in the order of the board. */
export async function readSituations(): Promise<(Situation & { name: InvariantName })[]> {
  const found = await selectSituations({ names: INVARIANT_NAMES })
  return found.map(({ name, now, isAsked, ...row }) => ({
    name,
    now,
    isAsked,
    ended: row.endedAt && {
      at: row.endedAt,
      tookMs: row.tookMs ?? 0,
      isFull: row.wasFull === true,
    },
    result: row.asOf && { isRed: row.isRed === true, since: row.since, asOf: row.asOf },
    full: row.fullEndedAt && {
      at: row.fullEndedAt,
      tookMs: row.fullTookMs ?? 0,
      hasFailed: row.hasFullFailed === true,
    },
  }))
}
