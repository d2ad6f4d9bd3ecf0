import { messages } from '#staff_area/form_fields'
import { idOf } from '#staff_area/id_of'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { viewerOf } from '#staff_area/saved_views/saved_lists'
import ChangeView from '#staff/saved_views/change_view'
import ChooseDefaultView from '#staff/saved_views/choose_default_view'
import DeleteView from '#staff/saved_views/delete_view'
import SaveView from '#staff/saved_views/save_view'
import { LONGEST_NAME, type ViewFilters } from '#staff/saved_views/saved_view'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

/** A page of the list, and what somebody looks for just now: it may name a buyer, whose name would be kept. */
const NOT_SAVED = ['before', 'page', 'q']
/** The longest is a partner's code. Escaped as JSON all of them together stay below the 8,000 characters that the table takes. */
const LONGEST_FILTER = 64
const MOST_FILTERS = 15
const MOST_COLUMNS = 40
const NAME_IN_CODE = /^[a-z]\w{0,39}$/i

const name = () => vine.string().trim().minLength(1).maxLength(LONGEST_NAME)
const filters = () => vine.record(vine.string().maxLength(LONGEST_FILTER)).maxLength(MOST_FILTERS)
const columns = () =>
  vine.array(vine.string().regex(NAME_IN_CODE)).minLength(1).maxLength(MOST_COLUMNS).distinct()

const newViewValidator = vine.create({
  list: vine.string().maxLength(30),
  name: name(),
  isShared: vine.boolean(),
  filters: filters(),
  columns: columns().nullable(),
})
const changedViewValidator = vine.create({
  name: name().optional(),
  isShared: vine.boolean().optional(),
  filters: filters().optional(),
  columns: columns().nullable().optional(),
})
const defaultValidator = vine.create({ viewId: vine.number().positive().nullable() })
for (const validator of [newViewValidator, changedViewValidator, defaultValidator])
  validator.messagesProvider = messages

/** Views of lists: who may see a list may save views of it, so no right of their own. */
export default class SavedViewsController {
  async store(ctx: HttpContext) {
    const asked = await ctx.request.validateUsing(newViewValidator)
    const view = { ...asked, filters: filtersToSave(asked.filters) }
    await new SaveView().handle({ ...view, viewer: viewerOf(ctx), actor: ctx.actor })
    return redirectWithNotice(ctx, 'saved_views.saved', { name: view.name })
  }

  async update(ctx: HttpContext) {
    const asked = await ctx.request.validateUsing(changedViewValidator)
    const changes = asked.filters ? { ...asked, filters: filtersToSave(asked.filters) } : asked
    const viewId = idOf(ctx, 'view')
    await new ChangeView().handle({ viewId, changes, viewer: viewerOf(ctx), actor: ctx.actor })
    return redirectWithNotice(ctx, 'saved_views.changed')
  }

  async destroy(ctx: HttpContext) {
    const viewId = idOf(ctx, 'view')
    const deleted = await new DeleteView().handle({
      viewId,
      viewer: viewerOf(ctx),
      actor: ctx.actor,
    })
    return redirectWithNotice(ctx, 'saved_views.deleted', deleted)
  }

  async open(ctx: HttpContext) {
    const { viewId } = await ctx.request.validateUsing(defaultValidator)
    const list = String(ctx.params.list)
    await new ChooseDefaultView().handle({ list, viewId, viewer: viewerOf(ctx) })
    return redirectWithNotice(
      ctx,
      viewId ? 'saved_views.default_set' : 'saved_views.default_cleared'
    )
  }
}

function filtersToSave(asked: ViewFilters): ViewFilters {
  const kept = Object.entries(asked).filter(
    ([key]) => NAME_IN_CODE.test(key) && !NOT_SAVED.includes(key)
  )
  return Object.fromEntries(kept)
}
