import {
  recordTurnedAway,
  type ReceivedConfirm,
  type SentPaymentInfo,
} from '#sales/confirm_order/confirm_attempt'
import { recordAttemptLater } from '#sales/confirm_order/late_attempts'
import { busyReason } from '#shared/busy'
import { Refusal } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

const CONFIRM = /\/orders\/:order_id\/confirm$/

/** The `payment_info` of a confirm, null when the body has none. */
export function paymentInfoIn(body: unknown): SentPaymentInfo | null {
  const info = (body as { payment_info?: unknown } | null)?.payment_info
  return typeof info === 'object' && info !== null && !Array.isArray(info)
    ? (info as SentPaymentInfo)
    : null
}

/**
 * Records a confirm that was refused before it reached the order: the buyer may have been charged.
 * Never throws: the partner gets the same answer whether it could be recorded or not.
 */
export async function recordRefusedConfirm(
  ctx: HttpContext,
  partnerId: number,
  raw: Buffer,
  refusal: unknown,
  isSignatureValid: boolean
) {
  if (!(refusal instanceof Refusal) || !isConfirm(ctx)) return
  try {
    const received = readConfirm(ctx, partnerId, raw)
    if (!received) return
    const answer = { status: refusal.status!, code: refusal.refusalCode }
    await recordTurnedAway(received, isSignatureValid, answer)
  } catch (error) {
    ctx.logger.error(
      { err: error as Error, order: ctx.params.order_id as string, code: refusal.refusalCode },
      'a refused confirm left no trace'
    )
  }
}

/** Records, after the answer, a signed confirm that failed before it reached the order, because PostgreSQL was unavailable. */
export function recordFailedConfirm(
  ctx: HttpContext,
  partnerId: number,
  raw: Buffer,
  error: unknown
) {
  const received = isConfirm(ctx) ? readConfirm(ctx, partnerId, raw) : null
  if (!received) return
  const answer = busyReason(error)
    ? { status: 503, code: 'SERVICE_BUSY' }
    : { status: 500, code: 'INTERNAL_ERROR' }
  recordAttemptLater(received, answer)
}

const isConfirm = ({ route }: HttpContext) => CONFIRM.test(route?.pattern ?? '')

/** Null for a body without `payment_info`. */
function readConfirm(ctx: HttpContext, partnerId: number, raw: Buffer): ReceivedConfirm | null {
  const paymentInfo = paymentInfoIn(tryParse(raw))
  if (!paymentInfo) return null
  const { request, params, requestId, arrivedAt } = ctx
  return {
    partnerId,
    actor: { kind: 'partner', name: request.header('x-api-key')!, requestId },
    orderId: String(params.order_id),
    timestampSent: request.header('x-timestamp') ?? null,
    arrivedAt,
    paymentInfo,
  }
}

function tryParse(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString())
  } catch {
    return null
  }
}
