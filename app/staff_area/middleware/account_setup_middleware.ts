import { needsSecondFactor } from '#staff/second_factor'
import type { Staff } from '#staff/queries/find_staff'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/** Steps that a person has to do before anything else, with the page of each. */
const PAGES = {
  password: 'back_office.account.password',
  secondFactor: 'back_office.account.second_factor',
} as const
export type SetupStep = keyof typeof PAGES

export function openSetupStep({
  hasTemporaryPassword,
  hasSecondFactor,
  role,
}: Staff): SetupStep | null {
  if (hasTemporaryPassword) return 'password'
  return needsSecondFactor(role) && !hasSecondFactor ? 'secondFactor' : null
}

/** Redirects people with an open setup step to its page; `allowed` is the step that this route serves. */
export default class AccountSetupMiddleware {
  async handle({ auth, response }: HttpContext, next: NextFn, allowed?: SetupStep) {
    const step = openSetupStep(auth.use('staff').getUserOrFail())
    if (step === null || step === allowed) return next()
    return response.redirect().toRoute(PAGES[step])
  }
}
