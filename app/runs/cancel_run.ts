import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

// A queued one is never started; a running one learns of it from its lease or when it ends. No row for a finished one.
const requestCancellation = statement<
  { kind: string; partnerId: number | null; state: string },
  { runId: number }
>(
  'settlement_run_cancel',
  `UPDATE settlement_runs
      SET cancel_asked_at = clock_timestamp(),
          state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END,
          finished_at = CASE WHEN state = 'queued' THEN clock_timestamp() END
    WHERE id = :runId AND state IN ('queued', 'running')
   RETURNING kind, partner_id AS "partnerId", state`
)

/**
 * Stops a run that is not over. Refuses REQUEST_NOT_OPEN for a finished one.
 *
 * A queued run is cancelled at once. A running one stops within a second, without a result or files, even when its work has
 * just ended. What it has committed is not undone: with all changes committed (a closed period) it succeeds nevertheless;
 * between two transactions (a check of orders, a partner's answers), or when its worker dies before it stores the result,
 * it is cancelled and the changes so far stay.
 */
export default class CancelRun {
  async handle({ runId, actor }: { runId: number; actor: Actor }) {
    await transaction(async (trx) => {
      const run = await requestCancellation.first({ runId }, trx)
      if (!run) refuse('REQUEST_NOT_OPEN')
      const subjects = { actor, ...(run.partnerId !== null && { partnerId: run.partnerId }) }
      await record('run_cancelled', { run: runId, kind: run.kind }, subjects, trx)
    })
  }
}
