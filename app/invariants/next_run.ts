/**
 * Which form of an invariant is run next, and when.
 *
 * Example, every 5 minutes; the full runs of all invariants take 60 s, 40 s of them this one:
 *     00:00:40  the full run ends, green
 *     00:05:40  what changed since 00:00     green in 1 s
 *     00:10:40  full: ten times 60 s have passed since the last one
 *     00:16:20  what changed since 00:10:40  red
 *     00:21:20  what changed since 00:10:40  still red: the beginning stays until the counterexamples are gone
 *     …
 *
 * Where all full runs together take less than half a minute, every run is full.
 */
import type { Invariant } from '#invariants/invariant'
import { HOUR_MS } from '#shared/days'

interface EndedRun {
  at: Date
  tookMs: number
}

export interface Situation {
  now: Date
  /** Somebody wants a full run now. */
  isAsked: boolean
  /** The last run, whatever came of it. */
  ended: (EndedRun & { isFull: boolean }) | null
  /** The last run that came to a result. */
  result: { isRed: boolean; since: Date | null; asOf: Date } | null
  /** The last full run, whatever came of it. */
  full: (EndedRun & { hasFailed: boolean }) | null
}

export interface NextRun {
  /** The moment from which changes are read, null for a full run. */
  since: Date | null
  /** How long the last run of this form took; 0 when there was none. */
  expectedMs: number
}

/**
 * A run is followed by a pause of this many times its duration, so that no invariant takes more than a tenth of the time; a full run
 * by as many times the duration of all, so that they take no more together.
 */
const PAUSE_FACTOR = 10
/** A full run that failed is not tried again sooner; changes are read meanwhile. */
const FULL_AGAIN_MS = HOUR_MS

type Periods = Pick<Invariant, 'everyMs' | 'fullEveryMs'>

/** Null: nothing is due yet. `allFullMs` is how long the last full runs of all invariants took together. */
export function nextRun(
  invariant: Periods,
  situation: Situation,
  allFullMs: number
): NextRun | null {
  const { now, isAsked, ended, result, full } = situation
  const fullRun = { since: null, expectedMs: full?.tookMs ?? 0 }
  if (isAsked || !ended) return fullRun
  const isAlwaysFull = invariant.fullEveryMs === null || !result || isRedInFull(result)
  if (isAlwaysFull) return now >= dueAt(invariant, ended) ? fullRun : null
  if (isFullDue(invariant, situation, allFullMs)) return fullRun
  // The pause of a full run is kept by the next full one.
  const changes = { at: ended.at, tookMs: ended.isFull ? 0 : ended.tookMs }
  if (now < dueAt(invariant, changes)) return null
  return { since: result.isRed ? result.since : result.asOf, expectedMs: changes.tookMs }
}

const isRedInFull = ({ isRed, since }: NonNullable<Situation['result']>) => isRed && since === null

/** When an invariant whose last run ended so is due again, at the latest. */
export const dueAt = ({ everyMs }: Pick<Invariant, 'everyMs'>, { at, tookMs }: EndedRun) =>
  new Date(at.getTime() + Math.max(everyMs, PAUSE_FACTOR * tookMs))

function isFullDue({ everyMs, fullEveryMs }: Periods, { now, full }: Situation, allFullMs: number) {
  if (!full || fullEveryMs === null) return true
  const atLeastMs = full.hasFailed ? Math.max(everyMs, FULL_AGAIN_MS) : everyMs
  const pauseMs = Math.min(fullEveryMs, Math.max(atLeastMs, PAUSE_FACTOR * allFullMs))
  return now.getTime() >= full.at.getTime() + pauseMs
}
