/** A time in which a partner did not read the change feed; both ends in milliseconds. */
export type Gap = readonly [from: number, to: number]

/** How often a partner has to read the change feed (contract). */
export const FEED_SLOT_MS = 300_000

/**
 * Counts the slots of five minutes between two moments (milliseconds), and those in which the partner did not read the feed.
 *
 * Example: 12:00 to 13:00, with one gap from 12:10 to 12:32.
 *   12 slots; the gap is allowed until 12:15, and from there to 12:32 are 17 minutes: 3 slots missed.
 */
export function feedSlots(from: number, to: number, gaps: readonly Gap[]) {
  const slots = Math.max(0, Math.floor((to - from) / FEED_SLOT_MS))
  // The first five minutes of each gap are allowed.
  const unread = gaps
    .map(([begin, end]) => Math.min(end, to) - Math.max(begin + FEED_SLOT_MS, from))
    .filter((span) => span > 0)
    .reduce((sum, span) => sum + span, 0)
  return { feedSlots: slots, feedMissed: Math.min(slots, Math.floor(unread / FEED_SLOT_MS)) }
}
