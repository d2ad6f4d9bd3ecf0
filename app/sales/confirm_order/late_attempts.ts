import {
  insertAttempt,
  recordAttemptAnswer,
  type ConfirmAnswer,
  type ReceivedConfirm,
} from '#sales/confirm_order/confirm_attempt'
import app from '@adonisjs/core/services/app'
import logger from '@adonisjs/core/services/logger'
import { setTimeout as delay } from 'node:timers/promises'

interface UnrecordedAttempt {
  received: ReceivedConfirm
  answer: ConfirmAnswer
  /** Set once the attempt is written: only its answer is missing then. */
  attemptId?: bigint
  /** The try under way: a process that stops waits for it instead of writing the attempt a second time. */
  writing?: Promise<boolean>
}

const RETRY_DELAYS_MS = [1_000, 3_000, 10_000, 30_000]
/** Enough for a busy minute; more of them mean that PostgreSQL is away, which monitoring reports. */
const MAX_WAITING = 1_000

const waiting = new Set<UnrecordedAttempt>()

/** What a process that is stopping does before the database is closed: tries each once more. */
export const recordWaitingAttempts = () => Promise.all([...waiting].map(writeLast))
app.terminating(async () => {
  await recordWaitingAttempts()
})

/**
 * Records a confirm later whose attempt could not be written on arrival, because PostgreSQL or its connections were too
 * busy: the buyer may have been charged, and only we know that it was our fault. The answer does not wait for it.
 */
export function recordAttemptLater(received: ReceivedConfirm, answer: ConfirmAnswer): void {
  const late = { received, answer }
  if (waiting.size >= MAX_WAITING) return logLost(late)
  waiting.add(late)
  void writeInTime(late)
}

async function writeInTime(late: UnrecordedAttempt) {
  for (const pause of RETRY_DELAYS_MS) {
    await delay(pause, undefined, { ref: false })
    if (!waiting.has(late)) return
    late.writing = write(late).catch(() => false)
    if (await late.writing) return void waiting.delete(late)
  }
  await writeLast(late)
}

async function writeLast(late: UnrecordedAttempt) {
  if (await late.writing) return
  if (waiting.delete(late)) await write(late).catch((error: unknown) => logLost(late, error))
}

async function write(late: UnrecordedAttempt): Promise<true> {
  late.attemptId ??= await insertAttempt(late.received, true)
  await recordAttemptAnswer(late.attemptId, late.received, late.answer)
  return true
}

function logLost({ received: { orderId, actor } }: UnrecordedAttempt, error?: unknown) {
  const about = { err: error, order: orderId, request_id: actor.requestId }
  logger.error(about, 'a failed confirm was not recorded')
}
