import platform from '#config/platform'
import { sendPage } from '#http/send_compressed'
import { renderGuide, type Guide } from '#partner_api/reference/guide'
import { themeOf } from '#partner_api/reference/theme'
import app from '@adonisjs/core/services/app'
import type { HttpContext } from '@adonisjs/core/http'
import { readFile } from 'node:fs/promises'

let rendered: Promise<Guide> | undefined

async function readGuide() {
  return renderGuide(await readFile(app.makePath('docs/api/guide.md'), 'utf8'))
}

export default class GuidesController {
  async show(ctx: HttpContext) {
    // While the guide is being written, each visit shows its newest text.
    if (!app.inProduction) rendered = undefined
    rendered ??= readGuide()
    const canonical = `${platform.appUrl}/docs/guide`
    const shown = { guide: await rendered, theme: themeOf(ctx.request), canonical }
    return sendPage(ctx, await ctx.view.render('reference/guide', shown))
  }
}
