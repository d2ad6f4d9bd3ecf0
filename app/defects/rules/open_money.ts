import type { Balance } from '#defects/balance/balance'
import type { AttemptFacts } from '#defects/facts/facts'
import { atLeastZero, max, min, sum } from '#shared/tenge'

/** What the buyer of an order was charged for its purchase and has nothing for. */
export function openMoneyOf(orderId: string, balance: Balance): bigint {
  const group = groupOf(orderId, balance)
  if (!group) return 0n
  const { chargedTenge, returnedTenge, boughtTenge } = group
  return min(atLeastZero(chargedTenge - returnedTenge - boughtTenge), balance.exposure.buyer)
}

/** The same, as far as these confirms of the order show it; one in another currency does not say how much. */
export function openMoneyOfConfirms(
  orderId: string,
  attempts: AttemptFacts[],
  balance: Balance
): bigint {
  const open = openMoneyOf(orderId, balance)
  return attempts.some(({ isInOtherCurrency }) => isInOtherCurrency)
    ? open
    : min(open, claimedTenge(attempts))
}

/** Whether its payment bought nothing, given back or not. */
export function boughtNothing(orderId: string, balance: Balance): boolean {
  const group = groupOf(orderId, balance)
  return group !== undefined && group.chargedTenge > group.boughtTenge
}

export const groupOf = (orderId: string, { groups }: Balance) =>
  groups.find(({ orderIds }) => orderIds.includes(orderId))

/** Payment by payment the most that a confirm says; repeats are the same money. */
function claimedTenge(attempts: AttemptFacts[]): bigint {
  const payments = new Map<string | null, bigint>()
  for (const { paymentId, amountTenge } of attempts)
    payments.set(paymentId, max(payments.get(paymentId) ?? 0n, amountTenge ?? 0n))
  return sum([...payments.values()])
}

/** How many payments confirms with an amount name. */
export const countPayments = (attempts: AttemptFacts[]) =>
  new Set(
    attempts.flatMap(({ paymentId, amountTenge }) =>
      amountTenge === null ? [] : (paymentId ?? [])
    )
  ).size
