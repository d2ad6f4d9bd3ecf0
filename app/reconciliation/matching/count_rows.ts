import { isSuggestion } from '#reconciliation/matching/match_case'
import type { Claim } from '#reconciliation/matching/matching'
import type { RegisterRow } from '#reconciliation/reading/parse_row'
import { foldId } from '#reconciliation/reading/read_id'

/** Which of an order's rows are its money, and which are there once too often. */
export interface CountedRows {
  counted: Claim[]
  extra: Claim[]
}

/**
 * Rows may be one per order, one per ticket, or there twice. Takes the reading that gives the sum exactly,
 * in the order: all, without repeats, without suggestions, one payment alone, as many equal rows as fit.
 * When none does, the nearest: the verdict is then about the difference. Of equal payments those that went back come last.
 */
export function countSales(
  claims: readonly Claim[],
  targetTenge: bigint,
  returned: ReadonlySet<string> = new Set()
): CountedRows {
  if (claims.length < 2) return { counted: [...claims], extra: [] }
  const unique = withoutRepeats(claims)
  const firm = unique.filter(({ step }) => !isSuggestion(step))
  const fitting = asManyAsFit(claims, unique, targetTenge)
  const payments = unique.length > MOST_TICKETS ? [] : onePaymentEach(unique, returned)
  return nearest(claims, [claims, unique, firm, ...payments, fitting], targetTenge)
}

/** A refund may come in parts by several payments: only repeats are left out. Of several sums the first that fits counts. */
export function countRefunds(
  claims: readonly Claim[],
  [targetTenge, ...others]: readonly [bigint, ...bigint[]]
): CountedRows {
  if (claims.length < 2) return { counted: [...claims], extra: [] }
  const readings = [claims, withoutRepeats(claims)]
  const exact = [targetTenge, ...others].find((tenge) =>
    readings.some((rows) => off(rows, -tenge) === 0n)
  )
  return nearest(claims, readings, -(exact ?? targetTenge))
}

/** The first of equal rows stays. */
export function withoutRepeats(claims: readonly Claim[]): Claim[] {
  const first = new Map<string, Claim>()
  for (const claim of claims) {
    const print = fingerprint(claim.row)
    if (!first.has(print)) first.set(print, claim)
  }
  return [...first.values()]
}

function nearest(
  claims: readonly Claim[],
  readings: readonly (readonly Claim[])[],
  targetTenge: bigint
): CountedRows {
  let best: { reading: readonly Claim[]; off: bigint } = {
    reading: claims,
    off: off(claims, targetTenge),
  }
  for (const reading of readings) {
    const distance = off(reading, targetTenge)
    if (reading.length > 0 && distance < best.off) best = { reading, off: distance }
  }
  const counted = new Set(best.reading)
  return { counted: [...best.reading], extra: claims.filter((claim) => !counted.has(claim)) }
}

/** No order has more; more rows than that are no tickets. */
const MOST_TICKETS = 100
const STRENGTH = ['EXACT', 'BY_ORDER', 'BY_PAYMENT']

/** The payment that we know comes first: of two equal charges it is the one that was confirmed. */
function onePaymentEach(unique: readonly Claim[], returned: ReadonlySet<string>): Claim[][] {
  const payments = new Map<string, Claim[]>()
  for (const claim of unique) {
    const payment = paymentOf(claim)
    const others = payments.get(payment)
    if (others) others.push(claim)
    else payments.set(payment, [claim])
  }
  if (payments.size < 2) return []
  const placeOf = (claim: Claim) => rank(claim) * 2 + Number(returned.has(paymentOf(claim)))
  return [...payments.values()].sort(([one], [other]) => placeOf(one) - placeOf(other))
}

/** The empty text where a row names none. */
export const paymentOf = ({ row }: Claim) => (row.paymentId === null ? '' : foldId(row.paymentId))

function rank({ step }: Claim) {
  const place = STRENGTH.indexOf(step)
  return place === -1 ? STRENGTH.length : place
}

function asManyAsFit(claims: readonly Claim[], unique: readonly Claim[], targetTenge: bigint) {
  const each = unique[0].row.amountTenge!
  if (unique.length > 1 || each <= 0n || targetTenge % each !== 0n) return []
  return claims.slice(0, Number(targetTenge / each))
}

function off(claims: readonly Claim[], targetTenge: bigint) {
  const difference = claims.reduce((sum, { row }) => sum + row.amountTenge!, -targetTenge)
  return difference < 0n ? -difference : difference
}

/** Two rows with the same one are the same payment written twice. */
export function fingerprint(row: RegisterRow): string {
  const ids = [row.orderKey, row.orderId, row.paymentId, row.ticketNumber]
  return [
    ...ids.map((id) => (id === null ? '' : foldId(id))),
    row.kind,
    row.amountTenge,
    row.at?.getTime(),
    row.email,
    row.event,
    row.isNotPaid,
  ].join('\u0001')
}
