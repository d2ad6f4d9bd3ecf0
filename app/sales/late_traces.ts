import { recordTurnedAway, type ConfirmAnswer, type ReceivedConfirm } from '#sales/confirm_attempt'
import logger from '@adonisjs/core/services/logger'
import { setTimeout as delay } from 'node:timers/promises'

const AGAIN_AFTER_MS = [1_000, 3_000, 10_000, 30_000]
/** Enough for a busy minute; beyond it PostgreSQL is away, and everybody knows. */
const MOST_WAITING = 1_000

let waiting = 0

/**
 * A confirm whose attempt could not be written when it came, because PostgreSQL or its connections were too busy, is written
 * afterwards: the buyer may have been charged, and nobody else would learn that it was our fault. The answer waits for none of it.
 * `arrivedAt` is of our monotonic clock, in milliseconds.
 */
export function traceLater(
  received: ReceivedConfirm,
  arrivedAt: number,
  answer: ConfirmAnswer
): void {
  const about = { order: received.orderId, requestId: received.actor.requestId }
  if (waiting >= MOST_WAITING) return logger.error(about, 'a failed confirm left no trace')
  waiting++
  void trace(received, arrivedAt, answer)
    .catch((error: unknown) =>
      logger.error({ err: error as Error, ...about }, 'a failed confirm left no trace')
    )
    .finally(() => {
      waiting--
    })
}

async function trace(received: ReceivedConfirm, arrivedAt: number, answer: ConfirmAnswer) {
  for (const [times, pause] of AGAIN_AFTER_MS.entries()) {
    await delay(pause, undefined, { ref: false })
    try {
      const elapsedMs = performance.now() - arrivedAt
      return await recordTurnedAway({ ...received, elapsedMs }, true, answer)
    } catch (error) {
      if (times === AGAIN_AFTER_MS.length - 1) throw error
    }
  }
}
