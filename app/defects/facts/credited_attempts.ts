import type { AttemptFacts, CaseFacts, OrderFacts } from '#defects/facts/facts'
import { min } from '#shared/tenge'

const END_REFUSALS = ['ORDER_EXPIRED', 'ORDER_CANCELLED', 'EVENT_CANCELLED']
const isEndRefusal = ({ code }: AttemptFacts) => code !== null && END_REFUSALS.includes(code)

/** Whether a later confirm of the order shows how its payment came out. */
export const isHandled = ({ confirmedAt, attempts }: OrderFacts) =>
  confirmedAt !== null || attempts.some(isEndRefusal)

/**
 * Confirms that show a charge. A wrong signature proves nothing, but it may be all there is: one payment of such is believed,
 * up to the order's total.
 */
export function creditedAttempts(order: OrderFacts): AttemptFacts[] {
  const [first] = order.unsigned ?? []
  if (!first || isHandled(order)) return order.attempts
  const believed = order
    .unsigned!.filter(({ paymentId }) => paymentId === first.paymentId)
    .map((one) => ({
      ...one,
      amountTenge: one.amountTenge && min(one.amountTenge, order.totalTenge),
    }))
  return [...order.attempts, ...believed]
}

export const allCreditedAttempts = ({ orders, confirmsOfUnknownOrders }: CaseFacts) => [
  ...orders.flatMap(creditedAttempts),
  ...confirmsOfUnknownOrders,
]
