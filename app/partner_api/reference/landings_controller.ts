import platform from '#config/platform'
import { sendPage } from '#http/send_compressed'
import { themeOf } from '#partner_api/reference/theme'
import en from '#resources/lang/en/landing.json' with { type: 'json' }
import kk from '#resources/lang/kk/landing.json' with { type: 'json' }
import ru from '#resources/lang/ru/landing.json' with { type: 'json' }
import type { HttpContext } from '@adonisjs/core/http'

const TEXTS = { ru, kk, en }
const LANGUAGES = ['ru', 'kk', 'en'] as const
const ADDRESSES = Object.fromEntries(
  LANGUAGES.map((code) => [code, `${platform.appUrl}/?lang=${code}`])
)

export default class LandingsController {
  async show(ctx: HttpContext) {
    const { request, view } = ctx
    const asked = request.input('lang')
    const language = LANGUAGES.find((code) => code === asked) ?? request.language([...LANGUAGES])
    const shown = (language ?? 'ru') as keyof typeof TEXTS
    const page = await view.render('reference/landing', {
      language: shown,
      languages: LANGUAGES,
      addresses: ADDRESSES,
      text: TEXTS[shown],
      theme: themeOf(request),
    })
    return sendPage(ctx, page)
  }
}
