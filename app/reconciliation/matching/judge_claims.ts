import {
  countRefunds,
  countSales,
  fingerprint,
  type CountedRows,
} from '#reconciliation/matching/count_rows'
import { judgeOrders } from '#reconciliation/matching/judge_orders'
import {
  exposed,
  isSuggestion,
  matchCase,
  type MatchCase,
  type MatchStep,
  type OurOrder,
} from '#reconciliation/matching/match_case'
import type { Claim, Matching } from '#reconciliation/matching/matching'
import {
  chargesOf,
  paymentsReturned,
  takeReturned,
} from '#reconciliation/matching/returned_charges'

/** Step 5 and the verdicts: every order with the rows that were found to be its own. */
export function judgeClaims(matching: Matching): void {
  for (const [order, claims] of matching.claims) {
    for (const judged of casesOf(order, claims)) matching.cases.push(judged)
  }
}

function casesOf(order: OurOrder, claims: readonly Claim[]): MatchCase[] {
  const paid = claims.filter(({ row }) => !row.isNotPaid)
  if (paid.length === 0) return [notPaidThere(order, claims)]
  const declined = claims.filter(({ row }) => row.isNotPaid).map(outOfScope)
  const sales = countNetOrGross(order, paid)
  const refundRows = paid.filter(({ row }) => row.kind === 'refund')
  const left = takeReturned(sales, refundRows)
  const targets = [order.refundedInPeriodTenge, order.refundedTenge] as const
  const refunds = countRefunds(left.refunds, targets)
  const counted = [...sales.counted, ...refunds.counted]
  const known = [...counted, ...left.returned.flat()]
  const extra = extraCases(order, [...left.extra, ...refunds.extra], known)
  const returned = left.returned.map((both) => returnedCase(order, both))
  return [judgeCounted(order, counted, sales), ...returned, ...extra, ...declined]
}

/** A register may give one row net of refunds; that reading is taken only when it alone is exact. */
function countNetOrGross(order: OurOrder, paid: readonly Claim[]): CountedRows {
  const sales = paid.filter(({ row }) => row.kind === 'sale')
  const refunds = paid.filter(({ row }) => row.kind === 'refund')
  const returned = paymentsReturned(order, sales, refunds)
  const gross = countSales(sales, order.totalTenge, returned)
  if (sales.length === paid.length && order.refundedTenge > 0n) {
    const netTenge = order.totalTenge - order.refundedTenge
    const net = countSales(sales, netTenge)
    if (sumOf(gross.counted) !== order.totalTenge && sumOf(net.counted) === netTenge) return net
  }
  return gross
}

const sumOf = (claims: readonly Claim[]) =>
  claims.reduce((sum, { row }) => sum + row.amountTenge!, 0n)

function judgeCounted(order: OurOrder, counted: readonly Claim[], sales: CountedRows): MatchCase {
  const step: MatchStep = sales.counted.length > 1 ? 'GROUP_MANY_TO_ONE' : counted[0].step
  const isSuggested = counted.some((claim) => isSuggestion(claim.step))
  const why = counted.flatMap((claim) => claim.why)
  return judgeOrders({
    orders: [order],
    rows: counted.map(({ row }) => row),
    step,
    why,
    isSuggested,
  })
}

function notPaidThere(order: OurOrder, claims: readonly Claim[]): MatchCase {
  return matchCase('STATUS_DIFF', {
    step: claims[0].step,
    rows: claims.map(({ row }) => row),
    orders: [order],
    why: [{ code: 'NOT_PAID_THERE', detail: { status: order.status } }],
    exposure: exposed('PLATFORM', order.totalTenge - order.refundedTenge),
  })
}

/** A declined attempt before the one that was paid. */
const outOfScope = ({ row, step }: Claim) =>
  matchCase('OUT_OF_SCOPE', { step, rows: [row], why: [{ code: 'NOT_PAID_THERE' }] })

function extraCases(
  order: OurOrder,
  extra: readonly Claim[],
  known: readonly Claim[]
): MatchCase[] {
  if (extra.length === 0) return []
  const lines = new Map<string, number>()
  for (const { row } of known) lines.set(fingerprint(row), row.line)
  const cases: MatchCase[] = []
  const others: Claim[] = []
  for (const claim of extra) {
    const sameAs = lines.get(fingerprint(claim.row))
    if (sameAs === undefined) others.push(claim)
    else cases.push(duplicateOf(claim.row, sameAs, claim.step))
  }
  for (const charge of chargesOf(others, order.totalTenge)) cases.push(secondCharge(order, charge))
  return cases
}

/** Another payment for the same order is money. */
const secondCharge = (order: OurOrder, charge: readonly Claim[]) =>
  matchCase('MISSING_AT_PLATFORM', {
    step: charge[0].step,
    rows: charge.map(({ row }) => row),
    why: ofSecondCharge(order),
    isSuggested: charge.some(({ step }) => isSuggestion(step)),
    exposure: exposed('BUYER', sumOf(charge)),
  })

const ofSecondCharge = ({ orderId }: OurOrder) => [
  { code: 'SECOND_CHARGE' as const, detail: { orderId } },
]

/** The buyer has it back: nobody owes anything. */
const returnedCase = (order: OurOrder, claims: readonly Claim[]) =>
  matchCase('MISSING_AT_PLATFORM', {
    step: claims[0].step,
    rows: claims.map(({ row }) => row),
    why: ofSecondCharge(order),
    isSuggested: claims.some(({ step }) => isSuggestion(step)),
  })

export const duplicateOf = (row: Claim['row'], line: number, step: MatchStep) =>
  matchCase('DUP_IN_FILE', { step, rows: [row], why: [{ code: 'SAME_AS_LINE', detail: { line } }] })
