import { paymentInfoIn, receivedConfirm } from '#partner_api/middleware/received_confirm'
import {
  answerTo,
  recordAnsweredAttempt,
  type ReceivedConfirm,
} from '#sales/confirm_order/confirm_attempt'
import { recordAttemptLater } from '#sales/confirm_order/late_attempts'
import { Refusal } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

/**
 * Confirms that end before `ConfirmOrder`, which records all others: throttled, wrongly signed, malformed, or failed with
 * PostgreSQL. They leave an attempt too, because the buyer may have been charged.
 */

const CONFIRM = /\/orders\/:order_id\/confirm$/

/** Never throws: the partner gets the same answer whether the refused confirm could be recorded or not. */
export async function recordUnservedRefusal(
  ctx: HttpContext,
  partnerId: number,
  raw: Buffer,
  refusal: unknown,
  isSignatureValid: boolean
) {
  if (!(refusal instanceof Refusal)) return
  try {
    const received = readConfirm(ctx, partnerId, raw)
    if (received) await recordAnsweredAttempt(received, isSignatureValid, answerTo(refusal))
  } catch (error) {
    ctx.logger.error(
      { err: error as Error, order: ctx.params.order_id as string, code: refusal.refusalCode },
      'a refused confirm left no trace'
    )
  }
}

/** Records, after the answer, a signed confirm that failed because PostgreSQL was unavailable. */
export function recordUnservedFailure(
  ctx: HttpContext,
  partnerId: number,
  raw: Buffer,
  error: unknown
) {
  const received = readConfirm(ctx, partnerId, raw)
  if (received) recordAttemptLater(received, answerTo(error))
}

export const isConfirm = ({ route }: HttpContext) => CONFIRM.test(route?.pattern ?? '')

/** Null for another operation, and for a body without `payment_info`. */
function readConfirm(ctx: HttpContext, partnerId: number, raw: Buffer): ReceivedConfirm | null {
  if (!isConfirm(ctx)) return null
  const paymentInfo = paymentInfoIn(tryParse(raw))
  return paymentInfo && receivedConfirm(ctx, partnerId, paymentInfo)
}

function tryParse(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString())
  } catch {
    return null
  }
}
