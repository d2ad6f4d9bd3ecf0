import { isCredible } from '#defects/balance/confirmed_charges'

const TIYN_IN_TENGE = 100n

/**
 * The hint about a sum that an order of this total cannot have; null for others.
 *
 * Example, of an order of 7,350:
 *   735,000   SUM_IN_TIYN, probably 7,350
 *   98,765    SUM_NOT_CREDIBLE
 *   7,717     null: it may include a fee
 */
export function hintOfSums(sums: bigint[], totalTenge: bigint): string | null {
  if (isInTiyn(sums, totalTenge)) return 'SUM_IN_TIYN'
  return sums.every((tenge) => isCredible(tenge, totalTenge)) ? null : 'SUM_NOT_CREDIBLE'
}

/** Whether one of the sums is the order's total in tiyn. */
export const isInTiyn = (sums: bigint[], totalTenge: bigint) =>
  totalTenge > 0n && sums.includes(TIYN_IN_TENGE * totalTenge)
