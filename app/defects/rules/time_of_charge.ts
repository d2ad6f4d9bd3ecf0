import { arrivedInWindow, isAccepted, type CaseFacts, type OrderFacts } from '#defects/facts/facts'
import type { DefectCode, Severity } from '#defects/rules/defect_codes'
import { finding, type Finding } from '#defects/rules/finding'
import type { Thresholds, ZoneMistake } from '#defects/rules/thresholds'
import { UNIT_MS } from '#shared/instants'

/** hint → the offset in minutes that a partner sends who makes this mistake. */
const OFFSETS_SENT: Record<string, number> = {
  STALE_PLUS_6: 360,
  MOSCOW_AS_PLUS_5: 300,
  UTC_AS_PLUS_5: 300,
  UTC_AS_PLUS_6: 360,
  LOCAL_AS_UTC: 0,
}

/**
 * The hint of the wrong time zone that explains it, for the offset that was sent.
 *
 * Example: 12:00Z was sent and 07:00Z is true: five hours late, `LOCAL_AS_UTC`. With 12:00+05:00 that explains nothing.
 */
function zoneMistake(
  byMs: number,
  paidAtRaw: string,
  mistakes: readonly ZoneMistake[],
  { zoneSlackMs }: Thresholds
) {
  const sent = offsetOf(paidAtRaw)
  return mistakes.find(
    ({ offMs, hint }) => OFFSETS_SENT[hint] === sent && Math.abs(byMs - offMs) <= zoneSlackMs
  )?.hint
}

/** In minutes; null where a text names none. */
function offsetOf(paidAtRaw: string): number | null {
  const [, sign, hours, minutes = '0'] = /([+-])(\d\d):?(\d\d)?$/.exec(paidAtRaw) ?? []
  if (sign === undefined) return /z$/i.test(paidAtRaw) ? 0 : null
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}

/** How much too early a moment of the partner's clock may seem although it is not. */
const toleranceBefore = (skewMs: number, { skewAllowanceMs }: Thresholds) =>
  skewAllowanceMs + Math.max(0, skewMs)
/** How much too late it may seem. */
const toleranceAfter = (skewMs: number, { skewAllowanceMs }: Thresholds) =>
  skewAllowanceMs + Math.max(0, -skewMs)

type Paid = OrderFacts & { payment: NonNullable<OrderFacts['payment']> }
const isPaid = (order: OrderFacts): order is Paid => order.payment !== null
const acceptedOf = (order: OrderFacts) => order.attempts.find(isAccepted)

/** Whether an earlier confirm of another order was refused with the same payment. */
const isReused = (
  { id, createdAt, payment }: Paid,
  { orders }: CaseFacts,
  { reuseSlackMs }: Thresholds
) =>
  orders.some(
    (other) =>
      other.id !== id &&
      other.attempts.some(
        (attempt) =>
          attempt.paymentId === payment.paymentId &&
          !isAccepted(attempt) &&
          attempt.receivedAt <= createdAt + reuseSlackMs
      )
  )

/** PAID_BEFORE_CREATED: `paid_at` is earlier than the order's creation (contract, reconciliation). `subclass` has our assessment. */
export function paidBeforeCreated(facts: CaseFacts, thresholds: Thresholds): Finding[] {
  return facts.orders.filter(isPaid).flatMap((order) => {
    const earlyMs = order.createdAt - order.payment.paidAt
    if (earlyMs <= 0) return []
    const [subclass, severity, hint] = classify(order, earlyMs, facts, thresholds)
    return about(order, 'PAID_BEFORE_CREATED', severity, {
      subclass,
      hint,
      isStrictBreach: true,
      deviationMs: earlyMs,
      fault: subclass === 'RESOLUTION' ? 'UNKNOWN' : 'PARTNER',
    })
  })
}

function classify(
  order: Paid,
  earlyMs: number,
  facts: CaseFacts,
  thresholds: Thresholds
): [subclass: string, severity: Severity, hint: string | null] {
  const { worstClockMs, staleMs } = thresholds
  if (isReused(order, facts, thresholds)) return ['PAYMENT_REUSED', 'HIGH', null]
  if (earlyMs < UNIT_MS[order.payment.precision]) return ['RESOLUTION', 'INFO', 'KEEP_FRACTION']
  if (earlyMs <= Math.min(toleranceBefore(facts.partner.skewMs, thresholds), worstClockMs))
    return ['SKEW', 'INFO', 'SET_CLOCK']
  const mistake = zoneMistake(
    earlyMs,
    order.payment.paidAtRaw,
    thresholds.earlyZoneMistakes,
    thresholds
  )
  if (mistake) return ['TZ_OFFSET', 'MEDIUM', mistake]
  if (earlyMs > staleMs) return ['STALE', 'HIGH', null]
  return ['HARD', earlyMs <= worstClockMs ? 'MEDIUM' : 'HIGH', null]
}

/** PAID_IN_FUTURE: `paid_at` is later than the arrival of the confirm. */
export function paidInFuture({ orders, partner }: CaseFacts, thresholds: Thresholds): Finding[] {
  return orders.filter(isPaid).flatMap((order) => {
    const lateMs = afterArrivalMs(order)
    const tolerance = toleranceAfter(partner.skewMs, thresholds)
    if (lateMs <= tolerance || isPlausiblyLate(order, tolerance, thresholds)) return []
    const { paidAtRaw } = order.payment
    const mistake = zoneMistake(lateMs, paidAtRaw, thresholds.lateZoneMistakes, thresholds)
    return about(order, 'PAID_IN_FUTURE', 'MEDIUM', {
      subclass: mistake ? 'TZ_OFFSET' : null,
      hint: mistake ?? null,
      deviationMs: lateMs,
    })
  })
}

const afterArrivalMs = (order: Paid) =>
  order.payment.paidAt - (acceptedOf(order)?.receivedAt ?? order.confirmedAt!)

/**
 * Whether it was charged after the window by a clock that may be wrong: it was confirmed in time, so that moment cannot be true.
 * Further ahead it is no charge after the window, but a wrong moment.
 */
const isPlausiblyLate = (order: Paid, tolerance: number, { worstClockMs }: Thresholds) =>
  order.payment.paidAt - order.windowEndsAt > tolerance && afterArrivalMs(order) <= worstClockMs

/** PAID_AFTER_WINDOW: confirmed in time, but charged after the window had closed. */
export function paidAfterWindow({ orders, partner }: CaseFacts, thresholds: Thresholds): Finding[] {
  const tolerance = toleranceAfter(partner.skewMs, thresholds)
  return orders
    .filter(isPaid)
    .filter((order) => isPlausiblyLate(order, tolerance, thresholds))
    .flatMap((order) => {
      const deviationMs = order.payment.paidAt - order.windowEndsAt
      return about(order, 'PAID_AFTER_WINDOW', 'MEDIUM', { deviationMs })
    })
}

const USUAL_OFFSET = /(?:[Zz]|[+]05(?::?00)?|[+-]00(?::?00)?)$/

/** PAID_AT_OFFSET_SUSPECT: a plausible moment in an offset other than +05:00 or UTC. */
export function offsetSuspect({ orders }: CaseFacts): Finding[] {
  return orders.filter(isPaid).flatMap((order) => {
    const { paidAt, paidAtRaw } = order.payment
    const isPlausible = paidAt >= order.createdAt && paidAt <= order.confirmedAt!
    if (USUAL_OFFSET.test(paidAtRaw) || !isPlausible) return []
    return about(order, 'PAID_AT_OFFSET_SUSPECT', 'LOW', { hint: 'USE_PLUS_5' })
  })
}

/** SLOW_CONFIRM: much of the window passed between charge and confirm; the next confirm may be too late. */
export function slowConfirm({ orders }: CaseFacts, { slowShare }: Thresholds): Finding[] {
  return orders.filter(isPaid).flatMap((order) => {
    const receivedAt = acceptedOf(order)?.receivedAt ?? order.confirmedAt!
    const tookMs = receivedAt - Math.max(order.payment.paidAt, order.createdAt)
    if (tookMs <= (order.windowEndsAt - order.createdAt) * slowShare) return []
    return about(order, 'SLOW_CONFIRM', 'LOW', { deviationMs: tookMs })
  })
}

/** PAID_AFTER_WINDOW_END: we accepted a confirm after the window. A fault of ours that must never happen. */
export function paidAfterWindowEnd({ orders }: CaseFacts): Finding[] {
  return orders.filter(isPaid).flatMap((order) => {
    const receivedAt = acceptedOf(order)?.receivedAt
    if (receivedAt === undefined || arrivedInWindow(order, receivedAt)) return []
    const deviationMs = receivedAt - order.windowEndsAt
    return about(order, 'PAID_AFTER_WINDOW_END', 'BLOCKER', { deviationMs, fault: 'PLATFORM' })
  })
}

const about = (order: Paid, code: DefectCode, severity: Severity, more: Partial<Finding>) => {
  const { paymentId } = order.payment
  const accepted = acceptedOf(order)
  const evidence = accepted ? [accepted.requestId] : []
  return [finding({ code, severity, orderId: order.id, paymentId, evidence, ...more })]
}
