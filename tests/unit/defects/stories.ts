import type { AttemptFacts, CaseFacts, OrderFacts } from '#defects/facts/facts'
import { judgeCase, type JudgedCase } from '#defects/rule_sets/judge_case'
import { FIRST_RULE_SET } from '#defects/rule_sets/rule_sets'
import type { Thresholds } from '#defects/rules/thresholds'

/** 18 September 2026, 19:40:00 at the venues. */
export const NOON = Date.parse('2026-09-18T19:40:00+05:00')
export const SECOND = 1_000
export const MINUTE = 60_000
export const HOUR = 3_600_000
const WINDOW = 300 * SECOND

let counted = 0

/** A confirm ten seconds after the order was made, charged five seconds after it, in good order. */
export function attempt(more: Partial<AttemptFacts> = {}): AttemptFacts {
  const receivedAt = more.receivedAt ?? NOON + 10 * SECOND
  const requestId = `request-${++counted}`
  return {
    id: String(counted),
    requestId,
    orderIdSent: 'TIX-2026-000001',
    receivedAt,
    sentAt: receivedAt - SECOND,
    amountTenge: 24_000n,
    paidAt: NOON + 5 * SECOND,
    paidAtRaw: '2026-09-18T19:40:05+05:00',
    precision: 'second',
    paymentId: 'pay-1',
    httpStatus: 200,
    code: null,
    ...more,
  }
}

/** A paid order of 24,000 tenge with a window of five minutes; what its confirm said counts as its payment. */
export function paid(
  more: Partial<OrderFacts> = {},
  attemptFacts: Partial<AttemptFacts> = {}
): OrderFacts {
  const id = more.id ?? 'TIX-2026-000001'
  const accepted = attempt({ orderIdSent: id, ...attemptFacts })
  const { paidAt, paidAtRaw, paymentId, precision, receivedAt } = accepted
  return {
    id,
    eventId: 'evt_1',
    eventCancelledAt: null,
    status: 'paid',
    totalTenge: 24_000n,
    createdAt: NOON,
    windowEndsAt: (more.createdAt ?? NOON) + WINDOW,
    confirmedAt: receivedAt,
    payment: {
      paymentId: paymentId!,
      paidAt: paidAt!,
      paidAtRaw: paidAtRaw!,
      precision: precision!,
    },
    resoldTo: [],
    attempts: [accepted],
    voids: [],
    refusedRefunds: [],
    ...more,
  }
}

export const unpaid = (more: Partial<OrderFacts> = {}): OrderFacts => ({
  ...paid(),
  status: 'expired',
  confirmedAt: null,
  payment: null,
  attempts: [],
  ...more,
})

export const expiredConfirm = (more: Partial<AttemptFacts> = {}) =>
  attempt({
    receivedAt: NOON + WINDOW + 20 * SECOND,
    paidAt: NOON + 200 * SECOND,
    httpStatus: 409,
    code: 'ORDER_EXPIRED',
    ...more,
  })

export const story = (
  orders: OrderFacts[],
  partner: Partial<CaseFacts['partner']> = {},
  confirmsOfUnknownOrders: AttemptFacts[] = []
): CaseFacts => ({
  partner: { skewMs: 0, allowsCombinedPayments: false, refundEvidenceDays: 3, ...partner },
  // The same day: nobody is late yet with what takes days.
  orders,
  confirmsOfUnknownOrders,
  asOf: NOON + 6 * HOUR,
})

/** Judged by version 1 of the rules, with other numbers where some are given. */
export const judge = (facts: CaseFacts, thresholds: Partial<Thresholds> = {}) =>
  judgeCase(facts, {
    ...FIRST_RULE_SET,
    thresholds: { ...FIRST_RULE_SET.thresholds, ...thresholds },
  })

/** A case's exposure as `[12000n, 'BUYER']`: for two parties both pairs, for none `[0n, 'NONE']`. */
export function exposed(judged: JudgedCase | null) {
  const parts = Object.entries(judged!.exposure).filter(([, tenge]) => tenge > 0n)
  if (parts.length === 0) return [0n, 'NONE']
  return parts.flatMap(([party, tenge]) => [tenge, party.toUpperCase()])
}
