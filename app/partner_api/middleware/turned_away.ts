import { recordTurnedAway, type SentPaymentInfo } from '#sales/confirm_attempt'
import { Refusal } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

const CONFIRM = /\/orders\/:order_id\/confirm$/

/** The `payment_info` of a confirm, null when the body carries none. */
export function paymentInfoIn(body: unknown): SentPaymentInfo | null {
  const info = (body as { payment_info?: unknown } | null)?.payment_info
  return typeof info === 'object' && info !== null && !Array.isArray(info)
    ? (info as SentPaymentInfo)
    : null
}

/**
 * A confirm that never reached the order still leaves its trace: the buyer may have been charged.
 * Never throws: the partner gets the answer that is traced, whatever becomes of the trace.
 */
export async function traceTurnedAway(
  ctx: HttpContext,
  partnerId: number,
  raw: Buffer,
  refusal: unknown,
  isSignatureValid: boolean
) {
  if (!(refusal instanceof Refusal) || !CONFIRM.test(ctx.route?.pattern ?? '')) return
  try {
    await trace(ctx, partnerId, raw, refusal, isSignatureValid)
  } catch (error) {
    ctx.logger.error(
      { err: error as Error, order: ctx.params.order_id as string, code: refusal.refusalCode },
      'a refused confirm left no trace'
    )
  }
}

async function trace(
  ctx: HttpContext,
  partnerId: number,
  raw: Buffer,
  refusal: Refusal,
  isSignatureValid: boolean
) {
  const paymentInfo = paymentInfoIn(tryParse(raw))
  if (!paymentInfo) return
  const received = {
    partnerId,
    actor: {
      kind: 'partner',
      name: ctx.request.header('x-api-key')!,
      requestId: ctx.requestId,
    } as const,
    orderId: String(ctx.params.order_id),
    timestampSent: ctx.request.header('x-timestamp') ?? null,
    elapsedMs: performance.now() - ctx.arrivedAt,
    paymentInfo,
  }
  const answer = { status: refusal.status!, code: refusal.refusalCode }
  await recordTurnedAway(received, isSignatureValid, answer)
}

function tryParse(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString())
  } catch {
    return null
  }
}
