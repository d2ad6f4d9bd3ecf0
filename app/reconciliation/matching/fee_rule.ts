import type { MatchCase, Reason } from '#reconciliation/matching/match_case'
import type { RowMeaning } from '#register_reading/read_kind'

/**
 * A partner's own fee within the amounts of its register.
 *
 * Example, of thirty orders that cost 10,000 and are charged 10,500:
 *   no rule is kept       their amounts differ; a fee of 5 % is offered to be accepted
 *   5 % is kept           each of them has its fee included
 *   charged 20,000        a second charge, and no fee, whatever is kept
 */
export type FeeRule =
  { kind: 'percent'; basisPoints: number } | { kind: 'sum'; tenge: bigint } | { kind: 'fee_column' }

/** A rule, and how many cases of a register it explains, or would explain once it is accepted. */
export type FoundFeeRule = FeeRule & { rows: number; isKept: boolean }

const LEAST_ROWS = 20
const MOST_RULES = 3
const HIGHEST_BASIS_POINTS = 2_000
/** Candidates that are counted exactly, the most frequent first. */
const CANDIDATES = 5

/** Turns cases that a kept rule fits into FEE_INCLUDED, and offers rules that would fit at least twenty of the others. */
export function findFeeRules(
  cases: MatchCase[],
  kept: readonly FeeRule[],
  rowIs: RowMeaning
): FoundFeeRule[] {
  const found: FoundFeeRule[] = []
  let open = cases.filter(
    (judged) => isOverTotal(judged) && isPossibleFee(judged) && !mayBeChargedTwice(judged, rowIs)
  )
  const take = (rule: FeeRule, isKept: boolean) => {
    const [fitting, rest] = [true, false].map((is) => open.filter((one) => fits(rule, one) === is))
    if (fitting.length > 0) found.push({ ...rule, rows: fitting.length, isKept })
    open = rest
    return fitting
  }
  for (const rule of kept) {
    for (const judged of take(rule, true)) include(judged, rule)
  }
  for (let offered = 0; offered < MOST_RULES; offered++) {
    const rule = bestRule(open)
    if (!rule) break
    take(rule, false)
  }
  return found
}

/** Refunds agree, or have a part of the fee: a difference that has two causes has no rule. */
function isOverTotal(judged: MatchCase) {
  const { salesTenge, totalTenge, refundsTenge, refundedTenge } = judged.compared
  const isOver = judged.category === 'AMOUNT_DIFF' && salesTenge > totalTenge
  const returned = refundsTenge - refundedTenge
  return (
    isOver && returned >= 0n && (refundedTenge > 0n || returned === 0n) && returned <= feeOf(judged)
  )
}

/** As much as one ticket, or several, is what another ticket costs. */
function isPossibleFee(judged: MatchCase) {
  const fee = feeOf(judged)
  const prices = judged.orders.flatMap((one) => [one.leastPriceTenge, one.highestPriceTenge])
  const isOfTickets = prices.some((price) => price && fee % price === 0n)
  return !isOfTickets && fee * 10_000n <= judged.compared.totalTenge * BigInt(HIGHEST_BASIS_POINTS)
}

/** Sale rows of an order are its tickets or the parts of one payment; otherwise one of them may be a second charge. */
function mayBeChargedTwice({ rows, orders, why }: MatchCase, rowIs: RowMeaning) {
  if (why.some(({ code }) => code === 'SECOND_CHARGE')) return true
  const sales = rows.filter(({ kind }) => kind === 'sale')
  const isUnnamed = sales.some(({ paymentId }) => paymentId === null)
  return rowIs !== 'ticket' && sales.length > orders.length && isUnnamed
}

const feeOf = ({ compared }: MatchCase) => compared.salesTenge - compared.totalTenge

function fits(rule: FeeRule, judged: MatchCase): boolean {
  if (rule.kind === 'sum') return feeOf(judged) === rule.tenge
  if (rule.kind === 'fee_column') return feeOf(judged) === declaredFee(judged)
  // Whichever way the partner rounds, it is less than a tenge away.
  const off = feeOf(judged) * 10_000n - judged.compared.totalTenge * BigInt(rule.basisPoints)
  return off < 10_000n && off > -10_000n
}

/** Null when some row does not name its fee. */
function declaredFee({ rows }: MatchCase): bigint | null {
  const fees = rows.filter(({ kind }) => kind === 'sale').map(({ feeTenge }) => feeTenge)
  return fees.reduce((sum, fee) => (sum === null || fee === null ? null : sum + fee), 0n)
}

function include(judged: MatchCase, rule: FeeRule) {
  const percent = rule.kind === 'percent' && { basisPoints: rule.basisPoints }
  const reason: Reason = { code: 'FEE_RULE', detail: { rule: rule.kind, ...percent } }
  judged.category = 'FEE_INCLUDED'
  judged.why = [...judged.why, reason]
}

/** The rule that most cases fit, at least twenty; of equals the first, and a per cent that is rounder. */
function bestRule(open: readonly MatchCase[]): FeeRule | null {
  // Small totals round a rate away from the true one, which is mostly a round one.
  const rates = mostFrequent(open.map(rateOf)).flatMap((rate) => [Math.round(rate / 10) * 10, rate])
  const candidates: FeeRule[] = [
    { kind: 'fee_column' },
    ...rates
      .filter(isPossibleRate)
      .map((basisPoints): FeeRule => ({ kind: 'percent', basisPoints })),
    ...mostFrequent(open.map(feeOf)).map((tenge): FeeRule => ({ kind: 'sum', tenge })),
  ]
  let [best, most]: [FeeRule | null, number] = [null, LEAST_ROWS - 1]
  for (const candidate of candidates) {
    const rows = open.filter((judged) => fits(candidate, judged)).length
    if (rows > most) [best, most] = [candidate, rows]
  }
  return best
}

const isPossibleRate = (rate: number) => rate > 0 && rate <= HIGHEST_BASIS_POINTS

const rateOf = (judged: MatchCase) =>
  Math.round((Number(feeOf(judged)) * 10_000) / Number(judged.compared.totalTenge))

function mostFrequent<T>(votes: readonly T[]): T[] {
  const counts = new Map<T, number>()
  for (const vote of votes) counts.set(vote, (counts.get(vote) ?? 0) + 1)
  const sorted = [...counts].sort(([, one], [, other]) => other - one)
  return sorted.slice(0, CANDIDATES).map(([value]) => value)
}

export const isSameRule = (one: FeeRule, other: FeeRule) =>
  one.kind === other.kind &&
  (one.kind !== 'percent' || one.basisPoints === (other as typeof one).basisPoints) &&
  (one.kind !== 'sum' || one.tenge === (other as typeof one).tenge)
