import type { Period } from '#ledger/periods'
import type { MatchComponent } from '#reconciliation/matching/components'
import { separateRepeats } from '#reconciliation/matching/repeated_rows'
import { judgeOrders, type Coverage } from '#reconciliation/matching/judge_orders'
import { matchCase, type MatchCase, type Reason } from '#reconciliation/matching/match_case'
import type { UnknownMoney } from '#reconciliation/matching/unknown_money'
import type { RowLink } from '#reconciliation/matching/row_link'
import type { MatchRow } from '#reconciliation/matching/match_row'
import type { RowMeaning } from '#register_reading/read_kind'
import { DAY_MS } from '#shared/days'

interface JudgeContext {
  unknownMoney: UnknownMoney
  rowIs: RowMeaning
  covers: Coverage
  /** Rows far from it that lead to no order of ours are out of scope. */
  period: Period
}

/** The case of a component, and cases of its rows that are no money: repeated ones, and declined payments. */
export function judgeComponent(component: MatchComponent, context: JudgeContext): MatchCase[] {
  const declined = component.links.filter(({ row }) => row.isNotPaid)
  const paid = component.links.filter(({ row }) => !row.isNotPaid)
  if (paid.length === 0) return [declinedCase(component)]
  // Equal rows count up to what orders cost: of unpaid ones only those that a row without a paid order was meant for.
  const meant = paid.flatMap((link) => (link.orders.length === 0 ? link.meantOrders : []))
  const orders = [...component.orders, ...new Set(meant)]
  const { counted: links, repeats } = separateRepeats(paid, context.rowIs, orders)
  return [
    component.orders.length > 0
      ? withDoubtfulDate(
          judgeOrders({ links, orders: component.orders }, context.covers),
          context.period
        )
      : judgeUnknown(links, context),
    ...repeats.map(({ row, line }) =>
      matchCase('DUP_IN_FILE', { rows: [row], why: [{ code: 'SAME_AS_LINE', detail: { line } }] })
    ),
    ...(declined.length > 0 ? [declinedCase({ links: declined, orders: [] })] : []),
  ]
}

const rowsOf = (links: readonly RowLink[]) => links.map(({ row }) => row)

/** Declined there, though perhaps paid here. */
function declinedCase({ links, orders }: MatchComponent): MatchCase {
  const rows = rowsOf(links)
  const [{ step }] = links
  if (orders.length === 0)
    return matchCase('OUT_OF_SCOPE', { step, rows, why: [{ code: 'NOT_PAID_THERE' }] })
  const why: Reason[] = [{ code: 'NOT_PAID_THERE', detail: { status: orders[0].status } }]
  return matchCase('STATUS_DIFF', { step, rows, orders, why })
}

/** Money that leads to no paid order of ours. */
function judgeUnknown(
  links: readonly RowLink[],
  { unknownMoney, period }: JudgeContext
): MatchCase {
  const rows = rowsOf(links)
  // A link to no paid order has reasons of its own only where a damaged id or a sum led to it.
  const explained = links.find(({ why }) => why.length > 0)
  if (explained) return explainedByLink(rows, explained)
  const { unpaid, meantOrderId, why } = unknownMoney.explain(links)
  const isUnknown = why[0].code === 'UNKNOWN_ORDER'
  if (isUnknown && rows.every((row) => isOutside(row, period)))
    return matchCase('OUT_OF_SCOPE', { rows, why: [{ code: 'OUTSIDE_PERIOD' }] })
  if (isUnknown && rows.every(({ kind }) => kind === 'refund'))
    return matchCase('MISSING_AT_PLATFORM', { rows, why: [{ code: 'REFUND_OF_UNKNOWN_SALE' }] })
  const category = unpaid[0]?.status === 'pending' ? 'STATUS_DIFF' : 'MISSING_AT_PLATFORM'
  return matchCase(category, { rows, why, meantOrderId })
}

/** A second charge, a late payment, or money of one of several orders that other rows have shown whole. */
function explainedByLink(rows: MatchRow[], { step, why, meantOrders }: RowLink): MatchCase {
  const category = meantOrders.length > 0 ? 'MISSING_AT_PLATFORM' : 'AMBIGUOUS'
  return matchCase(category, {
    rows,
    step,
    why: [...why],
    meantOrderId: meantOrders.length === 1 ? meantOrders[0].orderId : null,
  })
}

/** Nobody posts a payment this long before or after it was made. */
const FAR_MS = 7 * DAY_MS

/** Numbers have led to the orders; a date that fits neither them nor the register is probably mistyped. */
function withDoubtfulDate(judged: MatchCase, period: Period): MatchCase {
  const isFar = ({ at }: MatchRow) =>
    at !== null && judged.orders.every(({ paidAt }) => Math.abs(at - paidAt) > FAR_MS)
  const row = judged.rows.find((one) => isOutside(one, period) && isFar(one))
  if (!row) return judged
  const doubtful: Reason = { code: 'DATE_FAR_FROM_SALE', detail: { line: row.line } }
  return { ...judged, why: [...judged.why, doubtful] }
}

/** A day on either side belongs to the period's edge: clocks and posting dates differ. */
function isOutside({ at }: MatchRow, { from, to }: Period) {
  if (at === null) return false
  return at < from.getTime() - DAY_MS || at >= to.getTime() + DAY_MS
}
