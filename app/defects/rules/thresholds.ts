import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from '#shared/days'

/** The limits of one share in a partner's month. */
export interface Limit {
  /** A share above it is too high in any case. */
  most: number
  /** A share above it is unusual when it is also far above the partner's own and all partners' medians. */
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

/** A wrong time zone that explains why a moment is off by so much. */
export interface ZoneMistake {
  offMs: number
  hint: string
}

/** The numbers by which rules decide. Each rule set has its own, which never change. */
export interface Thresholds {
  /** The difference that two correct clocks and rounding explain. */
  skewAllowanceMs: number
  /** The signature's limit for `X-Timestamp`: a larger skew explains nothing, as the request would have been refused. */
  worstClockMs: number
  zoneSlackMs: number
  /** Of charges that seem too early. */
  earlyZoneMistakes: readonly ZoneMistake[]
  /** Of charges that seem too late. */
  lateZoneMistakes: readonly ZoneMistake[]
  /** A charge older than this was never meant for the order. */
  staleMs: number
  /** The share of the window after which a confirm was slow. */
  slowShare: number
  /** How long a partner that reads the change feed as agreed may not know of a change. */
  pollingDutyMs: number
  /** Orders of one payment that were confirmed further apart than this are not one cart. */
  farApartMs: number
  /** How long after an order was made another order may be refused with its payment, which then counts as reused. */
  reuseSlackMs: number
  /** How far repeats of a confirm may differ in their time of charge. */
  repeatSlackMs: number
  /** `X-Timestamp` has whole seconds: a confirm was sent up to so much later than it says. */
  timestampUnitMs: number
  /** Fewest cases for a verdict on a share. */
  fewest: number
  /** How many times the larger median a share must exceed to be unusual. */
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
  earlyZoneMistakes: [
    { offMs: HOUR_MS, hint: 'STALE_PLUS_6' },
    { offMs: 2 * HOUR_MS, hint: 'MOSCOW_AS_PLUS_5' },
    { offMs: 5 * HOUR_MS, hint: 'UTC_AS_PLUS_5' },
    { offMs: 6 * HOUR_MS, hint: 'UTC_AS_PLUS_6' },
  ],
  lateZoneMistakes: [{ offMs: 5 * HOUR_MS, hint: 'LOCAL_AS_UTC' }],
  staleMs: DAY_MS,
  slowShare: 0.5,
  pollingDutyMs: 5 * MINUTE_MS,
  farApartMs: HOUR_MS,
  reuseSlackMs: MINUTE_MS,
  repeatSlackMs: SECOND_MS,
  timestampUnitMs: SECOND_MS,
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
