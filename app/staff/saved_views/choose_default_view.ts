import { findVisibleView } from '#staff/saved_views/find_view'
import type { Viewer } from '#staff/saved_views/saved_view'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

interface ChooseDefaultViewInput {
  viewer: Viewer
  list: string
  /** Null: the list opens with all its rows. */
  viewId: number | null
}

const setDefault = statement<object, { staffId: number; list: string; viewId: number }>(
  'staff_default_view_set',
  `INSERT INTO default_views (staff_id, list, view_id) VALUES (:staffId, :list, :viewId)
   ON CONFLICT (staff_id, list) DO UPDATE SET view_id = excluded.view_id`
)
const clearDefault = statement<object, { staffId: number; list: string }>(
  'staff_default_view_clear',
  'DELETE FROM default_views WHERE staff_id = :staffId AND list = :list'
)

/** The view that a list opens with for one person, as a language is for one person: it is not in the journal. Refuses NO_SUCH. */
export default class ChooseDefaultView {
  async handle({ viewer, list, viewId }: ChooseDefaultViewInput) {
    const { staffId } = viewer
    await transaction(async (trx) => {
      if (viewId === null) {
        await clearDefault({ staffId, list }, trx)
        return
      }
      const view = await findVisibleView(viewId, viewer, trx)
      if (view.list !== list) refuse('NO_SUCH', { what: 'view' })
      await setDefault({ staffId, list, viewId }, trx)
    })
  }
}
