const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds after the first, second, … attempt; then as the last one, until a day has passed. */
const DELAYS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR]

export const delayAfter = (attempts: number) => DELAYS[Math.min(attempts, DELAYS.length) - 1]
