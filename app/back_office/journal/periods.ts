import { DAY_MS, localDay } from '#shared/days'

/** Relative periods: a saved view of `today` shows tomorrow's entries tomorrow. */
export const PERIODS = ['today', 'yesterday', 'week'] as const

/**
 * The venues' days of a period, both included; null for any other text.
 *
 *     week, on 28 November  →  22 to 28 November
 */
export function daysOfPeriod(period: string | null, now: Date) {
  const daysAgo = (days: number) => localDay(new Date(now.getTime() - days * DAY_MS))
  if (period === 'today') return { from: daysAgo(0), to: daysAgo(0) }
  if (period === 'yesterday') return { from: daysAgo(1), to: daysAgo(1) }
  if (period === 'week') return { from: daysAgo(6), to: daysAgo(0) }
  return null
}
