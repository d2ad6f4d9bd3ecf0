import { isTimely, type Coverage } from '#reconciliation/matching/judge_orders'
import { matchCase, type MatchCase, type OurOrder } from '#reconciliation/matching/match_case'

/** Paid orders of the period that no row names, and earlier ones that lost tickets in it; of what the register covers. */
export function judgeOrderWithoutRows(order: OurOrder, covers: Coverage): MatchCase[] {
  if (isTimely(order) && covers.sales)
    return [
      matchCase('MISSING_AT_PARTNER', { orders: [order], why: [{ code: 'NOT_IN_REGISTER' }] }),
    ]
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
