/**
 * How far a partner's clock is behind ours, by the delays of its last requests: our moment of arrival minus its `X-Timestamp`.
 * The network only adds to a delay, so the smallest delays are nearest to the skew: the minimum filter of NTP's clock filter
 * (RFC 5905, section 10), here the 5th percentile, so that a single wrong timestamp does not decide.
 *
 * Example: a clock 30 s behind, eleven requests with these delays in seconds:
 *   30.1  30.2  30.2  30.3  30.4  30.5  30.9  31.0  32.5  41.0  95.0
 *   skew    30.1 s   the 5th percentile
 *   jitter  64.9 s   from there to the 95th percentile, 95.0 s
 */

/** How many of the last requests are measured. */
export const SKEW_SAMPLES = 200
const MIN_SAMPLES = 5
const LOW_PERCENTILE = 0.05

/** Milliseconds by which the clock is behind ours, negative when it is ahead; 0 for fewer than five delays. */
export function measureSkew(delaysMs: readonly number[]): number {
  if (delaysMs.length < MIN_SAMPLES) return 0
  const sorted = delaysMs.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * LOW_PERCENTILE)]
}

/** The span in milliseconds that nine in ten delays lie within; 0 for fewer than five. */
export function measureJitter(delaysMs: readonly number[]): number {
  if (delaysMs.length < MIN_SAMPLES) return 0
  const sorted = delaysMs.toSorted((a, b) => a - b)
  return sorted[Math.ceil((sorted.length - 1) * (1 - LOW_PERCENTILE))] - measureSkew(delaysMs)
}

/** A partner's clock as measured by `samples` requests. */
export interface Clock {
  samples: number
  skewMs: number
  jitterMs: number
}
