import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import type { Undo } from '#staff_area/shared_props'
import type { HttpContext } from '@adonisjs/core/http'

/** A key of the pages' texts, so that everybody reads in their own language that an entry of the journal is an undo. */
export const UNDO_REASON = 'undo.reason'

/**
 * Like `redirectWithNotice`; the notice offers to undo the act for some seconds. `undo` is the opposite act, as a request to an ordinary
 * route: with the version that this act left, so that a later change of somebody else is never undone. Null when nothing has changed.
 */
export function redirectWithUndo(
  ctx: HttpContext,
  key: string,
  values: Record<string, string | number>,
  undo: Undo | null
) {
  // An undo offers no undo.
  if (ctx.request.input('isUndo') === true) return redirectWithNotice(ctx, 'undo.done')
  return redirectWithNotice(ctx, key, values, undefined, undo && markedAsUndo(undo))
}

const markedAsUndo = ({ data, ...request }: Undo): Undo => ({
  ...request,
  data: { ...data, isUndo: true },
})
