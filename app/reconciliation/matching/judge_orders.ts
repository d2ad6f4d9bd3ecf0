import {
  isSuggestion,
  matchCase,
  NONE_SUGGESTED,
  type Compared,
  type MatchCase,
  type MatchCategory,
  type MatchStep,
  type OurOrder,
  type Reason,
} from '#reconciliation/matching/match_case'
import { unpaidReason } from '#reconciliation/matching/unknown_money'
import type { RowLink } from '#reconciliation/matching/row_link'
import { foldId } from '#register_reading/read_id'
import { sumTenge } from '#shared/sums'

/** What a register has to show: what is missing from it means something only for that. */
export interface Coverage {
  sales: boolean
  refunds: boolean
}
interface Together {
  links: readonly RowLink[]
  orders: readonly OurOrder[]
}
interface Verdict {
  category: MatchCategory
  why?: Reason
}

/**
 * The verdict on paid orders and the rows that are their money: what the rows add up to, against what the orders do. Not a
 * tenge of tolerance.
 */
export function judgeOrders({ links, orders }: Together, covers: Coverage): MatchCase {
  const rows = links.map(({ row }) => row)
  const suggested = suggestedOf(links)
  const why = reasonsOf({ links, orders })
  const step = stepOf({ links, orders })
  const found = matchCase('MATCHED', { orders, rows, step, why, suggested })
  const judged = withVoidsToShow(found, covers)
  const verdict = verdictOn(judged, covers)
  if (verdict.why) judged.why = [...why, verdict.why]
  judged.category = verdict.category
  if (verdict.category === 'AMOUNT_DIFF') return explainDifference(judged, links)
  if (isRefundsAlone(judged) && !hasToShowSale(judged, covers)) judged.compared.totalTenge = 0n
  return judged
}

function suggestedOf(links: readonly RowLink[]): MatchCase['suggested'] {
  const suggested = links.filter(({ step }) => isSuggestion(step)).map(({ row }) => row)
  return suggested.length > 0 ? new Set(suggested) : NONE_SUGGESTED
}

const hasToShowSale = ({ orders }: MatchCase, covers: Coverage) =>
  covers.sales && orders.every(isTimely)

/** Orders stand in this period's statement, or will when it is drawn up. */
const isTimely = ({ statementPeriod, isInPeriod }: OurOrder) =>
  statementPeriod === 'this' || (statementPeriod === null && isInPeriod)

/** The first reason of each kind, and which unpaid orders the rows name as well. */
function reasonsOf({ links, orders }: Together): Reason[] {
  const reasons = new Map<string, Reason>()
  for (const reason of links.flatMap((link) => link.why))
    if (!reasons.has(reason.code)) reasons.set(reason.code, reason)
  if (reasons.has('IDS_LOST_DIGITS')) {
    const detail = { rows: links.length, orders: orders.length }
    reasons.set('IDS_LOST_DIGITS', { code: 'IDS_LOST_DIGITS', detail })
  }
  const meant = new Set(links.flatMap(({ meantOrders }) => meantOrders))
  return [...reasons.values(), ...[...meant].map(unpaidReason)]
}

function stepOf({ links, orders }: Together): MatchStep {
  const suggested = links.find((link) => isSuggestion(link.step))
  if (suggested) return suggested.step
  if (orders.length > 1) return 'GROUP_ONE_TO_MANY'
  const sales = links.filter(({ row }) => row.kind === 'sale')
  return sales.length > 1 ? 'GROUP_MANY_TO_ONE' : links[0].step
}

/** A difference of sums, or what is more likely than one: ids that contradict each other, unknown pairs, a second charge. */
function explainDifference(judged: MatchCase, links: readonly RowLink[]): MatchCase {
  if (judged.why.some(({ code }) => code === 'KEYS_LEAD_TO'))
    return { ...judged, category: 'KEY_CONFLICT', step: 'KEY_CONFLICT' }
  if (links.some(({ isUncertain }) => isUncertain))
    return { ...judged, category: 'AMBIGUOUS', step: 'NONE', suggested: NONE_SUGGESTED }
  const [order] = judged.orders
  if (!isSecondCharge(judged)) return judged
  const second: Reason = { code: 'SECOND_CHARGE', detail: { orderId: order.orderId } }
  return { ...judged, why: [second, ...judged.why] }
}

/** One order, charged more than it costs by several payments. */
function isSecondCharge({ orders, rows, compared }: MatchCase) {
  const sales = rows.filter(({ kind }) => kind === 'sale')
  const payments = new Set(sales.map(({ paymentId }) => paymentId && foldId(paymentId)))
  return orders.length === 1 && payments.size > 1 && compared.salesTenge > compared.totalTenge
}

/**
 * The voids that the refunds are compared with: none where a register neither shows nor covers refunds, all until its end where they
 * agree, else those of its days, as it has shown earlier ones before.
 */
function withVoidsToShow(judged: MatchCase, covers: Coverage): MatchCase {
  const { compared, orders } = judged
  if (!covers.refunds && compared.refundsTenge === 0n && !isNet(compared))
    return { ...judged, compared: { ...compared, refundedTenge: 0n } }
  if (compared.refundsTenge === compared.refundedTenge || isNet(compared)) return judged
  const refundedTenge = sumTenge(orders, (order) => order.refundedInPeriodTenge)
  return { ...judged, compared: { ...compared, refundedTenge } }
}

/** One sum, from which what was refunded is taken off already. */
const isNet = ({ salesTenge, refundsTenge, totalTenge, refundedTenge }: Compared) =>
  refundsTenge === 0n && refundedTenge > 0n && salesTenge === totalTenge - refundedTenge

const isRefundsAlone = ({ rows }: MatchCase) => rows.every(({ kind }) => kind === 'refund')

function verdictOn(judged: MatchCase, covers: Coverage): Verdict {
  const { salesTenge, refundsTenge, totalTenge, refundedTenge } = judged.compared
  if (isRefundsAlone(judged)) return refundsAlone(judged, covers)
  if (isNet(judged.compared)) return { ...timing(judged), why: { code: 'NET_OF_REFUND' } }
  // A second charge that went back leaves as much as one charge.
  const isSettled = refundsTenge > 0n && salesTenge - refundsTenge === totalTenge - refundedTenge
  if (salesTenge > totalTenge && isSettled)
    return isSecondCharge(judged)
      ? { ...timing(judged), why: { code: 'SECOND_CHARGE_RETURNED' } }
      : timing(judged)
  if (salesTenge !== totalTenge) return { category: 'AMOUNT_DIFF' }
  if (refundsTenge !== refundedTenge) return refundDiffers(judged.compared)
  return timing(judged)
}

const refundDiffers = ({ refundsTenge, refundedTenge }: Compared): Verdict => ({
  category: 'REFUND_DIFF',
  why: { code: refundsTenge > refundedTenge ? 'REFUND_WITHOUT_VOID' : 'VOID_WITHOUT_REFUND' },
})

/** The sale stands in an earlier register or in another source, or is missing in this one. */
function refundsAlone(judged: MatchCase, covers: Coverage): Verdict {
  const { compared, orders } = judged
  if (hasToShowSale(judged, covers))
    return { category: 'REFUND_DIFF', why: { code: 'SALE_ROW_MISSING' } }
  if (compared.refundsTenge !== compared.refundedTenge) return refundDiffers(compared)
  if (orders.every(isTimely)) return { category: 'MATCHED' }
  const period = orders[0].statementPeriod ?? 'none'
  return { category: 'MATCHED', why: { code: 'REFUND_OF_EARLIER_SALE', detail: { period } } }
}

function timing({ orders }: MatchCase): Verdict {
  const late = orders.filter((order) => !isTimely(order))
  if (late.length === 0) return { category: 'MATCHED' }
  const period = late.find(({ statementPeriod }) => statementPeriod !== null)?.statementPeriod
  return period
    ? { category: 'PERIOD_DIFF', why: { code: 'IN_ANOTHER_STATEMENT', detail: { period } } }
    : { category: 'OUT_OF_SCOPE', why: { code: 'ORDER_OF_ANOTHER_PERIOD' } }
}

/**
 * Paid orders of the period that no row shows, and earlier ones that lost tickets in it; of what the register covers.
 * `unreadLine` is the line of a row that names the order and cannot be read.
 */
export function judgeOrderWithoutRows(
  order: OurOrder,
  covers: Coverage,
  unreadLine?: number
): MatchCase[] {
  if (isTimely(order) && covers.sales) {
    const why: Reason =
      unreadLine === undefined
        ? { code: 'NOT_IN_REGISTER' }
        : { code: 'NAMED_IN_UNREAD_ROW', detail: { line: unreadLine } }
    return [matchCase('MISSING_AT_PARTNER', { orders: [order], why: [why] })]
  }
  const period = order.statementPeriod
  if (covers.sales && order.isInPeriod && period)
    return [
      matchCase('PERIOD_DIFF', {
        orders: [order],
        why: [{ code: 'IN_ANOTHER_STATEMENT', detail: { period } }],
      }),
    ]
  return covers.refunds && order.refundedInPeriodTenge > 0n ? [refundMissing(order)] : []
}

/** The sale is none of this register's, its refund is. */
function refundMissing(order: OurOrder): MatchCase {
  const judged = matchCase('REFUND_DIFF', {
    orders: [order],
    why: [{ code: 'VOID_WITHOUT_REFUND' }],
  })
  judged.compared.totalTenge = 0n
  judged.compared.refundedTenge = order.refundedInPeriodTenge
  return judged
}
