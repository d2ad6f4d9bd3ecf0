import { sendCompressed } from '#http/send_compressed'
import { assertUnderPublicLimit } from '#partner_api/middleware/limits'
import { readOpenapi } from '#partner_api/reference/read_openapi'
import type { HttpContext } from '@adonisjs/core/http'

let rendered: Promise<string> | undefined

export default class OpenapiDocumentsController {
  async show(ctx: HttpContext) {
    await assertUnderPublicLimit(ctx)
    rendered ??= readOpenapi().then((document) => JSON.stringify(document))
    ctx.response.header('Content-Type', 'application/json; charset=utf-8')
    ctx.response.header('Access-Control-Allow-Origin', '*')
    return sendCompressed(ctx, await rendered)
  }
}
