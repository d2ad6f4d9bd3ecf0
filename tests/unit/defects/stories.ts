import type { ConstantId } from '#defects/facts/constant_ids'
import type { AttemptFacts, CaseFacts, OrderFacts } from '#defects/facts/facts'
import type { RegisterDays, ShownRow } from '#defects/facts/register_facts'
import { judgeCase } from '#defects/rule_sets/judge_case'
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
    isInOtherCurrency: false,
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
    keptTickets: [],
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
  partner: {
    skewMs: 0,
    allowsCombinedPayments: false,
    refundEvidenceDays: 3,
    dearestOrderTenge: 1_000_000_000n,
    ...partner,
  },
  // The same day: nobody is late yet with what takes days.
  orders,
  confirmsOfUnknownOrders,
  registerRows: [],
  missingOrders: [],
  registerDays: [],
  sourcesSharingIds: new Map(),
  meaninglessIds: new Set(),
  constantIds: new Map(),
  asOf: NOON + 6 * HOUR,
})

/** A payment id of 21 orders of 24,000 tenge, by the first of them. */
export const constantId = (more: Partial<ConstantId> = {}): ConstantId => ({
  paymentId: 'pay-1',
  orders: 21,
  boughtTenge: 504_000n,
  largestTenge: 24_000n,
  orderIds: ['TIX-2026-000001'],
  ...more,
})

let line = 1

/** A charge of 24,000 tenge for the first order with its payment, as a register of a shop shows it on the same day. */
export const row = (more: Partial<ShownRow> = {}): ShownRow => ({
  source: 'shop',
  registerId: 1,
  line: ++line,
  kind: 'charge',
  tenge: 24_000n,
  paymentId: 'pay-1',
  orderIds: ['TIX-2026-000001'],
  at: NOON + MINUTE,
  shownAt: NOON + MINUTE,
  ...more,
})

/** The same, given back an hour later. */
export const returned = (more: Partial<ShownRow> = {}) =>
  row({ kind: 'return', at: NOON + HOUR, ...more })

/** The story with what a confirmed register of the day shows and lacks. */
export const withRegister = (
  facts: CaseFacts,
  registerRows: ShownRow[],
  lacked: string[] = []
): CaseFacts => ({
  ...facts,
  registerRows,
  missingOrders: lacked.map((orderId) => ({ source: 'shop', registerId: 1, orderId })),
  registerDays: [registerDaysOf('shop')],
})

/** The days of a register of sales and refunds around the stories' day. */
export const registerDaysOf = (source: string, more: Partial<RegisterDays> = {}): RegisterDays => ({
  source,
  registerId: 1,
  from: NOON - 24 * HOUR,
  to: NOON + 24 * HOUR,
  coversSales: true,
  coversRefunds: true,
  ...more,
})

const PARTIES = { buyer: 'BUYER', platform: 'PLATFORM', partner: 'PARTNER' } as const

/** Whose money is at risk and how much: `[24000n, 'BUYER']`, of several parties one after the other. */
export function exposure(facts: CaseFacts) {
  const exposed = judge(facts)?.exposure ?? { buyer: 0n, platform: 0n, partner: 0n }
  const parts = (['buyer', 'platform', 'partner'] as const).flatMap((party) =>
    exposed[party] > 0n ? [exposed[party], PARTIES[party]] : []
  )
  return parts.length > 0 ? parts : [0n, 'NONE']
}

/** Judged by version 1 of the rules, with other numbers where some are given. */
export const judge = (facts: CaseFacts, thresholds: Partial<Thresholds> = {}) =>
  judgeCase(facts, {
    ...FIRST_RULE_SET,
    thresholds: { ...FIRST_RULE_SET.thresholds, ...thresholds },
  })
