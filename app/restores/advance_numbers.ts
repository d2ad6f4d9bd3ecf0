/** A number that is given out one after the other: a sequence, or the counter of statements or memos. */
export interface GivenNumber {
  name: string
  last: bigint
  /** The highest that its type holds. */
  most: bigint
}

export interface Advance extends GivenNumber {
  /** The next number given is the one after this. */
  to: bigint
}

/** Numbers of statements and memos are read by people, who ask about each that is missing. */
const LEAST_OF_COUNTER = 10n
const LEAST_OF_INTEGER = 100n
const LEAST_OF_BIGINT = 1_000n
const MOST_OF_INTEGER = 2_147_483_647n

const COUNTER = 'counter:'

/** A number from outside is taken in only if it could be one of the gap: anybody can send `TIX-2026-999999999999`. */
const PLAUSIBLE_MARGINS = 10n

const larger = (one: bigint, other: bigint) => (one > other ? one : other)

/**
 * How far a number is advanced beyond the last one that anybody is known to hold: twice what the busiest day used, for each day of
 * the gap and at least one, never less than a minimum. Numbers that stay unused do no harm; one that is given twice does.
 *
 *     order_numbers  last 401, journal 7,990; busiest day 600 entries; gap of half a day, counted as 1
 *     an entry stands for 401 / 7,990 numbers: 2 × 600 × 0.05 = 61, so the least: 1,000
 *     the storage directory knows 415, a register 418: continues after 418 + 1,000 = 1,418
 */
export function marginOf(
  { name, last, most }: GivenNumber,
  { entriesOfBusiestDay, gapDays, journal }: GapPace
): bigint {
  const least = name.startsWith(COUNTER)
    ? LEAST_OF_COUNTER
    : most <= MOST_OF_INTEGER
      ? LEAST_OF_INTEGER
      : LEAST_OF_BIGINT
  if (journal === 0n) return least
  const entries = BigInt(Math.ceil(2 * entriesOfBusiestDay * Math.max(1, gapDays)))
  return larger(least, (entries * last) / journal + 1n)
}

export interface GapPace {
  entriesOfBusiestDay: number
  gapDays: number
  /** The last id of the journal. */
  journal: bigint
}

export interface Known {
  /** In the storage directory, by our own hand. */
  stored: bigint
  /** By a partner or a guest. */
  named: bigint
}

/** Null when nothing is to be done. Without a margin, only what is known to be held is passed. */
export function advance(number: GivenNumber, margin: bigint, known: Known): Advance | null {
  const { last, most } = number
  const base = larger(last, known.stored)
  const named = known.named <= mostPlausible(base, margin) ? known.named : 0n
  const highest = larger(base, named)
  if (margin === 0n && highest === last) return null
  const to = highest + margin
  return { ...number, to: to < most ? to : most }
}

/** Whether a number that somebody names could have been given in the gap. */
export const isPlausible = (named: bigint, last: bigint, margin: bigint) =>
  named <= mostPlausible(last, margin)

const mostPlausible = (last: bigint, margin: bigint) =>
  last + PLAUSIBLE_MARGINS * larger(margin, LEAST_OF_BIGINT)
