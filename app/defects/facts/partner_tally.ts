import { SECOND_MS, MINUTE_MS } from '#shared/days'
import { isPlaceholder } from '#defects/facts/placeholder_ids'
import type { SharedIds } from '#defects/facts/constant_ids'
import {
  isAccepted,
  isAmountMismatch,
  type AttemptFacts,
  type OrderFacts,
} from '#defects/facts/facts'

/** Counts of a partner's orders made on one venues' day. */
export interface Tally {
  created: number
  paid: number
  expired: number
  cancelled: number
  /** Orders with a confirm. */
  attempted: number
  /** Orders with a confirm after the window. */
  late: number
  /** Orders with a confirm of another amount. */
  mismatched: number
  /** Payments whose `paid_at` is the moment of the request, or has no seconds. */
  synthetic: number
  /** Payments with an id that is none: a dummy text, or a constant. */
  placeholders: number
  /** Those of them with a constant id. */
  notUnique: number
  bookings: number
  bookingsExpired: number
}

export const noTally = (): Tally => ({
  created: 0,
  paid: 0,
  expired: 0,
  cancelled: 0,
  attempted: 0,
  late: 0,
  mismatched: 0,
  synthetic: 0,
  placeholders: 0,
  notUnique: 0,
  bookings: 0,
  bookingsExpired: 0,
})

export function addTally(to: Tally, more: Tally) {
  for (const name of Object.keys(to) as (keyof Tally)[]) to[name] += more[name] ?? 0
}

export function countOrder(
  tally: Tally,
  order: OrderFacts,
  { meaninglessIds, constantIds }: SharedIds
) {
  const { status, attempts, payment } = order
  tally.created++
  if (payment) tally.paid++
  if (status === 'expired') tally.expired++
  if (status === 'cancelled') tally.cancelled++
  if (attempts.length > 0) tally.attempted++
  if (attempts.some(({ code }) => code === 'ORDER_EXPIRED')) tally.late++
  if (attempts.some((attempt) => isAmountMismatch(attempt, order))) tally.mismatched++
  if (!payment) return
  if (isSynthetic(payment.paidAt, attempts.find(isAccepted))) tally.synthetic++
  if (meaninglessIds.has(payment.paymentId) || isPlaceholder(payment.paymentId))
    tally.placeholders++
  if (constantIds.has(payment.paymentId)) tally.notUnique++
}

const second = (at: number) => Math.floor(at / SECOND_MS)

/** Whether `paid_at` is the moment of the request or a whole minute, and so was not taken from the payment. */
function isSynthetic(paidAt: number, accepted: AttemptFacts | undefined) {
  if (paidAt % MINUTE_MS < SECOND_MS) return true
  if (!accepted) return false
  const { receivedAt, sentAt } = accepted
  return second(paidAt) === second(receivedAt) || (sentAt !== null && paidAt === sentAt)
}
