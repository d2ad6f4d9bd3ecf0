import { countSales, sumOf, type CountedRows } from '#reconciliation/matching/count_rows'
import { duplicateOf } from '#reconciliation/matching/judge_claims'
import { judgeOrders } from '#reconciliation/matching/judge_orders'
import type { OurOrder, Reason } from '#reconciliation/matching/match_case'
import type { Claim, Matching } from '#reconciliation/matching/matching'
import type { RegisterRow } from '#reconciliation/reading/parse_row'

/** Step 4: one payment for several of our orders, a cart over several bookings. */
export function findGroups(matching: Matching): void {
  for (const [paymentId, rows] of matching.shared) {
    const free = matching.ours.paidBy(paymentId).filter((order) => !matching.taken.has(order))
    const group = free.length > 1 && rows.every((row) => !row.isNotPaid) && sameSum(rows, free)
    if (group) joinAll(matching, paymentId, group, free)
    else pairByAmount(matching, rows, free)
  }
}

/** The rows that are together as much as the orders, and repeats of them; null when the sums differ. */
function sameSum(rows: readonly RegisterRow[], orders: readonly OurOrder[]): CountedRows | null {
  const claims = rows.map((row): Claim => ({ row, step: 'GROUP_ONE_TO_MANY', why: [] }))
  const totalTenge = orders.reduce((sum, order) => sum + order.totalTenge, 0n)
  const sales = claims.filter(({ row }) => row.kind === 'sale')
  const refunds = claims.filter(({ row }) => row.kind === 'refund')
  const { counted, extra } = countSales(sales, totalTenge)
  return sumOf(counted) === totalTenge ? { counted: [...counted, ...refunds], extra } : null
}

function joinAll(
  matching: Matching,
  paymentId: string,
  { counted, extra }: CountedRows,
  orders: OurOrder[]
) {
  for (const order of orders) matching.settle(order)
  const step = 'GROUP_ONE_TO_MANY'
  const why: Reason[] = [{ code: 'SHARED_PAYMENT', detail: { paymentId, orders: orders.length } }]
  const rows = counted.map(({ row }) => row)
  matching.cases.push(judgeOrders({ orders, rows, step, why, isSuggested: false }))
  for (const claim of extra) matching.cases.push(duplicateOf(claim))
}

/** A row whose amount one order alone has, and no other row, is that order's; the rest stays undecided. */
function pairByAmount(
  matching: Matching,
  rows: readonly RegisterRow[],
  orders: readonly OurOrder[]
) {
  const alike = Map.groupBy(rows, ({ amountTenge }) => amountTenge)
  const undecided: RegisterRow[] = []
  for (const row of rows) {
    const fitting = orders.filter(({ totalTenge }) => totalTenge === row.amountTenge)
    const why: Reason[] = [{ code: 'NARROWED_BY_AMOUNT' }]
    if (fitting.length === 1 && alike.get(row.amountTenge)!.length === 1)
      matching.claim(fitting[0], { row, step: 'BY_PAYMENT', why })
    else undecided.push(row)
  }
  const free = orders.filter((order) => !matching.taken.has(order))
  for (const row of undecided) matching.leaveUndecided(row, free)
  for (const order of undecided.length > 0 ? free : []) matching.taken.add(order)
}
