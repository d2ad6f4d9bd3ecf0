import {
  countRefunds,
  countSales,
  paymentOf,
  sumOf,
  withoutRepeats,
  type CountedRows,
} from '#reconciliation/matching/count_rows'
import { judgeOrders } from '#reconciliation/matching/judge_orders'
import {
  isSuggestion,
  matchCase,
  type MatchCase,
  type MatchStep,
  type OurOrder,
} from '#reconciliation/matching/match_case'
import type { Claim, Matching } from '#reconciliation/matching/matching'

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
  const sales = countNetOrGross(order, paid.filter(isSale), paid.every(isSale))
  const others = otherPayments(sales)
  const isOfOther = (claim: Claim) => others.has(paymentOf(claim))
  const returned = paid.filter((claim) => !isSale(claim))
  const targets = [order.refundedInPeriodTenge, order.refundedTenge] as const
  const refunds = countRefunds(
    returned.filter((claim) => !isOfOther(claim)),
    targets
  )
  const counted = [...sales.counted, ...refunds.counted]
  const extra = [...sales.extra, ...refunds.extra, ...returned.filter(isOfOther)]
  const lines = new Set(counted.map(({ row }) => row.line))
  const isRepeat = ({ row }: Claim) => row.repeats !== undefined && lines.has(row.repeats)
  const charges = extra.filter((claim) => !isRepeat(claim))
  return [
    judgeCounted(order, counted, sales),
    ...chargeCases(charges, order.totalTenge, (charge) => secondCharge(order, charge)),
    ...extra.filter(isRepeat).map(duplicateOf),
    ...declined,
  ]
}

const isSale = ({ row }: Claim) => row.kind === 'sale'

/** A register may give one row net of refunds; that reading is taken only when it alone is exact. */
function countNetOrGross(order: OurOrder, sales: Claim[], isSalesOnly: boolean): CountedRows {
  const gross = countSales(sales, order.totalTenge)
  if (isSalesOnly && order.refundedTenge > 0n) {
    const netTenge = order.totalTenge - order.refundedTenge
    const net = countSales(sales, netTenge)
    if (sumOf(gross.counted) !== order.totalTenge && sumOf(net.counted) === netTenge) return net
  }
  return gross
}

/** Payments that charged the order besides the one that counts: their refunds are no refunds of our voids. */
function otherPayments({ counted, extra }: CountedRows): Set<string> {
  const others = new Set(extra.map(paymentOf))
  for (const claim of counted) others.delete(paymentOf(claim))
  others.delete('')
  return others
}

function judgeCounted(order: OurOrder, counted: readonly Claim[], sales: CountedRows): MatchCase {
  const step: MatchStep = sales.counted.length > 1 ? 'GROUP_MANY_TO_ONE' : counted[0].step
  return judgeOrders({
    orders: [order],
    rows: counted.map(({ row }) => row),
    step,
    why: counted.flatMap((claim) => claim.why),
    isSuggested: counted.some((claim) => isSuggestion(claim.step)),
  })
}

const notPaidThere = (order: OurOrder, claims: readonly Claim[]) =>
  matchCase('STATUS_DIFF', {
    step: claims[0].step,
    rows: claims.map(({ row }) => row),
    orders: [order],
    why: [{ code: 'NOT_PAID_THERE', detail: { status: order.status } }],
  })

/** A declined attempt before the one that was paid. */
const outOfScope = ({ row, step }: Claim) =>
  matchCase('OUT_OF_SCOPE', { step, rows: [row], why: [{ code: 'NOT_PAID_THERE' }] })

/** Another payment for the same order is money, unless it went back. */
const secondCharge = ({ orderId }: OurOrder, charge: readonly Claim[]) =>
  matchCase('MISSING_AT_PLATFORM', {
    step: charge[0].step,
    rows: charge.map(({ row }) => row),
    why: [{ code: 'SECOND_CHARGE', detail: { orderId } }],
    isSuggested: charge.some(({ step }) => isSuggestion(step)),
  })

/** A case for every payment, with what went back of it; rows that repeat others have cases of their own. */
export function chargeCases(
  claims: readonly Claim[],
  totalTenge: bigint,
  caseOf: (charge: readonly Claim[]) => MatchCase
): MatchCase[] {
  const payments = [...Map.groupBy(claims, paymentOf).values()]
  return payments.flatMap((own) => {
    const sales = countSales(own.filter(isSale), totalTenge)
    const refunds = own.filter((claim) => !isSale(claim))
    const counted = [...sales.counted, ...withoutRepeats(refunds)]
    return [caseOf(counted), ...repeatsAmong(own, counted)]
  })
}

/** Rows that are not counted, as they repeat others. */
export function repeatsAmong(claims: readonly Claim[], counted: readonly Claim[]): MatchCase[] {
  const known = new Set(counted)
  return claims.filter((claim) => !known.has(claim)).map(duplicateOf)
}

export const duplicateOf = ({ row, step }: Claim) =>
  matchCase('DUP_IN_FILE', {
    step,
    rows: [row],
    why: [{ code: 'SAME_AS_LINE', detail: { line: row.repeats! } }],
  })
