import expireOverdue from '#sales/expire_overdue/expire_overdue'
import { sleep } from './crowd.js'

/** Sweeps without a pause while the work goes on. */
export async function whileSweeping<Result>(work: () => Promise<Result>): Promise<Result> {
  let isOver = false
  const sweeping = (async () => {
    while (!isOver) {
      await expireOverdue()
      await sleep(2)
    }
  })()
  try {
    return await work()
  } finally {
    isOver = true
    await sweeping
  }
}
