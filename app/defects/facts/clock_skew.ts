/** The last requests that a clock is measured by. */
export const SKEW_SAMPLES = 200
const FEWEST = 5
const LOW_PERCENTILE = 0.05
/**
 * How far a partner's clock is behind ours, from how long after its `X-Timestamp` requests arrived (milliseconds).
 * A low percentile, because the way to us only ever adds to it.
 */
export function measureSkew(delaysMs: readonly number[]): number {
  if (delaysMs.length < FEWEST) return 0
  const sorted = delaysMs.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * LOW_PERCENTILE)]
}

/** How far the same clock strays: what nine requests in ten lie within. */
export function measureJitter(delaysMs: readonly number[]): number {
  if (delaysMs.length < FEWEST) return 0
  const sorted = delaysMs.toSorted((a, b) => a - b)
  return sorted[Math.ceil((sorted.length - 1) * (1 - LOW_PERCENTILE))] - measureSkew(delaysMs)
}

export interface Clock {
  samples: number
  skewMs: number
  jitterMs: number
}
