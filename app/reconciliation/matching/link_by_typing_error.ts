import type { OurOrder } from '#reconciliation/matching/match_case'
import { suggestedLink, type RowLink } from '#reconciliation/matching/row_link'
import { foldId } from '#register_reading/read_id'
import type { MatchRow } from '#reconciliation/matching/match_row'
import { dayNumber } from '#shared/days'

/**
 * Links a sale whose order number has one mistyped character. Suggestions only.
 *
 * Example, of the missing order ORD-100123 of 12,000:
 *   one row ORD-100128 of 12,000                     → that order: one character is another
 *   one row ORD-10123 of 12,000                      → that order: one character is missing
 *   one row ORD-100128 of 7,000                      → none: another sum
 *   rows ORD-100128 and ORD-100129 of 12,000 each    → none: the order is one of them, and nobody knows which
 *   one row ORD-100128 two days later                → none: numbers follow one another, and so do sales
 *   one row ORD-100128 with payment X-9              → none: a payment that is not the order's
 */
export class MistypedIds {
  /** Line of a row → the only order that it may name. */
  readonly #orders = new Map<number, OurOrder>()

  constructor(rest: readonly MatchRow[], free: readonly OurOrder[]) {
    const sales = rest.filter((row) => isSaleWithoutPayment(row) && numberOf(row) !== null)
    // Typing errors are few: more numbers that we do not know are numbers of something else.
    if (sales.length > MOST_MISTYPED) return
    const bySum = Map.groupBy(
      free.filter(({ isInPeriod }) => isInPeriod),
      ({ totalTenge }) => totalTenge
    )
    const found = sales.flatMap((row) => {
      const alike = (bySum.get(row.amountTenge!) ?? []).filter((order) => isMistyped(row, order))
      return alike.length === 1 ? [{ row, order: alike[0] }] : []
    })
    for (const [order, own] of Map.groupBy(found, (one) => one.order)) {
      const numbers = new Set(own.map(({ row }) => numberOf(row)))
      if (numbers.size === 1) for (const { row } of own) this.#orders.set(row.line, order)
    }
  }

  link(row: MatchRow): RowLink | null {
    const order = this.#orders.get(row.line)
    if (!order) return null
    const why = [{ code: 'ID_MISTYPED', detail: { orderId: order.orderId } }] as const
    return suggestedLink(row, { orders: [order], step: 'SUGGESTED_BY_ID', why, isUncertain: false })
  }
}

const MOST_MISTYPED = 200
/** Of shorter numbers nearly all are one character apart. */
const SHORTEST = 6

/** One that names a payment would have been found by it. */
const isSaleWithoutPayment = ({ kind, amountTenge, isNotPaid, paymentId }: MatchRow) =>
  kind === 'sale' && amountTenge !== null && !isNotPaid && paymentId === null

/** The partner's: our own numbers follow one another over all partners, and one that is a character apart is another partner's. */
const numberOf = ({ orderKey }: MatchRow) =>
  orderKey !== null && orderKey.length >= SHORTEST ? foldId(orderKey) : null

function isMistyped(row: MatchRow, { partnerOrderId, paidAt }: OurOrder) {
  if (partnerOrderId.length < SHORTEST) return false
  if (row.at !== null && Math.abs(dayNumber(row.at) - dayNumber(paidAt)) > 1) return false
  return isOneEditApart(numberOf(row)!, foldId(partnerOrderId))
}

/** Whether one character more, less or other is all that they differ by. */
function isOneEditApart(one: string, other: string) {
  const [longer, shorter] = one.length >= other.length ? [one, other] : [other, one]
  if (one === other || longer.length - shorter.length > 1) return false
  let same = 0
  while (same < shorter.length && longer[same] === shorter[same]) same++
  const isReplaced = longer.length === shorter.length
  return longer.slice(same + 1) === shorter.slice(isReplaced ? same + 1 : same)
}
