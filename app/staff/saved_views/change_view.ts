import { findOwnView } from '#staff/saved_views/find_view'
import {
  assertNameIsFree,
  assertRoomAmongShared,
  takeTurnOfList,
} from '#staff/saved_views/room_for_view'
import type { ViewContent, Viewer } from '#staff/saved_views/saved_view'
import type { Actor } from '#shared/actor'
import { differences, record } from '#shared/journal'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

interface ChangeViewInput {
  viewId: number
  viewer: Viewer
  /** What is left out stays as it is. */
  changes: Partial<ViewContent>
  actor: Actor
}

const updateView = statement<
  object,
  {
    viewId: number
    name: string
    isShared: boolean
    filters: string
    columns: string[] | null
  }
>(
  'staff_saved_view_update',
  `UPDATE saved_views SET name = :name, is_shared = :isShared, filters = :filters, columns = :columns,
          updated_at = clock_timestamp() WHERE id = :viewId`
)

/** Renames or shares a view, or saves other filters and columns in it. Refuses NO_SUCH, NOT_YOUR_VIEW, TOO_MANY_SHARED_VIEWS, and a name that is taken. */
export default class ChangeView {
  async handle({ viewId, viewer, changes, actor }: ChangeViewInput) {
    await transaction(async (trx) => {
      const view = await findOwnView(viewId, viewer, trx)
      const { list, staffId } = view
      const { name, isShared, filters, columns } = { ...view, ...changes }
      await takeTurnOfList(list, trx)
      await assertNameIsFree({ viewId, staffId, list, name }, trx)
      if (isShared && !view.isShared) await assertRoomAmongShared(list, trx)
      await updateView({ viewId, name, isShared, filters: JSON.stringify(filters), columns }, trx)
      const was = { name: view.name, is_shared: view.isShared, filters: view.filters }
      const { columns: changedColumns, ...changed } = differences(
        { ...was, columns: view.columns },
        { name, is_shared: isShared, filters, columns }
      )
      const entry = {
        list,
        name: view.name,
        made_by: view.madeBy,
        changed,
        columns_changed: changedColumns ? true : null,
      }
      await record('view_changed', entry, { actor }, trx)
    })
  }
}
