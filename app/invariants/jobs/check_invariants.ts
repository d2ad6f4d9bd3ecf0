import platform from '#config/platform'
import { underLease } from '#invariants/board_lease'
import { ensureInvariantStates } from '#invariants/invariant_states'
import { INVARIANTS } from '#invariants/invariants'
import { INVARIANT_NAMES, type InvariantName } from '#invariants/invariant_names'
import { nextRun, type Situation } from '#invariants/next_run'
import { runInvariant } from '#invariants/run_invariant'
import { BackgroundThrottle } from '#shared/background_throttle'
import { hasRecentRequests } from '#shared/rate_limit'
import { statement } from '#shared/statement'

interface SituationRow {
  name: InvariantName
  now: Date
  isAsked: boolean
  endedAt: Date | null
  tookMs: number | null
  isRed: boolean | null
  since: Date | null
  asOf: Date | null
  fullEndedAt: Date | null
  fullTriedAt: Date | null
}

const selectSituations = statement<SituationRow, { names: string[] }>(
  'invariant_situations',
  `SELECT name, clock_timestamp() AS now, s.run_asked_at IS NOT NULL AS "isAsked", last.ended_at AS "endedAt", last.took_ms AS "tookMs",
          result.state = 'red' AS "isRed", result.since, result.as_of AS "asOf",
          whole.ended_at AS "fullEndedAt", tried.ended_at AS "fullTriedAt"
     FROM unnest(:names::text[]) WITH ORDINALITY AS names (name, place)
     LEFT JOIN invariant_states s ON s.invariant = name
     LEFT JOIN LATERAL (SELECT ended_at, took_ms FROM invariant_runs
                         WHERE invariant = name AND state <> 'running' ORDER BY id DESC LIMIT 1) last ON true
     LEFT JOIN LATERAL (SELECT state, since, as_of FROM invariant_runs
                         WHERE invariant = name AND state IN ('green', 'red') ORDER BY id DESC LIMIT 1) result ON true
     LEFT JOIN LATERAL (SELECT ended_at FROM invariant_runs
                         WHERE invariant = name AND since IS NULL AND state IN ('green', 'red') ORDER BY id DESC LIMIT 1) whole ON true
     LEFT JOIN LATERAL (SELECT ended_at FROM invariant_runs
                         WHERE invariant = name AND since IS NULL AND state <> 'running' ORDER BY id DESC LIMIT 1) tried ON true
    ORDER BY place`
)

/** Runs of a worker that has died: whoever has the lease is the only one that runs anything. */
const dropInterrupted = statement(
  'invariant_runs_interrupted',
  `DELETE FROM invariant_runs WHERE state = 'running'`
)
const pruneRuns = statement(
  'invariant_runs_prune',
  `DELETE FROM invariant_runs
    WHERE ended_at < clock_timestamp() - CASE state WHEN 'green' THEN interval '7 days' ELSE interval '90 days' END`
)

/** Runs the invariants that are due, one after another, in one worker at a time. The errors of all are thrown at the end. */
export default async function checkInvariants(stopping?: AbortSignal): Promise<void> {
  await underLease(async (signal) => {
    await dropInterrupted({})
    await ensureInvariantStates()
    const throttle = new BackgroundThrottle({
      hasRecentRequests,
      pauseFactor: platform.runPauseFactor,
      signal,
    })
    const errors: unknown[] = []
    for (const row of await selectSituations({ names: INVARIANT_NAMES })) {
      const next = nextRun(INVARIANTS[row.name], situationOf(row))
      if (!next) continue
      try {
        await runInvariant({ name: row.name, since: next.since, throttle, signal })
      } catch (error) {
        if (signal.aborted) throw signal.reason
        errors.push(error)
      }
    }
    await pruneRuns({})
    if (errors.length > 0) throw errors[0]
  }, stopping)
}

function situationOf(row: SituationRow): Situation {
  const { now, isAsked, endedAt, tookMs, isRed, since, asOf, fullEndedAt, fullTriedAt } = row
  return {
    now,
    isAsked,
    ended: endedAt && { at: endedAt, tookMs: tookMs ?? 0 },
    result: asOf && { isRed: isRed === true, since, asOf },
    fullEndedAt,
    fullTriedAt,
  }
}
