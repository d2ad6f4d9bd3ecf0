import type { ReceivedConfirm, SentPaymentInfo } from '#sales/confirm_order/confirm_attempt'
import type { HttpContext } from '@adonisjs/core/http'

/** The `payment_info` of a confirm, null when the body has none. */
export function paymentInfoIn(body: unknown): SentPaymentInfo | null {
  const info = (body as { payment_info?: unknown } | null)?.payment_info
  return typeof info === 'object' && info !== null && !Array.isArray(info)
    ? (info as SentPaymentInfo)
    : null
}

/** What a confirm request says, with the moment of its arrival. */
export function receivedConfirm(
  { request, params, requestId, arrivedAt }: HttpContext,
  partnerId: number,
  paymentInfo: SentPaymentInfo
): ReceivedConfirm {
  return {
    partnerId,
    actor: { kind: 'partner', name: request.header('x-api-key')!, requestId },
    orderId: String(params.order_id),
    timestampSent: request.header('x-timestamp') ?? null,
    arrivedAt,
    paymentInfo,
  }
}
