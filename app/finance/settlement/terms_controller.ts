import { termsValidator } from '#finance/settlement/settlement_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import SetTerms, { FIRST_TERMS_FROM } from '#ledger/actions/set_terms'
import { midnightOf } from '#shared/days'
import { refuseField } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

export default class TermsController {
  async store(ctx: HttpContext) {
    const asked = await ctx.request.validateUsing(termsValidator)
    const { validFrom, minPaymentTenge, penaltyTenge, ...terms } = asked
    await new SetTerms().handle({
      ...terms,
      partnerCode: String(ctx.params.code),
      validFrom: validFrom === null ? FIRST_TERMS_FROM : readFutureDay(validFrom),
      minPaymentTenge: BigInt(minPaymentTenge),
      penaltyTenge: BigInt(penaltyTenge),
      actor: ctx.actor,
    })
    return redirectWithNotice(ctx, 'settlement.terms_set')
  }
}

function readFutureDay(day: string): Date {
  const midnight = midnightOf(day)
  if (midnight <= new Date()) refuseField('validFrom', 'future', 'settlement.terms_in_past')
  return midnight
}
