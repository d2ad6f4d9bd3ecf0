import { findOwnView } from '#staff/saved_views/find_view'
import type { Viewer } from '#staff/saved_views/saved_view'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

const deleteView = statement<object, { viewId: number }>(
  'staff_saved_view_delete',
  'DELETE FROM saved_views WHERE id = :viewId'
)

/** Deletes a view for everybody who sees it. Refuses NO_SUCH and NOT_YOUR_VIEW. */
export default class DeleteView {
  async handle({ viewId, viewer, actor }: { viewId: number; viewer: Viewer; actor: Actor }) {
    return transaction(async (trx) => {
      const { list, name, madeBy, filters } = await findOwnView(viewId, viewer, trx)
      await deleteView({ viewId }, trx)
      await record('view_deleted', { list, name, made_by: madeBy, filters }, { actor }, trx)
      return { name }
    })
  }
}
