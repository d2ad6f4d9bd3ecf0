import { MOST_SHARED_VIEWS } from '#staff/saved_views/saved_view'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { takeTurn } from '#shared/turn'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const findNamesake = statement<object, NamedView>(
  'staff_saved_view_namesake',
  `SELECT FROM saved_views
    WHERE staff_id = :staffId AND list = :list AND lower(name) = lower(:name) AND id IS DISTINCT FROM :viewId`
)
const countShared = statement<{ count: number }, { list: string }>(
  'staff_saved_views_shared',
  'SELECT count(*)::int AS count FROM saved_views WHERE list = :list AND is_shared'
)

interface NamedView {
  /** Null for one that is not saved yet. */
  viewId: number | null
  staffId: number
  list: string
  name: string
}

/** One change of a list's views after the other, so that nothing below is overtaken. */
export const takeTurnOfList = (list: string, trx: TransactionClientContract) =>
  takeTurn(`saved views: ${list}`, trx)

/** Refuses a name that another view of the person and list has, in any case. */
export async function assertNameIsFree(view: NamedView, trx: TransactionClientContract) {
  if (await findNamesake.first(view, trx)) refuseField('name', 'taken', 'is taken by another view')
}

/** Refuses TOO_MANY_SHARED_VIEWS. */
export async function assertRoomAmongShared(list: string, trx: TransactionClientContract) {
  const { count } = await countShared.one({ list }, trx)
  if (count >= MOST_SHARED_VIEWS) refuse('TOO_MANY_SHARED_VIEWS', { limit: MOST_SHARED_VIEWS })
}
