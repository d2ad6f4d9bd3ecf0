import { needsSecondFactor } from '#staff/second_factor'
import type { Staff } from '#staff/queries/find_staff'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/** What somebody has to do before anything else, and where. */
const PAGES = {
  password: 'back_office.account.password',
  secondFactor: 'back_office.account.second_factor',
} as const
export type Owed = keyof typeof PAGES

export function owedBy({ hasTemporaryPassword, hasSecondFactor, role }: Staff): Owed | null {
  if (hasTemporaryPassword) return 'password'
  return needsSecondFactor(role) && !hasSecondFactor ? 'secondFactor' : null
}

/** Sends whoever has something to do first to do it; `settles` is what this route is for. */
export default class SettledMiddleware {
  async handle({ auth, response }: HttpContext, next: NextFn, settles?: Owed) {
    const owed = owedBy(auth.use('staff').getUserOrFail())
    if (owed === null || owed === settles) return next()
    return response.redirect().toRoute(PAGES[owed])
  }
}
