import { SECOND_MS, MINUTE_MS } from '#shared/days'
import { isPlaceholder } from '#defects/facts/placeholder_ids'
import { isAccepted, type AttemptFacts, type OrderFacts } from '#defects/facts/facts'

/** A partner's day in numbers, counted by the day on which an order was made. */
export interface Tally {
  created: number
  paid: number
  expired: number
  cancelled: number
  /** Orders that any confirm named. */
  attempted: number
  /** Orders with a confirm after the window. */
  late: number
  /** Orders with a confirm of another amount. */
  mismatched: number
  /** Payments whose moment of charge is only that of the request, or without seconds. */
  synthetic: number
  /** Payments that cannot be found by their id. */
  placeholders: number
  bookings: number
  bookingsExpired: number
}

/** What a partner's requests were answered with, and how it read the feed, in a day or in a month. */
export interface Conduct {
  tally: Tally
  requests: number
  conflicts: number
  pendingLimited: number
  rateLimited: number
  /** Stretches of five minutes in which it had to read the feed, and those in which it did not. */
  feedSlots: number
  feedMissed: number
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
  bookings: 0,
  bookingsExpired: 0,
})

export function addTally(to: Tally, more: Tally) {
  for (const name of Object.keys(to) as (keyof Tally)[]) to[name] += more[name] ?? 0
}

/** `crowded`: payment ids that stand for more orders than one payment can. */
export function countOrder(tally: Tally, order: OrderFacts, crowded: ReadonlySet<string>) {
  const { status, attempts, payment, totalTenge } = order
  tally.created++
  if (payment) tally.paid++
  if (status === 'expired') tally.expired++
  if (status === 'cancelled') tally.cancelled++
  if (attempts.length > 0) tally.attempted++
  if (attempts.some(({ code }) => code === 'ORDER_EXPIRED')) tally.late++
  if (attempts.some((attempt) => isMismatch(attempt, totalTenge))) tally.mismatched++
  if (!payment) return
  if (isSynthetic(payment.paidAt, attempts.find(isAccepted))) tally.synthetic++
  if (crowded.has(payment.paymentId) || isPlaceholder(payment.paymentId, 1)) tally.placeholders++
}

const isMismatch = ({ httpStatus, amountTenge }: AttemptFacts, totalTenge: bigint) =>
  httpStatus === 422 && amountTenge !== null && amountTenge !== totalTenge

const second = (at: number) => Math.floor(at / SECOND_MS)

/** The moment of the request, or a whole minute: nobody has looked when the money was taken. */
function isSynthetic(paidAt: number, accepted: AttemptFacts | undefined) {
  if (paidAt % MINUTE_MS < SECOND_MS) return true
  if (!accepted) return false
  const { receivedAt, sentAt } = accepted
  return second(paidAt) === second(receivedAt) || (sentAt !== null && paidAt === sentAt)
}
