import { findRun } from '#finance/runs/read_run'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import type { HttpContext } from '@adonisjs/core/http'

/** To the page of what was asked for, whether it is new or somebody has asked the same before. */
export async function toRun(ctx: HttpContext, { runId, isNew }: { runId: number; isNew: boolean }) {
  const words = isNew ? 'runs.asked' : await wordsOfKnown(runId)
  return redirectWithNotice(ctx, words, {}, `/back-office/runs/${runId}`)
}

/** Only of what has succeeded there is something already. */
async function wordsOfKnown(runId: number) {
  const { state } = await findRun(runId)
  return state === 'succeeded' ? 'runs.known' : 'runs.at_work'
}
