import { readFileSync } from 'node:fs'
import type { JobCounts, Measurement } from './jobs.ts'

const TICK_MS = 10

/** Measures the time and memory that work takes, and for how long at most it blocks the event loop. */
export async function measureWork(work: () => Promise<JobCounts>): Promise<Measurement> {
  let longestBlockMs = 0
  let lastTickAt = performance.now()
  const tick = () => {
    const now = performance.now()
    longestBlockMs = Math.max(longestBlockMs, now - lastTickAt - TICK_MS)
    lastTickAt = now
  }
  const timer = setInterval(tick, TICK_MS)
  const startedAt = performance.now()
  const counts = await work()
  const seconds = (performance.now() - startedAt) / 1000
  tick()
  clearInterval(timer)
  return { counts, seconds, peakMegabytes: peakMegabytes(), longestBlockMs }
}

/** Of this program alone: `resourceUsage` starts from the peak of the process that forked it. */
function peakMegabytes() {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))!
    return Number(kilobytes) / 1024
  } catch {
    return process.resourceUsage().maxRSS / 1024
  }
}
