import { readFileSync } from 'node:fs'
import type { Done, Measured } from './jobs.ts'

const TICK_MS = 10

/** Does a piece of work and tells how long it took, how much memory it had and how long it let others wait. */
export async function watch(work: () => Promise<Done>): Promise<Measured> {
  let longestBlockMs = 0
  let last = performance.now()
  const look = () => {
    const now = performance.now()
    longestBlockMs = Math.max(longestBlockMs, now - last - TICK_MS)
    last = now
  }
  const timer = setInterval(look, TICK_MS)
  const began = performance.now()
  const done = await work()
  const seconds = (performance.now() - began) / 1000
  look()
  clearInterval(timer)
  return { done, seconds, peakMegabytes: peakMegabytes(), longestBlockMs }
}

/** Of this program alone: `resourceUsage` begins with what the one had that started it. */
function peakMegabytes() {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))!
    return Number(kilobytes) / 1024
  } catch {
    return process.resourceUsage().maxRSS / 1024
  }
}
