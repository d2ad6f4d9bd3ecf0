import type { HttpContext } from '@adonisjs/core/http'

/** Goes back to the page where an act was asked for, or to `path`, and tells there, once, that it was done: `key` is one of the pages' texts. */
export function done(
  { requestId, response, session }: HttpContext,
  key: string,
  values: Record<string, string | number> = {},
  path?: string
) {
  session.flash('done', { id: requestId, key, values })
  // With the filters of the list where it was asked for.
  return path ? response.redirect().toPath(path) : response.redirect().withQs().back()
}
