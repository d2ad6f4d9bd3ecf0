/** A stretch in which a partner did not read the feed; both ends in milliseconds. */
export type Gap = readonly [from: number, to: number]

/** How old what a partner knows of the feed may be, by the contract. */
export const FEED_SLOT_MS = 300_000

/** Of the stretches of five minutes between two moments, how many there are and how many went unread. */
export function feedSlots(from: number, to: number, gaps: readonly Gap[]) {
  const slots = Math.max(0, Math.floor((to - from) / FEED_SLOT_MS))
  // The first five minutes of a gap are allowed, wherever it begins.
  const unread = gaps
    .map(([begin, end]) => Math.min(end, to) - Math.max(begin + FEED_SLOT_MS, from))
    .filter((span) => span > 0)
    .reduce((sum, span) => sum + span, 0)
  return { feedSlots: slots, feedMissed: Math.min(slots, Math.floor(unread / FEED_SLOT_MS)) }
}
