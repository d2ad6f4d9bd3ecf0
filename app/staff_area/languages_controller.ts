import { setLanguage } from '#staff/actions/set_language'
import { LANGUAGES } from '#shared/languages'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

const languageValidator = vine.create({ language: vine.enum(LANGUAGES) })

/** Stores the language with the person, or before sign-in with the session. */
export default class LanguagesController {
  async update({ auth, request, response, session }: HttpContext) {
    const { language } = await request.validateUsing(languageValidator)
    const staff = auth.use('staff').user
    if (staff) await setLanguage({ staffId: staff.id, language })
    session.put('language', language)
    return response.redirect().back()
  }
}
