/**
 * Which form of an invariant is run next, and when.
 *
 * Example, every 5 minutes, in full once a day:
 *     00:00  full                     green in 40 s
 *     00:05  not yet: 40 s of work are followed by ten times as long a pause
 *     00:07  what changed since 00:00  green
 *     00:12  what changed since 00:07  red
 *     00:17  what changed since 00:07  still red: the beginning stays until the counterexamples are gone
 *     …
 *     next day 00:01  full
 */
import type { Invariant } from '#invariants/invariant'
import { HOUR_MS } from '#shared/days'

export interface Situation {
  now: Date
  /** Somebody wants a full run now. */
  isAsked: boolean
  /** The end of the last run, whatever came of it. */
  ended: { at: Date; tookMs: number } | null
  /** The last run that came to a result. */
  result: { isRed: boolean; since: Date | null; asOf: Date } | null
  /** The last full run that came to a result, and the last one that was tried. */
  fullEndedAt: Date | null
  fullTriedAt: Date | null
}

/** A run is followed by a pause of this many times its duration, so that no invariant takes more than a tenth of the time. */
const PAUSE_FACTOR = 10
/** A full run that failed is not tried again sooner; changes are read meanwhile. */
const FULL_AGAIN_MS = HOUR_MS

/** `since` is the moment from which changes are read, null for a full run. Null: nothing is due yet. */
export function nextRun(
  invariant: Pick<Invariant, 'everyMs' | 'fullEveryMs'>,
  situation: Situation
): { since: Date | null } | null {
  const { now, isAsked, ended, result } = situation
  if (isAsked || !ended) return { since: null }
  if (now < dueAt(invariant, ended)) return null
  if (!result || isFullDue(invariant, situation)) return { since: null }
  return { since: result.isRed ? result.since : result.asOf }
}

/** When an invariant whose last run ended so is due again. */
export const dueAt = (
  { everyMs }: Pick<Invariant, 'everyMs'>,
  { at, tookMs }: { at: Date; tookMs: number }
) => new Date(at.getTime() + Math.max(everyMs, PAUSE_FACTOR * tookMs))

function isFullDue(
  { fullEveryMs }: Pick<Invariant, 'fullEveryMs'>,
  { now, fullEndedAt, fullTriedAt }: Situation
) {
  if (fullEveryMs === null || !fullEndedAt || !fullTriedAt) return true
  const isOld = now.getTime() - fullEndedAt.getTime() >= fullEveryMs
  return (
    isOld && (fullTriedAt <= fullEndedAt || now.getTime() - fullTriedAt.getTime() >= FULL_AGAIN_MS)
  )
}
