import type { IssuerPage } from '#finance/settlement/settlement_props'
import { issuerValidator } from '#finance/settlement/settlement_validators'
import type { ServerProps } from '#staff_area/page_props'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import SetIssuer, { currentIssuer } from '#ledger/actions/set_issuer'
import { listIssuers } from '#ledger/issuer'
import { transaction } from '#shared/transaction'
import type { HttpContext } from '@adonisjs/core/http'

export default class IssuersController {
  async show(ctx: HttpContext) {
    await transaction(currentIssuer)
    const rows = await listIssuers({})
    const issuers = rows.map((row) => ({ ...row, setAt: row.setAt.toISOString() }))
    return ctx.inertia.render('settlement/issuer', { issuers } satisfies ServerProps<IssuerPage>)
  }

  async store(ctx: HttpContext) {
    const issuer = await ctx.request.validateUsing(issuerValidator)
    await new SetIssuer().handle({ ...issuer, actor: ctx.actor })
    return redirectWithNotice(ctx, 'settlement.issuer_set')
  }
}
