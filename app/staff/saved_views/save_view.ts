import {
  assertNameIsFree,
  assertRoomAmongShared,
  takeTurnOfList,
} from '#staff/saved_views/room_for_view'
import { MOST_VIEWS, type ViewContent, type Viewer } from '#staff/saved_views/saved_view'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

interface SaveViewInput extends ViewContent {
  viewer: Viewer
  list: string
  actor: Actor
}

/** Null when all places are taken. */
const findFreePlace = statement<
  { place: number | null },
  { staffId: number; list: string; most: number }
>(
  'staff_saved_view_place',
  `SELECT min(place) AS place FROM generate_series(1, :most::integer) AS place
    WHERE NOT EXISTS (SELECT FROM saved_views v WHERE v.staff_id = :staffId AND v.list = :list AND v.place = place.place)`
)
const insertView = statement<
  { id: number },
  {
    staffId: number
    list: string
    place: number
    name: string
    isShared: boolean
    filters: string
    columns: string[] | null
  }
>(
  'staff_saved_view_insert',
  `INSERT INTO saved_views (staff_id, list, place, name, is_shared, filters, columns)
   VALUES (:staffId, :list, :place, :name, :isShared, :filters, :columns) RETURNING id`
)

/** Saves filters and columns of a list under a name. Refuses NO_SUCH, TOO_MANY_VIEWS, TOO_MANY_SHARED_VIEWS, and a name that is taken. */
export default class SaveView {
  async handle({ viewer, list, name, isShared, filters, columns, actor }: SaveViewInput) {
    const { staffId } = viewer
    if (!viewer.lists.includes(list)) refuse('NO_SUCH', { what: 'list' })
    return transaction(async (trx) => {
      await takeTurnOfList(list, trx)
      await assertNameIsFree({ viewId: null, staffId, list, name }, trx)
      if (isShared) await assertRoomAmongShared(list, trx)
      const { place } = await findFreePlace.one({ staffId, list, most: MOST_VIEWS }, trx)
      if (place === null) refuse('TOO_MANY_VIEWS', { limit: MOST_VIEWS })
      const row = {
        staffId,
        list,
        place,
        name,
        isShared,
        filters: JSON.stringify(filters),
        columns,
      }
      const { id } = await insertView.one(row, trx)
      await record('view_saved', { list, name, is_shared: isShared, filters }, { actor }, trx)
      return { viewId: id }
    })
  }
}
