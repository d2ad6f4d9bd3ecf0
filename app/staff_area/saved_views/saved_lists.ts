import { may, type Ability } from '#staff_area/permissions'
import type { Viewer } from '#staff/saved_views/saved_view'
import type { HttpContext } from '@adonisjs/core/http'

/** Lists whose views can be saved, each with the right to see it. */
// prettier-ignore
export const SAVED_LISTS = {
  orders:    'orders.read',
  returns:   'cases.read',
  cases:     'settlement.read',
  registers: 'settlement.read',
  runs:      'settlement.read',
  events:    'events.read',
  partners:  'partners.read',
  webhooks:  'webhooks.read',
  journal:   'journal.read',
  staff:     'staff.read',
} as const satisfies Record<string, Ability>

export type SavedList = keyof typeof SAVED_LISTS

/** The signed-in person, with the lists that their role may see. */
export function viewerOf({ auth }: HttpContext): Viewer {
  const { id, role } = auth.use('staff').getUserOrFail()
  const lists = Object.entries(SAVED_LISTS).filter(([, ability]) => may(role, ability))
  return { staffId: id, isAdmin: role === 'admin', lists: lists.map(([list]) => list) }
}
