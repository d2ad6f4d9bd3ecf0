import type { Buyers } from './buyers.ts'

/** Between the moment and the first confirmed sale, or between two of them. */
export function longestPauseSeconds(buyers: Buyers, since: Date) {
  const sold = buyers
    .since(since)
    .filter(({ step, status }) => step === 'confirm' && status === 200)
    .map(({ at, ms }) => at.getTime() + ms)
    .toSorted((a, b) => a - b)
  const moments = [since.getTime(), ...sold]
  const pauses = moments.slice(1).map((moment, index) => moment - moments[index])
  return Math.max(0, ...pauses) / 1_000
}

/** From the first refused request to the last one. */
export function refusedSeconds(buyers: Buyers, since: Date) {
  const refused = buyers.since(since).filter(({ status }) => status === 503 || status === undefined)
  if (refused.length === 0) return { count: 0, seconds: 0 }
  const first = refused[0].at.getTime()
  const last = Math.max(...refused.map(({ at, ms }) => at.getTime() + ms))
  return { count: refused.length, seconds: (last - first) / 1_000 }
}
