import { done } from '#back_office/shell/done'
import type { HttpContext } from '@adonisjs/core/http'

/** To the page of what was asked for, whether it is new or somebody has asked the same before. */
export const toRun = (ctx: HttpContext, { runId, isNew }: { runId: number; isNew: boolean }) =>
  done(ctx, isNew ? 'runs.asked' : 'runs.known', {}, `/back-office/runs/${runId}`)
