import { statement } from '#shared/statement'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import type { HttpContext } from '@adonisjs/core/http'

const selectState = statement<{ state: string }, { id: number }>(
  'back_office_run_state',
  `SELECT state FROM settlement_runs WHERE id = :id`
)

/** Redirects to the page of the run that was asked for; an equal run may exist already. */
export async function redirectToRun(
  ctx: HttpContext,
  { runId, isNew }: { runId: number; isNew: boolean }
) {
  const notice = isNew ? 'runs.asked' : await noticeOfKnown(runId)
  return redirectWithNotice(ctx, notice, {}, `/back-office/runs/${runId}`)
}

/** Only a run that succeeded has a result already. */
async function noticeOfKnown(runId: number) {
  const { state } = await selectState.one({ id: runId })
  return state === 'succeeded' ? 'runs.known' : 'runs.at_work'
}
