import { INVARIANT_NAMES, type InvariantName } from '#invariants/invariant_names'
import { INVARIANTS } from '#invariants/invariants'
import { dueAt } from '#invariants/next_run'
import { HOUR_MS } from '#shared/days'
import { statement } from '#shared/statement'

interface LastResult {
  name: InvariantName
  now: Date
  firstSeenAt: Date
  isAlerted: boolean
  /** Null for one that has never come to a result. */
  endedAt: Date | null
  tookMs: number | null
}

const selectLastResults = statement<LastResult, { names: string[] }>(
  'invariant_last_results',
  `SELECT s.invariant AS name, clock_timestamp() AS now, s.first_seen_at AS "firstSeenAt", s.unchecked_alerted_at IS NOT NULL AS "isAlerted",
          result.ended_at AS "endedAt", result.took_ms AS "tookMs"
     FROM invariant_states s
     LEFT JOIN LATERAL (SELECT ended_at, took_ms FROM invariant_runs
                         WHERE invariant = s.invariant AND state IN ('green', 'red') ORDER BY id DESC LIMIT 1) result ON true
    WHERE s.invariant = ANY(:names) ORDER BY 1`
)

/** More than a run of another invariant may take, and the restart of a worker. */
export const UNCHECKED_AFTER_MS = HOUR_MS

export interface OverdueInvariant {
  name: InvariantName
  /** Since it should have been run again. */
  overdueMs: number
  /** Whoever is on duty was mailed about it. */
  isAlerted: boolean
}

/** Invariants that should have come to another result by now: nothing runs them, or their runs fail. */
export async function readOverdue(): Promise<OverdueInvariant[]> {
  const results = await selectLastResults({ names: INVARIANT_NAMES })
  return results
    .map(({ name, now, firstSeenAt, isAlerted, endedAt, tookMs }) => {
      const last = { at: endedAt ?? firstSeenAt, tookMs: tookMs ?? 0 }
      const due = dueAt(INVARIANTS[name], last)
      return { name, isAlerted, overdueMs: now.getTime() - due.getTime() }
    })
    .filter(({ overdueMs }) => overdueMs > 0)
}
