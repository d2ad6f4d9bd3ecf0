import {
  MATCH_CATEGORIES,
  type Exposure,
  type MatchCase,
  type MatchCategory,
} from '#reconciliation/matching/match_case'

export interface CategoryTotals {
  cases: number
  rows: number
  orders: number
  /** Amounts of the rows, refunds subtracted. */
  rowsTenge: bigint
  ordersTenge: bigint
  exposure: Record<Exclude<Exposure['party'], 'NONE'>, bigint>
}
export type MatchTotals = Record<MatchCategory, CategoryTotals>

const empty = (): CategoryTotals => ({
  cases: 0,
  rows: 0,
  orders: 0,
  rowsTenge: 0n,
  ordersTenge: 0n,
  exposure: { BUYER: 0n, PLATFORM: 0n, PARTNER: 0n },
})

/** Per category; over all of them rows and amounts are those of the register. */
export function matchTotals(cases: readonly MatchCase[]): MatchTotals {
  const entries = MATCH_CATEGORIES.map((category) => [category, empty()] as const)
  const totals = Object.fromEntries(entries) as MatchTotals
  for (const { category, rows, orders, compared, exposure } of cases) {
    const sums = totals[category]
    sums.cases++
    sums.rows += rows.length
    sums.orders += orders.length
    sums.rowsTenge += compared.salesTenge - compared.refundsTenge
    sums.ordersTenge += compared.totalTenge - compared.refundedTenge
    if (exposure.party !== 'NONE') sums.exposure[exposure.party] += exposure.tenge
  }
  return totals
}
