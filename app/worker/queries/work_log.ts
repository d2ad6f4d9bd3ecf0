import { statement } from '#shared/statement'

/** Notes how a run of a job ended: `failure` null when well. */
export const noteRun = statement<
  object,
  { name: string; durationMs: number; error: string | null }
>(
  'job_run_note',
  `INSERT INTO job_runs AS r (job, ran_at, took_ms, succeeded_at, failed_at, failure, failures_in_row)
   VALUES (:name, clock_timestamp(), :durationMs, CASE WHEN :error::text IS NULL THEN clock_timestamp() END,
           CASE WHEN :error IS NOT NULL THEN clock_timestamp() END, :error, CASE WHEN :error IS NULL THEN 0 ELSE 1 END)
   ON CONFLICT (job) DO UPDATE
     SET ran_at = excluded.ran_at, took_ms = excluded.took_ms,
         succeeded_at = coalesce(excluded.succeeded_at, r.succeeded_at),
         failed_at = coalesce(excluded.failed_at, r.failed_at), failure = coalesce(excluded.failure, r.failure),
         failures_in_row = CASE WHEN excluded.failure IS NULL THEN 0 ELSE r.failures_in_row + 1 END`
)

/** Says that a worker is at work, and forgets those that were never heard of for a day. */
export const beat = statement<
  object,
  { id: string; host: string; pid: number; queues: string[]; isAlone: boolean }
>(
  'worker_beat',
  `WITH silent AS (DELETE FROM workers WHERE beat_at < clock_timestamp() - interval '1 day')
   INSERT INTO workers (id, host, pid, queues, is_alone) VALUES (:id, :host, :pid, :queues, :isAlone)
   ON CONFLICT (id) DO UPDATE SET is_alone = excluded.is_alone, beat_at = clock_timestamp()`
)

export const leave = statement<object, { id: string }>(
  'worker_leave',
  'DELETE FROM workers WHERE id = :id'
)
