import {
  exposed,
  matchCase,
  NO_EXPOSURE,
  type Compared,
  type Exposure,
  type MatchCase,
  type MatchCategory,
  type MatchStep,
  type OurOrder,
  type Reason,
  type ReasonCode,
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
  exposure: Exposure
  why?: Reason
}

/** The verdict on orders and the rows that are their money. Not a tenge of tolerance. */
export function judgeOrders({ orders, rows, step, why, isSuggested }: Together): MatchCase {
  const judged = withRefunds(matchCase('MATCHED', { orders, rows, step, why, isSuggested }))
  const verdict = verdictOn(judged)
  const { category, exposure } = verdict
  const told = { ...judged, category, exposure, why: verdict.why ? [...why, verdict.why] : why }
  const isOfEarlierSale = isRefundsAlone(rows) && !orders.every(isTimely)
  return isOfEarlierSale ? { ...told, compared: { ...told.compared, totalTenge: 0n } } : told
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
  const timely = judged.orders.every(isTimely)
  if (isRefundsAlone(judged.rows)) return refundsAlone(judged, timely)
  if (isNet(judged.compared)) return { ...timing(judged), why: { code: 'NET_OF_REFUND' } }
  if (salesTenge !== totalTenge) return amountDiffers(salesTenge - totalTenge)
  if (refundsTenge !== refundedTenge) return refundDiffers(refundsTenge - refundedTenge)
  return timing(judged)
}

/** More than our total is the buyer's money, unless a rule tells that it is the partner's fee. */
const amountDiffers = (moreTenge: bigint): Verdict => ({
  category: 'AMOUNT_DIFF',
  exposure: moreTenge > 0n ? exposed('BUYER', moreTenge) : exposed('PLATFORM', -moreTenge),
})

function refundDiffers(moreTenge: bigint): Verdict {
  const isMore = moreTenge > 0n
  return {
    category: 'REFUND_DIFF',
    exposure: isMore ? exposed('PLATFORM', moreTenge) : exposed('BUYER', -moreTenge),
    why: { code: isMore ? 'REFUND_WITHOUT_VOID' : 'VOID_WITHOUT_REFUND' },
  }
}

/** The sale stands in an earlier register, or is missing in this one. */
function refundsAlone({ compared, orders }: MatchCase, timely: boolean): Verdict {
  const { refundsTenge, refundedTenge, totalTenge } = compared
  if (timely) {
    const why: Reason = { code: 'SALE_ROW_MISSING' }
    return { category: 'REFUND_DIFF', exposure: exposed('PLATFORM', totalTenge), why }
  }
  if (refundsTenge !== refundedTenge) return refundDiffers(refundsTenge - refundedTenge)
  const period = orders[0].statementPeriod ?? 'none'
  const why: Reason = { code: 'REFUND_OF_EARLIER_SALE', detail: { period } }
  return { category: 'MATCHED', exposure: NO_EXPOSURE, why }
}

function timing({ orders }: MatchCase): Verdict {
  const late = orders.filter((order) => !isTimely(order))
  if (late.length === 0) return { category: 'MATCHED', exposure: NO_EXPOSURE }
  const elsewhere = late.find(({ statementPeriod }) => statementPeriod !== null)
  if (!elsewhere) return untimely('OUT_OF_SCOPE', 'ORDER_OF_ANOTHER_PERIOD')
  return untimely('PERIOD_DIFF', 'IN_ANOTHER_STATEMENT', { period: elsewhere.statementPeriod! })
}

const untimely = (
  category: MatchCategory,
  code: ReasonCode,
  detail?: Reason['detail']
): Verdict => ({
  category,
  exposure: NO_EXPOSURE,
  why: detail ? { code, detail } : { code },
})
