import {
  matchCase,
  type Compared,
  type MatchCase,
  type MatchCategory,
  type MatchStep,
  type OurOrder,
  type Reason,
} from '#reconciliation/matching/match_case'
import type { RegisterRow } from '#reconciliation/reading/parse_row'

interface Together {
  orders: OurOrder[]
  rows: RegisterRow[]
  step: MatchStep
  why: Reason[]
  isSuggested: boolean
}

interface Verdict {
  category: MatchCategory
  why?: Reason
}

/** The verdict on orders and the rows that are their money. Not a tenge of tolerance. */
export function judgeOrders({ orders, rows, step, why, isSuggested }: Together): MatchCase {
  const judged = withRefunds(matchCase('MATCHED', { orders, rows, step, why, isSuggested }))
  const verdict = verdictOn(judged)
  judged.category = verdict.category
  if (verdict.why) judged.why = [...why, verdict.why]
  // The sale is none of this register's.
  if (isRefundsAlone(rows) && !orders.every(isTimely)) judged.compared.totalTenge = 0n
  return judged
}

/** Orders stand in this period's statement, or will when it is drawn up. */
export const isTimely = ({ statementPeriod, isInPeriod }: OurOrder) =>
  statementPeriod === 'this' || (statementPeriod === null && isInPeriod)

/**
 * A register shows the refunds of its days; what was void before them it has shown earlier, or shows with them. All voids
 * until its end count where they agree, those of its days everywhere else.
 */
function withRefunds(judged: MatchCase): MatchCase {
  const { compared, orders } = judged
  if (compared.refundsTenge === compared.refundedTenge || isNet(compared)) return judged
  const refundedTenge = orders.reduce((sum, { refundedInPeriodTenge: one }) => sum + one, 0n)
  return { ...judged, compared: { ...compared, refundedTenge } }
}

/** One sum, from which what was refunded is taken off already. */
const isNet = ({ salesTenge, refundsTenge, totalTenge, refundedTenge }: Compared) =>
  refundsTenge === 0n && refundedTenge > 0n && salesTenge === totalTenge - refundedTenge

const isRefundsAlone = (rows: readonly RegisterRow[]) => rows.every(({ kind }) => kind === 'refund')

function verdictOn(judged: MatchCase): Verdict {
  const { salesTenge, refundsTenge, totalTenge, refundedTenge } = judged.compared
  if (isRefundsAlone(judged.rows)) return refundsAlone(judged)
  if (isNet(judged.compared)) return { ...timing(judged), why: { code: 'NET_OF_REFUND' } }
  if (salesTenge !== totalTenge) return { category: 'AMOUNT_DIFF' }
  if (refundsTenge !== refundedTenge) return refundDiffers(judged.compared)
  return timing(judged)
}

const refundDiffers = ({ refundsTenge, refundedTenge }: Compared): Verdict => ({
  category: 'REFUND_DIFF',
  why: { code: refundsTenge > refundedTenge ? 'REFUND_WITHOUT_VOID' : 'VOID_WITHOUT_REFUND' },
})

/** The sale stands in an earlier register, or is missing in this one. */
function refundsAlone({ compared, orders }: MatchCase): Verdict {
  if (orders.every(isTimely)) return { category: 'REFUND_DIFF', why: { code: 'SALE_ROW_MISSING' } }
  if (compared.refundsTenge !== compared.refundedTenge) return refundDiffers(compared)
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
