import type { Language } from '#shared/languages'
import type { Actor } from '#shared/actor'
import { statement } from '#shared/statement'

/** How long a worker holds a run without renewing its claim (lease.ts). */
export const LEASE_SECONDS = 30

export interface ClaimedRun {
  id: number
  kind: string
  partnerId: number | null
  params: unknown
  language: Language
  attempts: number
  actor: Actor
  cancelAskedAt: Date | null
}

/**
 * Takes a queued run, or a running one whose lease has run out. No row when another worker has it.
 *
 * `asked_before` becomes the claim's own transaction id, which is above those of all that were writing when the run was
 * requested. The requester's own id may be below theirs: it took that with its first write, perhaps long before it asked.
 */
export const claimRun = statement<ClaimedRun, { id: number; claim: string }>(
  'settlement_run_claim',
  `UPDATE settlement_runs
      SET state = 'running', claim = :claim, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
          attempts = attempts + 1, asked_before = pg_current_xact_id(),
          started_at = coalesce(started_at, clock_timestamp()), progress = NULL
    WHERE id = :id AND not_before <= clock_timestamp()
      AND (state = 'queued' OR state = 'running' AND lease_until <= clock_timestamp())
   RETURNING id, kind, partner_id AS "partnerId", params, language, attempts, cancel_asked_at AS "cancelAskedAt",
             jsonb_build_object('kind', asked_by_kind, 'name', asked_by, 'requestId', request_id) AS actor`
)

/** Extends the lease and stores the progress. No row when another worker has claimed the run. */
export const renewLease = statement<
  { isCancelled: boolean },
  { id: number; claim: string; progress: string | null }
>(
  'settlement_run_renew_lease',
  `UPDATE settlement_runs
      SET progress = coalesce(:progress::jsonb, progress), lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id = :id AND claim = :claim AND state = 'running'
   RETURNING cancel_asked_at IS NOT NULL AS "isCancelled"`
)

/** Whether all transactions that were writing when the run was requested have ended, so that it sees what they wrote. */
export const haveEarlierWritesEnded = statement<{ haveEnded: boolean }, { id: number }>(
  'settlement_run_earlier_writes',
  `SELECT asked_before <= pg_snapshot_xmin(pg_current_snapshot()) AS "haveEnded" FROM settlement_runs WHERE id = :id`
)

interface CompletedRun {
  id: number
  claim: string
  result: string
  isKeptForEver: boolean
  /** How long its files are kept, unless for ever. */
  keptDays: number
  hasCommitted: boolean
  sawEarlierWrites: boolean
}

/** No row when another worker has claimed the run, or when it was cancelled before it had committed anything. */
export const completeRun = statement<{ id: number }, CompletedRun>(
  'settlement_run_succeed',
  `UPDATE settlement_runs
      SET state = 'succeeded', finished_at = clock_timestamp(), lease_until = NULL, result = :result,
          saw_earlier_writes = :sawEarlierWrites,
          kept_until = CASE WHEN :isKeptForEver THEN NULL ELSE clock_timestamp() + make_interval(days => :keptDays::int) END
    WHERE id = :id AND claim = :claim AND state = 'running' AND (cancel_asked_at IS NULL OR :hasCommitted) RETURNING id`
)

export const selectSucceeded = statement<{ id: number }, { id: number; claim: string }>(
  'settlement_run_succeeded',
  `SELECT id FROM settlement_runs WHERE id = :id AND claim = :claim AND state = 'succeeded'`
)

export const insertRunFile = statement<
  object,
  { runId: number; name: string; rows: number | null; bytes: number; sha256: string }
>(
  'settlement_run_file_insert',
  'INSERT INTO settlement_run_files (run_id, name, rows, bytes, sha256) VALUES (:runId, :name, :rows, :bytes, :sha256)'
)

/** Ends a run without a result: `failed` with an error, or `cancelled`. */
export const endRun = statement<
  object,
  { id: number; claim: string; state: string; error: string | null }
>(
  'settlement_run_end',
  `UPDATE settlement_runs SET state = :state, error = :error, finished_at = clock_timestamp(), lease_until = NULL
    WHERE id = :id AND claim = :claim AND state = 'running'`
)

/** Puts a run back into the queue; `forgivenAttempts` of its attempts do not count. */
export const requeueRun = statement<
  object,
  { id: number; claim: string; delaySeconds: number; forgivenAttempts: number }
>(
  'settlement_run_hand_back',
  `UPDATE settlement_runs
      SET state = 'queued', lease_until = NULL, progress = NULL, attempts = attempts - :forgivenAttempts,
          not_before = clock_timestamp() + make_interval(secs => :delaySeconds)
    WHERE id = :id AND claim = :claim AND state = 'running'`
)
