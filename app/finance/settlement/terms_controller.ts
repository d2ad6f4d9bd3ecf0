import { noteValidator, termsValidator } from '#finance/settlement/settlement_validators'
import { idOf } from '#staff_area/id_of'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import SetTerms from '#ledger/actions/set_terms'
import WithdrawTerms from '#ledger/actions/withdraw_terms'
import { FIRST_TERMS_FROM } from '#ledger/terms'
import { midnightOf } from '#shared/days'
import { refuseField } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

export default class TermsController {
  async store(ctx: HttpContext) {
    const asked = await ctx.request.validateUsing(termsValidator)
    const { validFrom, minPaymentTenge, penaltyTenge, ...terms } = asked
    const { requestId } = await new SetTerms().handle({
      ...terms,
      partnerCode: String(ctx.params.code),
      validFrom: validFrom === null ? FIRST_TERMS_FROM : readFutureDay(validFrom),
      minPaymentTenge: BigInt(minPaymentTenge),
      penaltyTenge: BigInt(penaltyTenge),
      actor: ctx.actor,
    })
    const key = requestId === null ? 'terms_set' : 'request_waits'
    return redirectWithNotice(ctx, `settlement.${key}`)
  }

  async destroy(ctx: HttpContext) {
    const { reason } = await ctx.request.validateUsing(noteValidator)
    const { isWithdrawn } = await new WithdrawTerms().handle({
      partnerCode: String(ctx.params.code),
      termsId: idOf(ctx, 'terms'),
      reason,
      actor: ctx.actor,
    })
    const key = isWithdrawn ? 'terms_withdrawn' : 'request_waits'
    return redirectWithNotice(ctx, `settlement.${key}`)
  }
}

function readFutureDay(day: string): Date {
  const midnight = midnightOf(day)
  if (midnight <= new Date()) refuseField('validFrom', 'future', 'settlement.terms_in_past')
  return midnight
}
