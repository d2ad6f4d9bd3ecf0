import { answer } from '#partner_api/envelope'
import { paymentInfoIn, receivedConfirm } from '#partner_api/middleware/received_confirm'
import { presentOrderWithTickets } from '#partner_api/orders/order_presenter'
import { check, moment, text } from '#partner_api/validation'
import ConfirmOrder, { type Payment } from '#sales/confirm_order/confirm_order'
import { readInstant } from '#shared/instants'
import { Refusal } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

export const confirmValidator = vine.create({
  payment_info: vine.object({
    amount_tenge: vine
      .number({ strict: true })
      .withoutDecimals()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER),
    paid_at: text(1, 64).use(moment()),
    external_payment_id: text(1, 128),
    currency: vine.enum(['KZT']),
    method: text(0, 64).optional(),
  }),
})

export default class OrderConfirmationsController {
  async store(ctx: HttpContext) {
    const paymentInfo = paymentInfoIn(ctx.body)
    const payment = await readPayment(ctx.body)
    if (!paymentInfo) throw payment
    const order = await new ConfirmOrder().handle({
      received: receivedConfirm(ctx, ctx.partner.id, paymentInfo),
      payment,
    })
    return answer(ctx, presentOrderWithTickets(order))
  }
}

/** Returns a refusal instead of throwing it: the attempt has to be recorded before the answer. */
async function readPayment(body: Record<string, unknown>): Promise<Payment | Refusal> {
  try {
    const { payment_info: info } = await check(confirmValidator, body)
    return {
      amountTenge: BigInt(info.amount_tenge),
      paidAtRaw: info.paid_at,
      paidAt: readInstant(info.paid_at)!,
      externalPaymentId: info.external_payment_id,
      currency: info.currency,
      method: info.method ?? null,
    }
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
