import { statement } from '#shared/statement'

export const insertRun = statement<{ id: bigint }, { name: string; since: Date | null }>(
  'invariant_run_insert',
  `INSERT INTO invariant_runs (invariant, since, asked_by)
   VALUES (:name, :since, (SELECT run_asked_by FROM invariant_states WHERE invariant = :name)) RETURNING id`
)

/** No row when another worker has taken the board over and dropped the run. */
export const settleRun = statement<
  { startedAt: Date },
  {
    id: bigint
    state: 'green' | 'red' | 'failed'
    asOf: string | null
    tookMs: number
    rows: number | null
    found: number | null
    counterexamples: string | null
    failure: string | null
  }
>(
  'invariant_run_settle',
  `UPDATE invariant_runs
      SET state = :state, as_of = :asOf, ended_at = clock_timestamp(), took_ms = :tookMs, rows_looked_at = :rows,
          found = :found, counterexamples = :counterexamples, failure = :failure
    WHERE id = :id AND state = 'running' RETURNING started_at AS "startedAt"`
)

export const lockState = statement<{ isRed: boolean }, { name: string }>(
  'invariant_state_lock',
  `INSERT INTO invariant_states AS s (invariant) VALUES (:name)
   ON CONFLICT (invariant) DO UPDATE SET red_since = s.red_since RETURNING red_since IS NOT NULL AS "isRed"`
)

/** A turn to red is yet to be mailed. */
export const storeState = statement<object, { name: string; isRed: boolean }>(
  'invariant_state_store',
  `UPDATE invariant_states SET red_since = CASE WHEN :isRed::boolean THEN clock_timestamp() END, alerted_at = NULL
    WHERE invariant = :name`
)

/** A request that came during the run is kept for the next one. */
export const clearRequest = statement<object, { name: string; startedAt: Date }>(
  'invariant_request_clear',
  `UPDATE invariant_states SET run_asked_at = NULL, run_asked_by = NULL
    WHERE invariant = :name AND run_asked_at <= :startedAt`
)
