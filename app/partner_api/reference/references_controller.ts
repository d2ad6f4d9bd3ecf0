import { themeOf } from '#partner_api/reference/theme'
import type { HttpContext } from '@adonisjs/core/http'

export default class ReferencesController {
  async show({ request, view }: HttpContext) {
    return view.render('reference/reference', { theme: themeOf(request) })
  }
}
