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
 * Exponential backoff with jitter: the delays are a fixed table, and each is varied at random from 0.8 to 1.2 of itself,
 * so that deliveries that failed together are not repeated together. Returns seconds.
 *
 *     failed attempt    Retry-After    random 0    0.5      1
 *      1                —                4 s      5 s      6 s
 *      2                —               24 s     30 s     36 s
 *      1                600 s          600 s    600 s    600 s    the later of the two, up to a day
 *     11                —             19.2 h     24 h   28.8 h
 *     12                —               none     none     none    it was the last attempt
 */
export function delayAfter(
  attempt: number,
  retryAfter: number | null,
  random = Math.random()
): number | null {
  const delay = DELAYS[attempt]
  if (delay === undefined) return null
  const withJitter = delay * (0.8 + 0.4 * random)
  return Math.max(withJitter, Math.min(retryAfter ?? 0, MAX_RETRY_AFTER))
}

/** `Retry-After` in seconds, from either of its forms (RFC 9110, 10.2.3); null when it is missing or malformed. */
export function readRetryAfter(header: string | undefined, now = Date.now()): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}
