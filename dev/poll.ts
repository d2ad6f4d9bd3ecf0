import { setTimeout as delay } from 'node:timers/promises'

/** Repeats a check until it holds. Returns false when it does not hold within the time. */
export async function poll(
  check: () => boolean | Promise<boolean>,
  { withinMs, everyMs = 50 }: { withinMs: number; everyMs?: number }
) {
  const deadline = Date.now() + withinMs
  while (!(await check())) {
    if (Date.now() > deadline) {
      return false
    }
    await delay(everyMs)
  }
  return true
}
