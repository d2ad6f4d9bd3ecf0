import type { OrderStatus } from '#sales/order_status'
import type { MatchRow } from '#reconciliation/matching/match_row'

export const MATCH_CATEGORIES = [
  'MATCHED',
  'AMOUNT_DIFF',
  'FEE_INCLUDED',
  'STATUS_DIFF',
  'REFUND_DIFF',
  'PERIOD_DIFF',
  'MISSING_AT_PARTNER',
  'MISSING_AT_PLATFORM',
  'DUP_IN_FILE',
  'KEY_CONFLICT',
  'AMBIGUOUS',
  'OUT_OF_SCOPE',
  'UNPARSEABLE',
] as const
export type MatchCategory = (typeof MATCH_CATEGORIES)[number]

/** How rows and orders were found to belong together. `NONE`: they were not. */
export type MatchStep =
  | 'EXACT'
  | 'BY_ORDER'
  | 'BY_PAYMENT'
  | 'KEY_CONFLICT'
  | 'GROUP_ONE_TO_MANY'
  | 'GROUP_MANY_TO_ONE'
  | 'SUGGESTED_BY_ID'
  | 'SUGGESTED_BY_LIKENESS'
  | 'NONE'

/** An order of ours, with what reconciliation needs of it. */
export interface OurOrder {
  orderId: string
  partnerOrderId: string
  externalPaymentId: string | null
  totalTenge: bigint
  /** Of all voids before the period's end, and of those in the period alone. */
  refundedTenge: bigint
  refundedInPeriodTenge: bigint
  /** The same voids by moment; null where it has none. */
  voids: readonly OurVoid[] | null
  /** Of its tickets, void ones too; null where it has none. */
  leastPriceTenge: bigint | null
  highestPriceTenge: bigint | null
  status: OrderStatus
  /** When it was paid, in milliseconds; until then when it was made. */
  paidAt: number
  emailHash: string | null
  eventId: string
  /** Which statement it stands in, seen from the period at hand; null for none yet, or one that reaches beyond it. */
  statementPeriod: 'this' | 'earlier' | 'later' | null
  isInPeriod: boolean
}

/** Tickets of an order that were voided within one second: together, although each has a moment of its own. */
export interface OurVoid {
  /** In milliseconds. */
  at: number
  /** A number, as JSON from the database has it. */
  tenge: number
}

/** A confirm that paid no order, or not with this payment: evidence for money that has no ticket. */
export interface ConfirmEvidence {
  orderIdSent: string | null
  externalPaymentId: string | null
  amountTenge: bigint | null
  /** The refusal's code; null when it was accepted. */
  code: string | null
}

export type ReasonCode =
  // how it was found
  | 'PAYMENT_ID_DIFFERS'
  | 'ORDER_KEY_UNKNOWN'
  | 'KEY_OF_UNPAID_ORDER'
  | 'SHARED_PAYMENT'
  | 'NARROWED_BY_AMOUNT'
  | 'IDS_REPAIRED'
  | 'IDS_LOST_DIGITS'
  | 'ID_MISTYPED'
  | 'SAME_AMOUNT_TIME_AND_BUYER'
  | 'SAME_AMOUNT_TIME_AND_EVENT'
  | 'SAME_AMOUNT_AND_DAY'
  | 'SEVERAL_CANDIDATES'
  | 'KEYS_LEAD_TO'
  // what it means
  | 'NET_OF_REFUND'
  | 'REFUND_OF_EARLIER_SALE'
  | 'SALE_ROW_MISSING'
  | 'REFUND_WITHOUT_VOID'
  | 'VOID_WITHOUT_REFUND'
  | 'NOT_PAID_THERE'
  | 'IN_ANOTHER_STATEMENT'
  | 'ORDER_OF_ANOTHER_PERIOD'
  | 'OUTSIDE_PERIOD'
  | 'DATE_FAR_FROM_SALE'
  | 'SAME_AS_LINE'
  | 'SECOND_CHARGE'
  | 'SECOND_CHARGE_RETURNED'
  | 'FEE_RULE'
  | 'ORDER_EXPIRED'
  | 'ORDER_CANCELLED'
  | 'ORDER_PENDING'
  | 'CONFIRM_REFUSED'
  | 'UNKNOWN_ORDER'
  | 'ORDER_OF_OTHER_PARTNER'
  | 'REFUND_OF_UNKNOWN_SALE'
  | 'ROW_PROBLEMS'
  | 'NOT_IN_REGISTER'
  | 'NAMED_IN_UNREAD_ROW'

/** Machine-readable; a screen makes a sentence of it. Money stands in `compared`. */
export interface Reason {
  code: ReasonCode
  detail?: Readonly<Record<string, string | number | readonly string[]>>
}

/** What was compared, refunds as positive sums. */
export interface Compared {
  salesTenge: bigint
  refundsTenge: bigint
  totalTenge: bigint
  refundedTenge: bigint
}

/** Rows of the register and orders of ours that are judged together. Each row and each order stands in one case. */
export interface MatchCase {
  category: MatchCategory
  step: MatchStep
  rows: MatchRow[]
  /** Of these, found by likeness or repair: a person confirms that they belong to the orders, or not. */
  suggested: ReadonlySet<MatchRow>
  orders: readonly OurOrder[]
  compared: Compared
  why: Reason[]
  /** The order that money without a paid order was meant for: one of ours, or the id that the partner's confirm sent. */
  meantOrderId: string | null
}

export const isSuggestion = (step: MatchStep) => step.startsWith('SUGGESTED')

/** Shared by the cases without any: a Set of its own would take more memory than the case. */
export const NONE_SUGGESTED: ReadonlySet<MatchRow> = new Set()

/** A case with its sums; parts that are not said are those of a case that nothing speaks about. */
export function matchCase(
  category: MatchCategory,
  parts: Partial<Omit<MatchCase, 'category' | 'compared'>>
): MatchCase {
  const { rows = [], orders = [], step = 'NONE', why = [], meantOrderId = null } = parts
  const suggested = parts.suggested ?? (isSuggestion(step) ? new Set(rows) : NONE_SUGGESTED)
  const compared = compare(rows, orders)
  return { category, step, rows, suggested, orders, compared, why, meantOrderId }
}

function compare(rows: readonly MatchRow[], orders: readonly OurOrder[]): Compared {
  const compared = { salesTenge: 0n, refundsTenge: 0n, totalTenge: 0n, refundedTenge: 0n }
  for (const { kind, amountTenge, returnedTenge } of rows) {
    compared.refundsTenge += returnedTenge
    if (kind === 'sale') compared.salesTenge += amountTenge ?? 0n
    else compared.refundsTenge -= amountTenge ?? 0n
  }
  for (const { totalTenge, refundedTenge } of orders) {
    compared.totalTenge += totalTenge
    compared.refundedTenge += refundedTenge
  }
  return compared
}

export interface CategoryTotals {
  cases: number
  rows: number
  orders: number
  /** Amounts of the rows, refunds subtracted. */
  rowsTenge: bigint
  ordersTenge: bigint
}
export type MatchTotals = Record<MatchCategory, CategoryTotals>

const empty = (): CategoryTotals => ({
  cases: 0,
  rows: 0,
  orders: 0,
  rowsTenge: 0n,
  ordersTenge: 0n,
})

/** Per category; over all of them rows and amounts are those of the register. */
export function matchTotals(cases: readonly MatchCase[]): MatchTotals {
  const entries = MATCH_CATEGORIES.map((category) => [category, empty()] as const)
  const totals = Object.fromEntries(entries) as MatchTotals
  for (const { category, rows, orders, compared } of cases) {
    const sums = totals[category]
    sums.cases++
    sums.rows += rows.length
    sums.orders += orders.length
    sums.rowsTenge += compared.salesTenge - compared.refundsTenge
    sums.ordersTenge += compared.totalTenge - compared.refundedTenge
  }
  return totals
}
