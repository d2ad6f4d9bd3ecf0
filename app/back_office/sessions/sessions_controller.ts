import { SignInBudget } from '#back_office/sessions/sign_in_budget'
import { findBySecret } from '#back_office/sessions/sign_in'
import { sessionValidator } from '#back_office/sessions/session_validator'
import type { Staff } from '#back_office/staff/staff'
import { record } from '#shared/journal'
import type { HttpContext } from '@adonisjs/core/http'
import { transaction } from '#shared/transaction'

const SECONDS_IN_MINUTE = 60

export default class SessionsController {
  async create({ auth, inertia, response, session }: HttpContext) {
    if (await auth.use('staff').check()) return response.redirect().toRoute('back_office.overview')
    const waitMinutes = Number(session.flashMessages.get('waitMinutes', 0))
    return inertia.render('sessions/new', { waitMinutes })
  }

  async store(ctx: HttpContext) {
    const { auth, request, response } = ctx
    const { email, password } = await request.validateUsing(sessionValidator)
    const budget = new SignInBudget(request.ip(), email)
    const waitSeconds = await budget.spend()
    if (waitSeconds > 0) return this.#refuse(ctx, 'sign_in.throttled', waitSeconds)

    const staff = await findBySecret(email, password)
    if (!staff) return this.#refuse(ctx, 'sign_in.refused')

    await budget.restore()
    await auth.use('staff').login(staff)
    await this.#record('staff_signed_in', staff, ctx)
    return response.redirect().toIntendedRoute('back_office.overview')
  }

  async destroy(ctx: HttpContext) {
    const { auth, inertia, response, session } = ctx
    const staff = auth.use('staff').getUserOrFail()
    await this.#record('staff_signed_out', staff, ctx)
    await auth.use('staff').logout()
    session.clear()
    session.regenerate()
    inertia.clearHistory()
    return response.redirect().toRoute('back_office.sign_in')
  }

  #refuse({ response, session }: HttpContext, reason: string, waitSeconds = 0) {
    session.flash('inputErrorsBag', { email: [reason] })
    session.flash('waitMinutes', Math.ceil(waitSeconds / SECONDS_IN_MINUTE))
    return response.redirect().toRoute('back_office.sign_in')
  }

  #record(
    name: 'staff_signed_in' | 'staff_signed_out',
    { email }: Staff,
    { request, requestId }: HttpContext
  ) {
    const actor = { kind: 'staff', name: email, requestId } as const
    return transaction((trx) => record(name, { address: request.ip() }, { actor }, trx))
  }
}
