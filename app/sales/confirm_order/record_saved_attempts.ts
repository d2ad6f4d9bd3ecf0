import { listAttemptFiles, readAttempts, replaceAttempts } from '#sales/confirm_order/attempt_files'
import { recordLateAttempt } from '#sales/confirm_order/late_attempt'
import { takeTurn } from '#shared/turn'
import { transaction } from '#shared/transaction'

/** Records the failed confirms that web processes saved when they stopped while PostgreSQL was away. */
export default async function recordSavedAttempts(stopping?: AbortSignal): Promise<void> {
  const files = await listAttemptFiles()
  if (files.length === 0) return
  await transaction(async (trx) => {
    await takeTurn('saved_attempts', trx)
    // Another worker may have recorded them meanwhile.
    for (const path of await listAttemptFiles()) await recordFile(path, stopping)
  })
}

/** Each in a transaction of its own; what is broken off leaves the rest in the file. */
async function recordFile(path: string, stopping?: AbortSignal) {
  const left = await readAttempts(path)
  try {
    while (left.length > 0) {
      stopping?.throwIfAborted()
      await recordLateAttempt(left[0])
      left.shift()
    }
  } finally {
    await replaceAttempts(path, left)
  }
}
