import { isSuggestion } from '#reconciliation/matching/match_case'
import type { Claim } from '#reconciliation/matching/matching'
import type { RegisterRow } from '#reconciliation/reading/parse_row'
import { foldId, lostDigitsOf } from '#reconciliation/reading/read_id'
import type { RowMeaning } from '#reconciliation/reading/read_kind'

/**
 * Which of an order's rows are its money, and which repeat another row.
 *
 * Example, of an order of 24,000 with two tickets:
 *   2 | order 1 | payment A | 12,000
 *   3 | order 1 | payment A | 12,000
 *   4 | order 1 | payment A | 12,000
 *   a row is a ticket:             36,000 are compared with 24,000
 *   a row is an order or payment:  lines 3 and 4 repeat line 2; lines 2 and 3 give the sum, line 4 is there once too often
 */
export interface CountedRows {
  counted: Claim[]
  extra: Claim[]
}

/** Gives every row that is equal to an earlier one the line of that row. */
export function markRepeats(rows: readonly RegisterRow[], rowIs: RowMeaning): RegisterRow[] {
  if (rowIs === 'ticket') return [...rows]
  const lines = new Map<string, number>()
  return rows.map((row) => {
    const content = contentOf(row)
    const line = lines.get(content)
    if (line === undefined) lines.set(content, row.line)
    return line === undefined || !isIdentified(row) ? row : { ...row, repeats: line }
  })
}

function contentOf(row: RegisterRow): string {
  return [
    ...idsOf(row).map((id) => (id === null ? '' : foldId(id))),
    row.kind,
    row.amountTenge,
    row.at?.getTime(),
    row.email,
    row.event,
    row.isNotPaid,
    row.isUnparseable,
  ].join('\u0001')
}

const idsOf = ({ orderKey, orderId, paymentId, ticketNumber }: RegisterRow) => [
  orderKey,
  orderId,
  paymentId,
  ticketNumber,
]

/** Different payments may have one id when a spreadsheet has rounded them. */
function isIdentified(row: RegisterRow) {
  const ids = idsOf(row).filter((id) => id !== null)
  return ids.length === 0 || ids.some((id) => lostDigitsOf(id) === null)
}

/**
 * Takes the reading that gives the sum exactly, in the order: all, without repeats, without suggestions, one payment alone, as
 * many equal rows as fit. When none does, the nearest: the verdict is then about the difference.
 */
export function countSales(claims: readonly Claim[], targetTenge: bigint): CountedRows {
  const unique = withoutRepeats(claims)
  const firm = unique.filter(({ step }) => !isSuggestion(step))
  const fitting = asManyAsFit(claims, unique, targetTenge)
  return nearest(claims, [unique, firm, ...onePaymentEach(unique), fitting], targetTenge)
}

/** A refund may come in parts by several payments: only repeats are left out. Of several sums the first that fits counts. */
export function countRefunds(
  claims: readonly Claim[],
  [targetTenge, ...others]: readonly [bigint, ...bigint[]]
): CountedRows {
  const unique = withoutRepeats(claims)
  const exact = [targetTenge, ...others].find((tenge) =>
    [claims, unique].some((reading) => sumOf(reading) === -tenge)
  )
  return nearest(claims, [unique], -(exact ?? targetTenge))
}

/** The first of equal rows stays. */
export const withoutRepeats = (claims: readonly Claim[]): Claim[] =>
  claims.filter(({ row }) => row.repeats === undefined)

export const sumOf = (claims: readonly Claim[]) =>
  claims.reduce((sum, { row }) => sum + row.amountTenge!, 0n)

/** The empty text where a row names none. */
export const paymentOf = ({ row }: Claim) => (row.paymentId === null ? '' : foldId(row.paymentId))

function nearest(
  claims: readonly Claim[],
  readings: readonly (readonly Claim[])[],
  targetTenge: bigint
): CountedRows {
  let best = claims
  let bestOff = off(claims, targetTenge)
  for (const reading of readings) {
    const distance = off(reading, targetTenge)
    if (reading.length > 0 && distance < bestOff) [best, bestOff] = [reading, distance]
  }
  const counted = new Set(best)
  return { counted: [...best], extra: claims.filter((claim) => !counted.has(claim)) }
}

function off(claims: readonly Claim[], targetTenge: bigint) {
  const difference = sumOf(claims) - targetTenge
  return difference < 0n ? -difference : difference
}

const STRENGTH = ['EXACT', 'BY_ORDER', 'BY_PAYMENT']

/** The payment that we know comes first: of two equal charges it is the one that was confirmed. */
function onePaymentEach(unique: readonly Claim[]): Claim[][] {
  const payments = [...Map.groupBy(unique, paymentOf).values()]
  return payments.sort(([one], [other]) => rank(one) - rank(other))
}

function rank({ step }: Claim) {
  const place = STRENGTH.indexOf(step)
  return place === -1 ? STRENGTH.length : place
}

function asManyAsFit(claims: readonly Claim[], unique: readonly Claim[], targetTenge: bigint) {
  if (unique.length !== 1) return []
  const each = unique[0].row.amountTenge!
  return each > 0n && targetTenge % each === 0n ? claims.slice(0, Number(targetTenge / each)) : []
}
