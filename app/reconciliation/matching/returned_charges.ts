import {
  countSales,
  paymentOf,
  withoutRepeats,
  type CountedRows,
} from '#reconciliation/matching/count_rows'
import type { OurOrder } from '#reconciliation/matching/match_case'
import type { Claim } from '#reconciliation/matching/matching'

/** An order's rows apart from those of second charges that the register itself shows to have gone back. */
export interface WithoutReturned {
  /** Of one payment each: as much back as was taken. */
  returned: Claim[][]
  extra: Claim[]
  refunds: Claim[]
}

/** Payments that went back whole, though not for what is void: an order that has its tickets was paid by another. */
export function paymentsReturned(
  { refundedTenge, refundedInPeriodTenge }: OurOrder,
  sales: readonly Claim[],
  refunds: readonly Claim[]
): Set<string> {
  const returned = new Set<string>()
  const taken = byPayment(refunds.length > 0 ? sales : [])
  for (const [payment, given] of byPayment(refunds)) {
    const tenge = -sumOf(given)
    const isOfVoids = tenge === refundedTenge || tenge === refundedInPeriodTenge
    const own = taken.get(payment)
    if (own && !isOfVoids && equalSums(own, given)) returned.add(payment)
  }
  return returned
}

/** A refund by another payment than the one that counts is that payment's, not one of our voids. */
export function takeReturned(
  { counted, extra }: CountedRows,
  refunds: readonly Claim[]
): WithoutReturned {
  if (extra.length === 0) return { returned: [], extra, refunds: [...refunds] }
  const kept = new Set(counted.map(paymentOf))
  const back = byPayment(refunds)
  const returned: Claim[][] = []
  for (const [payment, taken] of byPayment(extra)) {
    const given = kept.has(payment) ? undefined : back.get(payment)
    const both = given && equalSums(taken, given)
    if (both) returned.push(both)
  }
  const placed = new Set(returned.flat())
  const payments = new Set(returned.map(([first]) => paymentOf(first)))
  const isReturned = (claim: Claim) => payments.has(paymentOf(claim))
  return {
    returned,
    extra: [...extra, ...refunds.filter(isReturned)].filter((claim) => !placed.has(claim)),
    refunds: refunds.filter((claim) => !isReturned(claim)),
  }
}

/** Payment by payment what was charged beside an order's sale, ticket by ticket or whole; rows that name none are a charge each. */
export function chargesOf(claims: readonly Claim[], totalTenge: bigint): (readonly Claim[])[] {
  const sales = claims.filter(({ row }) => row.kind === 'sale')
  const charges: (readonly Claim[])[] = []
  const counted = new Set<Claim>()
  for (const own of byPayment(sales).values()) {
    const whole = own.find(({ row }) => row.amountTenge === totalTenge)
    const charge = whole ? [whole] : countSales(own, totalTenge).counted
    charges.push(charge)
    for (const claim of charge) counted.add(claim)
  }
  return [...charges, ...claims.filter((claim) => !counted.has(claim)).map((claim) => [claim])]
}

/** Rows that name no payment belong to none. */
function byPayment(claims: readonly Claim[]): Map<string, Claim[]> {
  const payments = new Map<string, Claim[]>()
  for (const claim of claims) {
    const payment = paymentOf(claim)
    const others = payments.get(payment)
    if (others) others.push(claim)
    else if (payment !== '') payments.set(payment, [claim])
  }
  return payments
}

/** All rows, or each once; null when the sums differ either way. */
function equalSums(taken: readonly Claim[], given: readonly Claim[]): Claim[] | null {
  const all = [...taken, ...given]
  if (sumOf(all) === 0n) return all
  const once = withoutRepeats(all)
  return sumOf(once) === 0n ? once : null
}

const sumOf = (claims: readonly Claim[]) =>
  claims.reduce((sum, { row }) => sum + row.amountTenge!, 0n)
