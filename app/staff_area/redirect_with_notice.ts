import type { Notice, Undo } from '#staff_area/shared_props'
import type { HttpContext } from '@adonisjs/core/http'

/**
 * Redirects to `path`, or back to the page of the form, and flashes a notice there that the action succeeded.
 * `key` is a key of the pages' texts; `values` fill its placeholders.
 */
export function redirectWithNotice(
  ctx: HttpContext,
  key: string,
  values: Record<string, string | number> = {},
  path?: string,
  undo: Undo | null = null
) {
  flashNotice(ctx, key, values, undo)
  // Back keeps the query, so that a list stays filtered.
  return path ? ctx.response.redirect().toPath(path) : ctx.response.redirect().withQs().back()
}

/** Shows a notice on the next page, for controllers that choose their own redirect. */
export function flashNotice(
  { requestId, session }: HttpContext,
  key: string,
  values: Record<string, string | number> = {},
  undo: Undo | null = null
) {
  session.flash('notice', { id: requestId, key, values, undo } satisfies Notice)
}
