import platform from '#config/platform'
import { underLease } from '#invariants/board_lease'
import { ensureInvariantStates } from '#invariants/invariant_states'
import { INVARIANTS } from '#invariants/invariants'
import type { InvariantName } from '#invariants/invariant_names'
import { nextRun } from '#invariants/next_run'
import { readSituations } from '#invariants/queries/read_situations'
import { runInvariant } from '#invariants/run_invariant'
import { BackgroundThrottle } from '#shared/background_throttle'
import { MINUTE_MS } from '#shared/days'
import { hasRecentRequests } from '#shared/rate_limit'
import { sumNumbers } from '#shared/sums'
import { statement } from '#shared/statement'

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

/** A longer job would keep the page Jobs from showing that its turns end; the schedule begins the next one at once. */
const TURN_MS = 10 * MINUTE_MS

/**
 * Runs the invariants that are due, one after another, in one worker at a time; after each, the one that is expected to be the
 * shortest of those that are due by then. The first error is thrown at the end.
 */
export default async function checkInvariants(stopping?: AbortSignal): Promise<void> {
  await underLease(async (signal) => {
    await dropInterrupted({})
    await ensureInvariantStates()
    await pruneRuns({})
    const throttle = new BackgroundThrottle({
      hasRecentRequests,
      pauseFactor: platform.runPauseFactor,
      signal,
    })
    const errors = new Map<InvariantName, unknown>()
    const endsAt = performance.now() + TURN_MS
    while (performance.now() < endsAt) {
      const due = await selectDue()
      const next = due.find(({ name }) => !errors.has(name))
      if (!next) break
      try {
        await runInvariant({ name: next.name, since: next.since, throttle, signal })
      } catch (error) {
        if (signal.aborted) throw signal.reason
        errors.set(next.name, error)
      }
    }
    for (const error of errors.values()) throw error
  }, stopping)
}

/** The runs that are due, the shortest first. */
async function selectDue() {
  const situations = await readSituations()
  const large = situations.filter(({ name }) => INVARIANTS[name].fullEveryMs !== null)
  const allFullMs = sumNumbers(large, ({ full }) => full?.tookMs ?? 0)
  return situations
    .flatMap(({ name, ...situation }) => {
      const next = nextRun(INVARIANTS[name], situation, allFullMs)
      return next ? [{ name, ...next }] : []
    })
    .toSorted((one, other) => one.expectedMs - other.expectedMs)
}
