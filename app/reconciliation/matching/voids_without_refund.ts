import type { OurOrder, OurVoid } from '#reconciliation/matching/match_case'
import { MOST_CANDIDATES, type OurOrders } from '#reconciliation/matching/our_orders'
import type { RowLink } from '#reconciliation/matching/row_link'
import { atLeastZero } from '#shared/tenge'

/**
 * Voids of paid orders that may be what a refund without identifiers is of: those at one moment, and all of an order together, as far
 * as the rows that are linked with it leave room.
 *
 * Example, of an order of 30,000 with voids of 10,000 on one day and 5,000 on the next:
 *   its sale of 30,000                   10,000 and 5,000 on their days, 15,000 on the last one
 *   its sale, and a refund of 10,000     5,000
 *   its sale of 15,000                   none: it is net of the refund
 */
export function voidsWithoutRefund(
  links: readonly RowLink[],
  { confirmed }: OurOrders
): Map<OurOrder, OurVoid[]> {
  const shown = shownOfVoidedOrders(links)
  const left = new Map<OurOrder, OurVoid[]>()
  for (const order of confirmed) {
    if (order.voids === null) continue
    const { salesTenge, refundsTenge } = shown.get(order) ?? nothingShown()
    // A sale below its order's total is net of refunds, which have no rows of their own.
    const netOfTenge = salesTenge === null ? 0n : atLeastZero(order.totalTenge - salesTenge)
    const leftTenge = order.refundedTenge - refundsTenge - netOfTenge
    const together = { at: order.voids.at(-1)!.at, tenge: Number(order.refundedTenge) }
    const fitting = [...order.voids, together].filter(({ tenge }) => BigInt(tenge) <= leftTenge)
    if (fitting.length > 0) left.set(order, fitting)
  }
  return left
}

interface Shown {
  /** Null where no row shows the sale. */
  salesTenge: bigint | null
  refundsTenge: bigint
}
const nothingShown = (): Shown => ({ salesTenge: null, refundsTenge: 0n })

function shownOfVoidedOrders(links: readonly RowLink[]) {
  const shown = new Map<OurOrder, Shown>()
  for (const { row, orders } of links) {
    // Nobody knows what a row of so many orders shows of one.
    if (orders.length > MOST_CANDIDATES || row.isNotPaid) continue
    for (const order of orders) {
      if (order.voids === null) continue
      const one = shown.get(order) ?? nothingShown()
      shown.set(order, one)
      if (row.kind === 'sale') {
        one.salesTenge = (one.salesTenge ?? 0n) + row.amountTenge!
        one.refundsTenge += row.returnedTenge
      } else one.refundsTenge -= row.amountTenge!
    }
  }
  return shown
}
