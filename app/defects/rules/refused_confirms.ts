import {
  arrivedInWindow,
  distinct,
  isAccepted,
  isAmountMismatch,
  type AttemptFacts,
  type CaseFacts,
  type OrderFacts,
  type PartnerFacts,
} from '#defects/facts/facts'
import { atRisk, finding, type Finding, type Rule } from '#defects/rules/finding'
import { creditedAttempts, isHandled } from '#defects/facts/credited_attempts'
import { countPayments, openMoneyOfConfirms } from '#defects/rules/open_money'
import { hintOfSums } from '#defects/rules/strange_sums'
import type { Balance } from '#defects/balance/balance'
import type { Thresholds } from '#defects/rules/thresholds'

const isPlatformFailure = ({ httpStatus }: AttemptFacts) =>
  httpStatus === null || httpStatus === 429 || httpStatus >= 500

/** Turned away after the window: without that the answer would have been ORDER_EXPIRED. */
const wasTurnedAwayLate = (order: OrderFacts, attempt: AttemptFacts) =>
  order.status === 'expired' &&
  !arrivedInWindow(order, attempt.receivedAt) &&
  (isPlatformFailure(attempt) || attempt.httpStatus === 401 || attempt.httpStatus === 403)

type RefusalCode = 'ORDER_EXPIRED' | 'ORDER_CANCELLED' | 'EVENT_CANCELLED'

/** One finding per order, however often its confirm was repeated: retries are evidence, payments are money. */
function refused(code: RefusalCode, judge: Judge): Rule {
  return (facts, thresholds, balance) =>
    facts.orders.flatMap((order) => {
      const attempts = creditedAttempts(order).filter(
        (attempt) =>
          attempt.code === code || (code === 'ORDER_EXPIRED' && wasTurnedAwayLate(order, attempt))
      )
      if (attempts.length === 0 || order.confirmedAt !== null) return []
      const judged = judge(order, attempts, { thresholds, partner: facts.partner })
      if (!judged) return []
      const tenge = openMoneyOfConfirms(order.id, attempts, balance)
      return finding({
        code: `CONFIRM_${code}`,
        severity: 'HIGH',
        orderId: order.id,
        paymentId: attempts[0].paymentId,
        isStrictBreach: true,
        ...judged,
        isRecovered: tenge === 0n && countPayments(attempts) > 0,
        ...hintOfSums(attempts, order.totalTenge),
        ...atRisk(tenge, 'BUYER'),
        evidence: attempts.map(({ requestId }) => requestId),
      })
    })
}
interface JudgedBy {
  thresholds: Thresholds
  partner: PartnerFacts
}
/** Returns null where another rule reports the same money. */
type Judge = (
  order: OrderFacts,
  attempts: AttemptFacts[],
  by: JudgedBy
) => Pick<Finding, 'subclass' | 'fault' | 'deviationMs'> | null

/** CONFIRM_ORDER_EXPIRED: the buyer was charged, the confirm came after the window (contract, reconciliation). */
export const orderExpired = refused('ORDER_EXPIRED', (order, [first], by) => {
  const inTime = order.attempts.filter(({ receivedAt }) => arrivedInWindow(order, receivedAt))
  // The same money, and it was in time: CONFIRM_EVENT_CANCELLED.
  const isOfCancelled = ({ code, paymentId }: AttemptFacts) =>
    code === 'EVENT_CANCELLED' && paymentId === first.paymentId
  if (inTime.some(isOfCancelled)) return null
  // It arrived in time, but waited with us until its seats had been sold again.
  if (arrivedInWindow(order, first.receivedAt))
    return { subclass: 'REFUSED_IN_TIME', fault: 'PLATFORM', deviationMs: null }
  const deviationMs = first.receivedAt - order.windowEndsAt
  if (inTime.some(isPlatformFailure))
    return { subclass: 'PLATFORM_FAULT', fault: 'PLATFORM', deviationMs }
  const isChargedLate = first.paidAt !== null && first.paidAt > order.windowEndsAt
  return {
    subclass: isChargedLate ? 'LATE_CHARGE' : 'LATE_CONFIRM',
    fault: isSentInTime(first, order, by) && !isChargedLate ? 'NETWORK' : 'PARTNER',
    deviationMs,
  }
})

/** Whether it was sent in time by our clock: a slow clock of the partner is no excuse. */
const isSentInTime = (
  { sentAt }: AttemptFacts,
  order: OrderFacts,
  { thresholds, partner }: JudgedBy
) =>
  sentAt !== null &&
  sentAt + thresholds.timestampUnitMs + Math.max(0, partner.skewMs) <= order.windowEndsAt

export const orderCancelled = refused('ORDER_CANCELLED', () => ({
  subclass: null,
  fault: 'PARTNER',
  deviationMs: null,
}))

/** A partner that reads the change feed as agreed may not know of a cancellation in the last five minutes. */
export const eventCancelled = refused('EVENT_CANCELLED', (order, [first], { thresholds }) => {
  const sinceMs = order.eventCancelledAt === null ? null : first.receivedAt - order.eventCancelledAt
  const mayNotKnow = sinceMs !== null && sinceMs < thresholds.pollingDutyMs
  return {
    subclass: mayNotKnow ? 'FRESH' : null,
    fault: mayNotKnow ? 'UNKNOWN' : 'PARTNER',
    deviationMs: sinceMs,
  }
})

/** CONFIRM_AMOUNT_MISMATCH: another amount than the order's total. */
export function amountMismatch(facts: CaseFacts, _: Thresholds, balance: Balance): Finding[] {
  return facts.orders.flatMap((order) => {
    const wrong = order.attempts.filter((attempt) => isAmountMismatch(attempt, order))
    if (wrong.length === 0 || order.status === 'pending') return []
    const tenge = openMoneyOfConfirms(order.id, wrong, balance)
    const isCorrected = order.confirmedAt !== null && tenge === 0n
    const subclass =
      order.confirmedAt === null ? 'UNRESOLVED' : isCorrected ? 'CORRECTED' : 'RECHARGED'
    return finding({
      code: 'CONFIRM_AMOUNT_MISMATCH',
      severity: isCorrected ? 'LOW' : 'HIGH',
      orderId: order.id,
      paymentId: wrong[0].paymentId,
      subclass,
      isStrictBreach: true,
      ...hintOfSums(wrong, order.totalTenge),
      ...atRisk(tenge, 'BUYER'),
      evidence: wrong.map(({ requestId }) => requestId),
    })
  })
}

/** CONFIRM_BAD_BODY: a confirm that could not be read, and none after it that could. */
export function badBody(facts: CaseFacts, _: Thresholds, balance: Balance): Finding[] {
  return facts.orders.flatMap((order) => {
    const bad = order.attempts.filter(
      (attempt) => attempt.httpStatus === 422 && !isAmountMismatch(attempt, order)
    )
    if (bad.length === 0 || isHandled(order) || order.status === 'pending') return []
    const tenge = openMoneyOfConfirms(order.id, bad, balance)
    return finding({
      code: 'CONFIRM_BAD_BODY',
      severity: 'MEDIUM',
      orderId: order.id,
      paymentId: bad[0].paymentId,
      isStrictBreach: true,
      ...atRisk(tenge, 'BUYER'),
      evidence: bad.map(({ requestId }) => requestId),
    })
  })
}

/**
 * CONFIRM_THROTTLED: received within the window and not accepted for a technical reason, and not repeated with success. The
 * reason may be throttling (429), a wrong signature (401), a failure of ours (5xx) or no answer at all.
 */
export function throttled(facts: CaseFacts, _: Thresholds, balance: Balance): Finding[] {
  return facts.orders.flatMap((order) => {
    const turnedAway = creditedAttempts(order).filter(
      (attempt) =>
        arrivedInWindow(order, attempt.receivedAt) &&
        (isPlatformFailure(attempt) || attempt.httpStatus === 401)
    )
    if (turnedAway.length === 0 || isHandled(order) || order.status === 'pending') return []
    const tenge = openMoneyOfConfirms(order.id, turnedAway, balance)
    const isOurs = turnedAway.some((attempt) => attempt.httpStatus !== 401)
    return finding({
      code: 'CONFIRM_THROTTLED',
      severity: 'HIGH',
      orderId: order.id,
      paymentId: turnedAway[0].paymentId,
      fault: isOurs ? 'PLATFORM' : 'PARTNER',
      ...atRisk(tenge, 'BUYER'),
      evidence: turnedAway.map(({ requestId }) => requestId),
    })
  })
}

/** REVOKED_CONFIRM_REJECTED: refused with 403, although a confirm of an existing order needs no grant. */
export function revokedConfirm(facts: CaseFacts, _: Thresholds, balance: Balance): Finding[] {
  return facts.orders.flatMap((order) => {
    const rejected = order.attempts.filter(
      ({ httpStatus, receivedAt }) => httpStatus === 403 && arrivedInWindow(order, receivedAt)
    )
    if (rejected.length === 0 || order.confirmedAt !== null || order.status === 'pending') return []
    const tenge = openMoneyOfConfirms(order.id, rejected, balance)
    return finding({
      code: 'REVOKED_CONFIRM_REJECTED',
      severity: 'BLOCKER',
      orderId: order.id,
      paymentId: rejected[0].paymentId,
      fault: 'PLATFORM',
      ...atRisk(tenge, 'BUYER'),
      evidence: rejected.map(({ requestId }) => requestId),
    })
  })
}

/**
 * CONFIRM_UNKNOWN_ORDER: a confirm of an order that we do not have, also one that could not be read. A sum that is not known, or in
 * another currency, is in no figure.
 */
export function unknownOrder(facts: CaseFacts, _: Thresholds, balance: Balance): Finding[] {
  const ids = distinct(facts.confirmsOfUnknownOrders.map(({ orderIdSent }) => orderIdSent))
  const areInOtherCurrency = (attempts: AttemptFacts[]) =>
    attempts.some(({ isInOtherCurrency }) => isInOtherCurrency)
  const hintOf = (attempts: AttemptFacts[]) => {
    if (areInOtherCurrency(attempts)) return 'OTHER_CURRENCY'
    const sums = attempts.map(({ amountTenge }) => amountTenge ?? 0n)
    return sums.some((tenge) => tenge > facts.partner.dearestOrderTenge)
      ? 'SUM_BEYOND_ORDERS'
      : null
  }
  return ids.map((orderId) => {
    const attempts = facts.confirmsOfUnknownOrders.filter(
      ({ orderIdSent }) => orderIdSent === orderId
    )
    const tenge = openMoneyOfConfirms(orderId, attempts, balance)
    return finding({
      code: 'CONFIRM_UNKNOWN_ORDER',
      severity: 'HIGH',
      orderId,
      paymentId: attempts[0].paymentId,
      isStrictBreach: true,
      // What was charged in another currency is not known, and so is whether anything was bought by it.
      isRecovered: tenge === 0n && countPayments(attempts) > 0 && !areInOtherCurrency(attempts),
      hint: hintOf(attempts),
      ...atRisk(tenge, 'BUYER'),
      evidence: attempts.map(({ requestId }) => requestId),
    })
  })
}

/** PAYMENT_REUSED: a payment that another order was refused with. It joins orders to a case and is no defect by itself. */
export function paymentReused(facts: CaseFacts): Finding[] {
  const attempts = [
    ...facts.orders.flatMap((order) => order.attempts),
    ...facts.confirmsOfUnknownOrders,
  ]
  return facts.orders.flatMap((order) => {
    const { payment } = order
    const earlier = attempts.filter(
      (attempt) =>
        attempt.paymentId === payment?.paymentId &&
        attempt.orderIdSent !== order.id &&
        !isAccepted(attempt)
    )
    if (!payment || earlier.length === 0) return []
    return finding({
      code: 'PAYMENT_REUSED',
      severity: 'INFO',
      orderId: order.id,
      paymentId: payment.paymentId,
      evidence: earlier.map(({ requestId }) => requestId),
    })
  })
}
