const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds until the next attempt after the first, second, … one; the last delay repeats until a day has passed. */
const DELAYS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR]

export const delayAfter = (attempts: number) => DELAYS[Math.min(attempts, DELAYS.length) - 1]
