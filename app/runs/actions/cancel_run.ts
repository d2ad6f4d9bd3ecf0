import { askToCancel } from '#runs/queries/ask'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { transaction } from '#shared/transaction'

/** Has a run stopped that is not over; what it has made so far is thrown away. Refuses REQUEST_NOT_OPEN. */
export default class CancelRun {
  async handle({ runId, actor }: { runId: number; actor: Actor }) {
    await transaction(async (trx) => {
      const run = await askToCancel.first({ runId }, trx)
      if (!run) refuse('REQUEST_NOT_OPEN')
      const subjects = { actor, ...(run.partnerId !== null && { partnerId: run.partnerId }) }
      await record('run_cancelled', { run: runId, kind: run.kind }, subjects, trx)
    })
  }
}
