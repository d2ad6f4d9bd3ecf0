import { monthValidator } from '#back_office/cases/case_validators'
import { done } from '#back_office/shell/done'
import RefreshDefects from '#settlement/actions/refresh_defects'
import { periodAround } from '#settlement/periods'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { HttpContext } from '@adonisjs/core/http'

const findPartner = statement<{ id: number }>(
  'back_office_case_check_partner',
  'SELECT id FROM partners WHERE code = $1'
)

/** Somebody has a month of a partner judged anew. */
export default class CaseChecksController {
  async store(ctx: HttpContext) {
    const { month } = await ctx.request.validateUsing(monthValidator)
    const partner = await findPartner.first([String(ctx.params.code)])
    if (!partner) refuse('NO_SUCH', { what: 'partner' })
    const period = periodAround(new Date(`${month}-01T00:00:00+05:00`), 'month')
    const found = await new RefreshDefects().handle({ partnerId: partner.id, ...period })
    return done(ctx, 'cases.checked', found)
  }
}
