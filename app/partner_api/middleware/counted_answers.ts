import { whenOver } from '#http/exchange'
import { PREFIX } from '#partner_api/prefix'
import { countAnswer, writeCounts } from '#partners/answer_counts'
import { recordRefusal, writeRefusals } from '#partners/recent_refusals'
import type { HttpContext } from '@adonisjs/core/http'
import app from '@adonisjs/core/services/app'

app.terminating(async () => {
  await Promise.all([writeCounts().catch(() => {}), writeRefusals()])
})

/** After the response: counts it, and keeps a refusal for the staff's page of the partner. */
export function countWhenAnswered(ctx: HttpContext, partnerId: number) {
  whenOver(ctx, () => {
    // While terminating, both were written for the last time already.
    if (app.isTerminating) return
    countAnswer(partnerId, ctx.refusalCode)
    if (!ctx.refusalCode) return
    const pattern = ctx.route?.pattern.replace(PREFIX, '') ?? ''
    recordRefusal(partnerId, {
      at: new Date().toISOString(),
      operation: `${ctx.request.method()} ${pattern}`,
      status: ctx.response.response.statusCode,
      code: ctx.refusalCode,
      requestId: ctx.requestId,
    })
  })
}
