const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds before attempt 1, 2, … 12 (completions, Numbers). */
export const DELAYS = [
  0,
  5,
  30,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
]
const MAX_RETRY_AFTER = 24 * HOUR

/**
 * Seconds to wait after the nth attempt has failed; null when it was the last.
 * Spread by a fifth, so that those who failed together don't come back together.
 */
export function delayAfter(
  attempt: number,
  retryAfter: number | null,
  random = Math.random()
): number | null {
  const delay = DELAYS[attempt]
  if (delay === undefined) return null
  const spread = delay * (0.8 + 0.4 * random)
  return Math.max(spread, Math.min(retryAfter ?? 0, MAX_RETRY_AFTER))
}

/** `Retry-After` in seconds, from either of its forms (RFC 9110, 10.2.3); null when there is none that makes sense. */
export function readRetryAfter(header: string | undefined, now = Date.now()): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}
