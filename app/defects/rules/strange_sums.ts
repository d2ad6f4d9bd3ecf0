import { isCredible } from '#defects/balance/confirmed_charges'
import type { AttemptFacts } from '#defects/facts/facts'
import type { Finding } from '#defects/rules/finding'

const TIYN_IN_TENGE = 100n

type SumHint = Pick<Finding, 'hint' | 'probableTenge'>

/**
 * The hint about a sum that an order of this total cannot have; `hint` is null for others.
 *
 * Example, of an order of 7,350:
 *   15 USD    OTHER_CURRENCY
 *   735,000   SUM_IN_TIYN, probably 7,350
 *   98,765    SUM_NOT_CREDIBLE
 *   7,717     none: it may include a fee
 */
export function hintOfSums(attempts: AttemptFacts[], totalTenge: bigint): SumHint {
  if (attempts.some(({ isInOtherCurrency }) => isInOtherCurrency))
    return { hint: 'OTHER_CURRENCY', probableTenge: null }
  const sums = attempts.flatMap(({ amountTenge }) => amountTenge ?? [])
  const isEachCredible = sums.every((tenge) => isCredible(tenge, totalTenge))
  const inTiyn = hintOfTiyn(sums, totalTenge)
  if (inTiyn.hint !== null || isEachCredible) return inTiyn
  return { hint: 'SUM_NOT_CREDIBLE', probableTenge: null }
}

/** SUM_IN_TIYN where one of the sums is the order's total in tiyn; `hint` is null otherwise. */
export const hintOfTiyn = (sums: bigint[], totalTenge: bigint): SumHint =>
  totalTenge > 0n && sums.includes(TIYN_IN_TENGE * totalTenge)
    ? { hint: 'SUM_IN_TIYN', probableTenge: totalTenge }
    : { hint: null, probableTenge: null }
