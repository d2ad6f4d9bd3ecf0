import type { PaymentName } from '#finance/settlement/settlement_props'
import { Refusal } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

const KEY = 'existingPayment'

/** Flashes the payment that a refused one repeats: the error of a form has no room for it. */
export async function namingExisting<Recorded>(ctx: HttpContext, recorded: Promise<Recorded>) {
  try {
    return await recorded
  } catch (error) {
    if (error instanceof Refusal && error.refusalCode === 'PAYMENT_EXISTS')
      ctx.session.flash(KEY, nameOf(error.details))
    throw error
  }
}

/** The payment that the last request of this person would have repeated. */
export const existingPaymentOf = ({ session }: HttpContext): PaymentName | null =>
  session.flashMessages.get(KEY) ?? null

const nameOf = (details: Refusal['details']): PaymentName => ({
  id: Number(details.payment_id),
  bankReference: String(details.bank_reference),
  paidOn: String(details.paid_on),
  amountTenge: Number(details.amount_tenge),
})
