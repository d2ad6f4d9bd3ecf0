import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from '#shared/days'

/** What of a partner's month is measured as a share, and the shares from which it is worth a word. */
export interface Limit {
  /** Above it by itself. */
  most: number
  /** Above it only when it is also far from what the partner and the others usually have. */
  least: number
}

export const SHARES = [
  'PAID_AT_SYNTHETIC',
  'EXTERNAL_ID_PLACEHOLDER',
  'IDEMPOTENCY_CONFLICTS',
  'ABANDON_RATE',
  'NO_CANCEL_RATE',
  'LATE_CONFIRM_RATE',
  'AMOUNT_MISMATCH_RATE',
  'BOOKING_HOARDING',
  'POLLING_GAP',
  'PENDING_LIMIT_HITS',
  'RATE_LIMIT_HITS',
] as const
export type ShareCode = (typeof SHARES)[number]

/** All numbers that a verdict hangs on: a set of rules has its own, and keeps them for ever. */
export interface Thresholds {
  /** What two sound clocks and rounding may differ by. */
  skewAllowanceMs: number
  /** Beyond it a request would not have been authenticated: no clock is excused. */
  worstClockMs: number
  zoneSlackMs: number
  /** A charge older than this was never meant for the order. */
  staleMs: number
  /** The share of the window after which a confirm was slow. */
  slowShare: number
  /** How old news of the feed may be to a partner that reads it as agreed. */
  pollingDutyMs: number
  /** Two orders of one payment further apart than this are no cart. */
  farApartMs: number
  /** Rates of fewer than these say nothing. */
  fewest: number
  /** How many times the usual is far from it. */
  farFromUsual: number
  clockSkewMs: number
  clockJitterMs: number
  shares: Record<ShareCode, Limit>
}

const limit = (most: number, least: number): Limit => ({ most, least })

export const FIRST_THRESHOLDS: Thresholds = {
  skewAllowanceMs: 2 * SECOND_MS,
  worstClockMs: 300 * SECOND_MS,
  zoneSlackMs: 2 * MINUTE_MS,
  staleMs: DAY_MS,
  slowShare: 0.5,
  pollingDutyMs: 5 * MINUTE_MS,
  farApartMs: HOUR_MS,
  fewest: 50,
  farFromUsual: 2,
  clockSkewMs: 30 * SECOND_MS,
  clockJitterMs: MINUTE_MS,
  shares: {
    PAID_AT_SYNTHETIC: limit(0.8, 0.8),
    EXTERNAL_ID_PLACEHOLDER: limit(0.01, 0.01),
    IDEMPOTENCY_CONFLICTS: limit(0.02, 0.002),
    ABANDON_RATE: limit(0.5, 0.1),
    NO_CANCEL_RATE: limit(0.9, 0.5),
    LATE_CONFIRM_RATE: limit(0.02, 0.002),
    AMOUNT_MISMATCH_RATE: limit(0.02, 0.002),
    BOOKING_HOARDING: limit(0.7, 0.3),
    POLLING_GAP: limit(0.05, 0.01),
    PENDING_LIMIT_HITS: limit(0.05, 0.005),
    RATE_LIMIT_HITS: limit(0.05, 0.005),
  },
}
