import type { SavedViewsOfList } from '#staff_area/shared_props'
import type { SavedList } from '#staff_area/saved_views/saved_lists'
import { listSavedViews } from '#staff/saved_views/list_saved_views'
import type { SavedView } from '#staff/saved_views/saved_view'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/**
 * Gives the page of a list the person's views of it, and opens the one that the address names, or the one the list opens with:
 *
 *     /orders           →  /orders?status=paid&view=12     the default view
 *     /orders?view=12   →  /orders?status=paid&view=12
 *     /orders?view=all  stays: `all` is no view's id, so nothing is opened
 */
export default class SavedViewsMiddleware {
  async handle(ctx: HttpContext, next: NextFn, list: SavedList) {
    const { id: staffId } = ctx.auth.use('staff').getUserOrFail()
    const read = () => listSavedViews({ staffId, list })
    const { pathname, searchParams: asked } = new URL(ctx.request.request.url ?? '/', 'http://host')
    const namesOnlyView = [...asked.keys()].every((name) => name === 'view')
    if (namesOnlyView && !isPartOfPage(ctx)) {
      const view = viewToOpen(await read(), asked.get('view'))
      const query = view && new URLSearchParams({ ...view.filters, view: String(view.id) })
      if (query && String(query) !== String(asked)) {
        ctx.session.reflash()
        return ctx.response.redirect(`${pathname}?${query}`)
      }
    }
    ctx.inertia.share({
      savedViews: async () => ({ list, views: await read() }) satisfies SavedViewsOfList,
    })
    return next()
  }
}

const viewToOpen = (views: SavedView[], id: string | null) =>
  views.find((view) => (id === null ? view.isDefault : String(view.id) === id))

/** A page asks for some of its props again, and stays where it is. */
const isPartOfPage = ({ request }: HttpContext) =>
  request.header('X-Inertia-Partial-Data') !== undefined
