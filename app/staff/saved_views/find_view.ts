import type { ViewContent, Viewer } from '#staff/saved_views/saved_view'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface FoundView extends ViewContent {
  id: number
  list: string
  staffId: number
  /** E-mail of whoever made it. */
  madeBy: string
}

const lockView = statement<FoundView, { viewId: number }>(
  'staff_saved_view_lock',
  `SELECT v.id, v.list, v.staff_id AS "staffId", s.email AS "madeBy", v.name, v.is_shared AS "isShared", v.filters, v.columns
     FROM saved_views v JOIN staff s ON s.id = v.staff_id WHERE v.id = :viewId FOR UPDATE OF v`
)

/** A view that the person sees, locked. Refuses NO_SUCH, also where there is one that they do not see. */
export async function findVisibleView(
  viewId: number,
  { staffId, lists }: Viewer,
  trx: TransactionClientContract
): Promise<FoundView> {
  const view = await lockView.first({ viewId }, trx)
  const isVisible = view && (view.staffId === staffId || view.isShared)
  if (!isVisible || !lists.includes(view.list)) refuse('NO_SUCH', { what: 'view' })
  return view
}

/** The same, refused with NOT_YOUR_VIEW for everybody but its maker and administrators. */
export async function findOwnView(viewId: number, viewer: Viewer, trx: TransactionClientContract) {
  const view = await findVisibleView(viewId, viewer, trx)
  if (view.staffId !== viewer.staffId && !viewer.isAdmin) refuse('NOT_YOUR_VIEW')
  return view
}
