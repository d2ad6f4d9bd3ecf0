import type { Clock } from '#defects/facts/clock_skew'
import type { Conduct } from '#defects/conduct/read_conduct'
import { SHARES, type ShareCode, type Thresholds } from '#defects/rules/thresholds'

/** `few`: not enough cases; `unusual`: far above this partner's and all partners' medians; `high`: above the limit in any case. */
export type Verdict = 'few' | 'fine' | 'unusual' | 'high'

/** One figure of a partner's month. Shares are from 0 to 1, `CLOCK_SKEW` and `CLOCK_JITTER` in milliseconds. */
export interface PartnerFinding {
  code: ShareCode | 'CLOCK_SKEW' | 'CLOCK_JITTER'
  value: number
  sample: number
  /** Lower end of the 95 % confidence interval. */
  lowerBound: number
  /** Medians of the partner's thirty days before, and of the other partners' in the same month. */
  ownMedian: number | null
  allMedian: number | null
  verdict: Verdict
}

const Z = 1.959_963_984_540_054

/**
 * Lower end of the Wilson score interval (95 %), so that a share of few cases counts less than the same share of many.
 *
 * Example: 5 of 10 → 0.237; 50 of 100 → 0.404; 500 of 1000 → 0.469.
 */
export function wilsonLowerBound(hits: number, trials: number): number {
  if (hits === 0) return 0
  const share = hits / trials
  const z2 = Z * Z
  const centre = share + z2 / (2 * trials)
  const spread = Z * Math.sqrt((share * (1 - share) + z2 / (4 * trials)) / trials)
  return Math.max(0, (centre - spread) / (1 + z2 / trials))
}

type Share = [hits: number, trials: number]

// prettier-ignore
const SHARE_OF: Record<ShareCode, (conduct: Conduct) => Share> = {
  PAID_AT_SYNTHETIC:       ({ tally }) => [tally.synthetic, tally.paid],
  EXTERNAL_ID_PLACEHOLDER: ({ tally }) => [tally.placeholders, tally.paid],
  IDEMPOTENCY_CONFLICTS:   ({ tally, conflicts }) => [conflicts, conflicts + tally.created + tally.bookings],
  ABANDON_RATE:            ({ tally }) => [tally.expired, tally.expired + tally.cancelled + tally.paid],
  NO_CANCEL_RATE:          ({ tally }) => [tally.expired, tally.expired + tally.cancelled],
  LATE_CONFIRM_RATE:       ({ tally }) => [tally.late, tally.attempted],
  AMOUNT_MISMATCH_RATE:    ({ tally }) => [tally.mismatched, tally.attempted],
  BOOKING_HOARDING:        ({ tally }) => [tally.bookingsExpired, tally.bookings],
  POLLING_GAP:             ({ feedMissed, feedSlots }) => [feedMissed, feedSlots],
  PENDING_LIMIT_HITS:      ({ tally, pendingLimited }) => [pendingLimited, pendingLimited + tally.created],
  RATE_LIMIT_HITS:         ({ rateLimited, requests }) => [rateLimited, Math.max(rateLimited, requests)],
}

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export interface PartnerMonth {
  month: Conduct
  /** Each of the thirty days before the month. */
  before: Conduct[]
  clock: Clock
  /** code → the median of the other partners in this month. */
  others: ReadonlyMap<string, number>
}

/** All figures of a partner's month, each with its verdict. */
export const judgePartner = (facts: PartnerMonth, thresholds: Thresholds): PartnerFinding[] => [
  ...SHARES.map((code) => judgeShare(code, facts, thresholds)),
  ...judgeClock(facts, thresholds),
]

/** One payment id on more orders than one payment can pay is wrong however few they are among all. */
const isNeverRight = (code: ShareCode, { tally }: Conduct) =>
  code === 'EXTERNAL_ID_PLACEHOLDER' && tally.notUnique > 0

function judgeShare(code: ShareCode, facts: PartnerMonth, thresholds: Thresholds): PartnerFinding {
  const [hits, sample] = SHARE_OF[code](facts.month)
  const days = facts.before.map(SHARE_OF[code]).filter(([, trials]) => trials > 0)
  const ownMedian = median(days.map(([some, trials]) => some / trials))
  const allMedian = facts.others.get(code) ?? null
  const lowerBound = wilsonLowerBound(hits, sample)
  const { most, least } = thresholds.shares[code]
  const usual = Math.max(ownMedian ?? 0, allMedian ?? 0)
  const isKnown = ownMedian !== null || allMedian !== null
  const isFar = isKnown && lowerBound > least && lowerBound > usual * thresholds.farFromUsual
  const judged: Verdict = lowerBound > most ? 'high' : isFar ? 'unusual' : 'fine'
  const enough: Verdict = sample < thresholds.fewest ? 'few' : judged
  const verdict = isNeverRight(code, facts.month) ? 'high' : enough
  const value = sample === 0 ? 0 : hits / sample
  return { code, value, sample, lowerBound, ownMedian, allMedian, verdict }
}

/** Clock figures are measured and not counted: they have no confidence interval. */
function judgeClock({ clock, others }: PartnerMonth, thresholds: Thresholds): PartnerFinding[] {
  const { samples: sample, skewMs, jitterMs } = clock
  const judge = (code: 'CLOCK_SKEW' | 'CLOCK_JITTER', value: number, most: number) => {
    const isHigh = Math.abs(value) > most
    const verdict: Verdict = sample < thresholds.fewest ? 'few' : isHigh ? 'high' : 'fine'
    const allMedian = others.get(code) ?? null
    return { code, value, sample, lowerBound: value, ownMedian: null, allMedian, verdict }
  }
  return [
    judge('CLOCK_SKEW', skewMs, thresholds.clockSkewMs),
    judge('CLOCK_JITTER', jitterMs, thresholds.clockJitterMs),
  ]
}
