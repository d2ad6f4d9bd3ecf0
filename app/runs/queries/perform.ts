import type { RunProgress } from '#runs/run_body'
import type { Language } from '#shared/languages'
import type { Actor } from '#shared/actor'
import { statement } from '#shared/statement'

/** So long nobody else touches a run whose worker has not been heard of. */
export const LEASE_SECONDS = 30
const KEEP_DAYS = 30

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

/** Runs whose turn it is: new ones, ones to be tried again, and those whose worker is gone. */
export const selectDueRuns = statement<{ id: number }>(
  'settlement_runs_due',
  `SELECT id FROM settlement_runs
    WHERE state IN ('queued', 'running') AND not_before <= clock_timestamp()
      AND (state = 'queued' OR lease_until <= clock_timestamp())
    ORDER BY not_before, id LIMIT 20`
)

export const claimRun = statement<ClaimedRun, { id: number; claim: string }>(
  'settlement_run_claim',
  `UPDATE settlement_runs
      SET state = 'running', claim = :claim, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
          attempts = attempts + 1, started_at = coalesce(started_at, clock_timestamp()), progress = NULL
    WHERE id = :id AND not_before <= clock_timestamp()
      AND (state = 'queued' OR state = 'running' AND lease_until <= clock_timestamp())
   RETURNING id, kind, partner_id AS "partnerId", params, language, attempts, cancel_asked_at AS "cancelAskedAt",
             jsonb_build_object('kind', asked_by_kind, 'name', asked_by, 'requestId', request_id) AS actor`
)

const tell = statement<
  { isCancelled: boolean },
  { id: number; claim: string; progress: string | null }
>(
  'settlement_run_tell',
  `UPDATE settlement_runs
      SET progress = coalesce(:progress::jsonb, progress), lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id = :id AND claim = :claim AND state = 'running'
   RETURNING cancel_asked_at IS NOT NULL AS "isCancelled"`
)

/** How far it is, and that its worker is alive; undefined when somebody else has it. */
export const tellProgress = (id: number, claim: string, progress: RunProgress | null) =>
  tell.first({ id, claim, progress: progress && JSON.stringify(progress) })

/** Whether everything that was under way when it was asked has ended: what begins now sees all that was asked about. */
export const selectSettled = statement<{ isSettled: boolean }, { id: number }>(
  'settlement_run_settled',
  `SELECT asked_before <= pg_snapshot_xmin(pg_current_snapshot()) AS "isSettled" FROM settlement_runs WHERE id = :id`
)

/** No row when somebody else has taken it over. */
export const succeed = statement<
  { id: number },
  { id: number; claim: string; result: string; isKeptForEver: boolean; isSettled: boolean }
>(
  'settlement_run_succeed',
  `UPDATE settlement_runs
      SET state = 'succeeded', finished_at = clock_timestamp(), lease_until = NULL, result = :result, is_settled = :isSettled,
          kept_until = CASE WHEN :isKeptForEver THEN NULL ELSE clock_timestamp() + interval '${KEEP_DAYS} days' END
    WHERE id = :id AND claim = :claim AND state = 'running' RETURNING id`
)

export const selectSucceeded = statement<{ id: number }, { id: number; claim: string }>(
  'settlement_run_succeeded',
  `SELECT id FROM settlement_runs WHERE id = :id AND claim = :claim AND state = 'succeeded'`
)

export const insertFile = statement<
  object,
  { runId: number; name: string; rows: number | null; bytes: number; sha256: string }
>(
  'settlement_run_file_insert',
  'INSERT INTO settlement_run_files (run_id, name, rows, bytes, sha256) VALUES (:runId, :name, :rows, :bytes, :sha256)'
)

/** Ends it without a result: `failed` with an error, or `cancelled`. */
export const end = statement<
  object,
  { id: number; claim: string; state: string; error: string | null }
>(
  'settlement_run_end',
  `UPDATE settlement_runs SET state = :state, error = :error, finished_at = clock_timestamp(), lease_until = NULL
    WHERE id = :id AND claim = :claim AND state = 'running'`
)

/** Gives it back; `forgivenAttempts` of its attempts are not counted. */
export const handBack = statement<
  object,
  { id: number; claim: string; delaySeconds: number; forgivenAttempts: number }
>(
  'settlement_run_hand_back',
  `UPDATE settlement_runs
      SET state = 'queued', lease_until = NULL, progress = NULL, attempts = attempts - :forgivenAttempts,
          not_before = clock_timestamp() + make_interval(secs => :delaySeconds)
    WHERE id = :id AND claim = :claim AND state = 'running'`
)
