import { isCredible, isInOtherCurrency } from '#defects/balance/confirmed_charges'
import type { AttemptFacts } from '#defects/facts/facts'

const TIYN_IN_TENGE = 100n

/**
 * The hint about a sum that an order of this total cannot have; null for others.
 *
 * Example, of an order of 7,350:
 *   15 USD    OTHER_CURRENCY
 *   735,000   SUM_IN_TIYN, probably 7,350
 *   98,765    SUM_NOT_CREDIBLE
 *   7,717     null: it may include a fee
 */
export function hintOfSums(attempts: AttemptFacts[], totalTenge: bigint): string | null {
  if (attempts.some(isInOtherCurrency)) return 'OTHER_CURRENCY'
  const sums = attempts.flatMap(({ amountTenge }) => amountTenge ?? [])
  if (isInTiyn(sums, totalTenge)) return 'SUM_IN_TIYN'
  return sums.every((tenge) => isCredible(tenge, totalTenge)) ? null : 'SUM_NOT_CREDIBLE'
}

/** Whether one of the sums is the order's total in tiyn. */
export const isInTiyn = (sums: bigint[], totalTenge: bigint) =>
  totalTenge > 0n && sums.includes(TIYN_IN_TENGE * totalTenge)
