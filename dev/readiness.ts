import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { StartUpError } from './start_up_error.ts'
import type { RunningProcess } from './supervisor.ts'

const PATIENCE_MS = 60_000

/** Polls until the process serves; a process that ends first, or takes too long, is an error. */
export async function untilReady(
  { name, ended }: RunningProcess,
  isReady: () => Promise<boolean>,
  explain: () => Promise<string>
) {
  let hasEnded = false
  ended.then(() => (hasEnded = true))

  const deadline = Date.now() + PATIENCE_MS
  while (!(await isReady())) {
    if (hasEnded || Date.now() > deadline) {
      const what = hasEnded ? 'ended while it was starting' : 'did not become ready in a minute'
      throw new StartUpError(`${name} ${what}. The end of its log:\n${await explain()}`)
    }
    await delay(50)
  }
}

export function logTail(file: string, lines = 15) {
  return async () => {
    const text = await readFile(file, 'utf8').catch(() => '')
    return text.trimEnd().split('\n').slice(-lines).join('\n')
  }
}
