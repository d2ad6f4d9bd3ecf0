import { findPlan } from '#catalog/queries/find_plan'
import { answerAs } from '#http/answer_policy'
import { sendCompressed } from '#http/send_compressed'
import type { HttpContext } from '@adonisjs/core/http'

/** A hall's SVG plan; the URL contains its digest, so it may be cached for ever. */
export default class HallPlansController {
  async show(ctx: HttpContext) {
    const { params, response } = ctx
    const digest = String(params.digest)
    const svg = await findPlan(digest)
    if (!svg)
      return response
        .status(404)
        .json({ error: { code: 'NOT_FOUND', message: 'No such plan', details: {} } })
    answerAs('plan', response.response)
    response.header('Content-Type', 'image/svg+xml; charset=utf-8')
    response.header('Access-Control-Allow-Origin', '*')
    return sendCompressed(ctx, svg, digest)
  }
}
