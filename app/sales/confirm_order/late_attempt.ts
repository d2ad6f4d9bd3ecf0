import {
  insertAttemptRow,
  recordAttemptAnswer,
  toAttemptRow,
  type AttemptKey,
  type AttemptRow,
  type ConfirmAnswer,
  type ReceivedConfirm,
} from '#sales/confirm_order/confirm_attempt'
import { withReserve } from '#shared/connection_places'
import logger from '@adonisjs/core/services/logger'

/** A confirm that was answered although its attempt could not be recorded. */
export interface LateAttempt {
  row: AttemptRow
  answer: ConfirmAnswer
  /** Set once the attempt is written: only its answer is missing then. */
  attempt?: AttemptKey
}

/** Holds nothing of the request but what is recorded: a beginning that was cut from a text keeps the whole text in memory. */
export function toLateAttempt(received: ReceivedConfirm, answer: ConfirmAnswer): LateAttempt {
  const values = Object.entries(toAttemptRow(received)).map(([name, value]) => [
    name,
    typeof value === 'string' ? Buffer.from(value).toString() : (value as unknown),
  ])
  return { row: Object.fromEntries(values) as AttemptRow, answer }
}

/** SQLSTATE classes of values that PostgreSQL will never take; everything else may succeed later. */
const NEVER_STORED = /^2[23]\w{3}$/

/** Writes the attempt with its answer. One that can never be stored is only logged, so that it does not hold up the others. */
export async function recordLateAttempt(late: LateAttempt): Promise<void> {
  const { partnerId, orderIdSent } = late.row
  try {
    await withReserve(async () => {
      late.attempt ??= await insertAttemptRow(late.row)
      await recordAttemptAnswer(late.attempt, { partnerId, orderId: orderIdSent }, late.answer)
    })
  } catch (error) {
    if (!NEVER_STORED.test((error as { code?: string }).code ?? '')) throw error
    logLost(late, error)
  }
}

export function logLost({ row: { orderIdSent, requestId } }: LateAttempt, error?: unknown) {
  const about = { err: error, order: orderIdSent, request_id: requestId }
  logger.error(about, 'a failed confirm was not recorded')
}
