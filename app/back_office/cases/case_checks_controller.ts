import { monthValidator } from '#back_office/cases/case_validators'
import { done } from '#back_office/shell/done'
import { findPartner } from '#partners/queries/find_partner'
import RefreshDefects from '#settlement/actions/refresh_defects'
import { periodAround } from '#settlement/periods'
import type { HttpContext } from '@adonisjs/core/http'

/** Somebody has a month of a partner judged anew. */
export default class CaseChecksController {
  async store(ctx: HttpContext) {
    const { month } = await ctx.request.validateUsing(monthValidator)
    const { id: partnerId } = await findPartner(String(ctx.params.code))
    const period = periodAround(new Date(`${month}-01T00:00:00+05:00`), 'month')
    const found = await new RefreshDefects().handle({ partnerId, ...period })
    return done(ctx, 'cases.checked', found)
  }
}
