import { LANGUAGES, type Language } from '#shared/languages'
import type { HttpContext } from '@adonisjs/core/http'

/** The language of the person, of the session before sign-in, else of the browser. */
export function languageOf({ auth, request, session }: HttpContext): Language {
  const ofPerson = auth.use('staff').user?.language
  const ofSession = session.get('language') as Language | undefined
  return ofPerson ?? ofSession ?? (request.language([...LANGUAGES]) as Language | null) ?? 'ru'
}
