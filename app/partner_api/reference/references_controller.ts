import platform from '#config/platform'
import { sendPage } from '#http/send_compressed'
import { readOpenapi } from '#partner_api/reference/read_openapi'
import { renderReference, type Reference } from '#partner_api/reference/render_reference'
import { themeOf } from '#partner_api/reference/theme'
import app from '@adonisjs/core/services/app'
import type { HttpContext } from '@adonisjs/core/http'

let rendered: Promise<Reference> | undefined

export default class ReferencesController {
  async show(ctx: HttpContext) {
    // While the description is being written, each visit shows its newest text.
    if (!app.inProduction) rendered = undefined
    rendered ??= readOpenapi().then(renderReference)
    const canonical = `${platform.appUrl}/docs`
    const shown = { reference: await rendered, theme: themeOf(ctx.request), canonical }
    return sendPage(ctx, await ctx.view.render('reference/reference', shown))
  }
}
