import { whenOver } from '#http/exchange'
import { PREFIX } from '#partner_api/operations'
import { countAnswer, writeCounts } from '#partners/answer_counts'
import { recordRefusal } from '#partners/recent_refusals'
import type { HttpContext } from '@adonisjs/core/http'
import app from '@adonisjs/core/services/app'

app.terminating(() => writeCounts().catch(() => {}))

/** Once the answer is out it is counted, and a refusal is noted for the staff who look after the partner. */
export function noteIfRefused(ctx: HttpContext, partnerId: number) {
  whenOver(ctx, () => {
    // What is counted after the last writing would have to be written when the database is closed.
    if (!app.isTerminating) countAnswer(partnerId, ctx.refusalCode)
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
