import { type MatchCase, type Reason, NO_EXPOSURE } from '#reconciliation/matching/match_case'

/** How a partner's own fee is contained in its amounts, offered to be kept for the partner. */
export type FeeRule =
  | { kind: 'percent'; basisPoints: number; rows: number }
  | { kind: 'sum'; tenge: bigint; rows: number }
  | { kind: 'fee_column'; rows: number }

const LEAST_ROWS = 20
const MOST_RULES = 3
const HIGHEST_BASIS_POINTS = 5_000
/** Candidates that are counted exactly, the most frequent first. */
const CANDIDATES = 5

/**
 * Finds constant fees in differences of amounts and turns those cases into FEE_INCLUDED. Rules that are kept for the
 * partner hold for a single row too; of them those come back that some row fits.
 */
export function findFeeRules(cases: MatchCase[], kept: readonly FeeRule[] = []): FeeRule[] {
  const rules: FeeRule[] = []
  let open = cases.filter(isOverTotal)
  for (const known of kept) {
    const rest = includeAll(open, known)
    const rows = open.length - rest.length
    if (rows > 0) rules.push({ ...known, rows })
    open = rest
  }
  while (rules.length < MOST_RULES && open.length >= LEAST_ROWS) {
    const rule = bestRule(open)
    if (!rule) break
    rules.push(rule)
    open = includeAll(open, rule)
  }
  return rules
}

/** Those that the rule does not fit. */
function includeAll(open: readonly MatchCase[], rule: FeeRule): MatchCase[] {
  const rest: MatchCase[] = []
  for (const judged of open) {
    if (fits(rule, judged)) include(judged, rule)
    else rest.push(judged)
  }
  return rest
}

/** Refunds must agree: a difference that has two causes has no rule. */
function isOverTotal({ category, compared }: MatchCase) {
  const { salesTenge, totalTenge, refundsTenge, refundedTenge } = compared
  return category === 'AMOUNT_DIFF' && salesTenge > totalTenge && refundsTenge === refundedTenge
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
  let sum = 0n
  for (const { feeTenge, kind } of rows) {
    if (kind === 'refund') continue
    if (feeTenge === null) return null
    sum += feeTenge
  }
  return sum
}

function include(judged: MatchCase, rule: FeeRule) {
  const detail = {
    rule: rule.kind,
    ...(rule.kind === 'percent' && { basisPoints: rule.basisPoints }),
  }
  const reason: Reason = { code: 'FEE_RULE', detail }
  judged.category = 'FEE_INCLUDED'
  judged.exposure = NO_EXPOSURE
  judged.why = [...judged.why, reason]
}

/** The rule that most cases fit, at least twenty; of equals the first, and a per cent that is rounder. */
function bestRule(open: readonly MatchCase[]): FeeRule | null {
  const rates = new Map<number, number>()
  const sums = new Map<bigint, number>()
  for (const judged of open) {
    const fee = feeOf(judged)
    sums.set(fee, (sums.get(fee) ?? 0) + 1)
    const rate = rateOf(judged)
    if (rate !== null) rates.set(rate, (rates.get(rate) ?? 0) + 1)
  }
  const candidates: FeeRule[] = [
    { kind: 'fee_column', rows: 0 },
    ...roundestFirst(mostFrequent(rates, 1)).map((basisPoints): FeeRule => ({
      kind: 'percent',
      basisPoints,
      rows: 0,
    })),
    ...mostFrequent(sums, LEAST_ROWS).map((tenge): FeeRule => ({ kind: 'sum', tenge, rows: 0 })),
  ]
  for (const candidate of candidates) {
    for (const judged of open) {
      if (fits(candidate, judged)) candidate.rows++
    }
  }
  const best = candidates.reduce((one, other) => (other.rows > one.rows ? other : one))
  return best.rows >= LEAST_ROWS ? best : null
}

function rateOf(judged: MatchCase): number | null {
  const { totalTenge } = judged.compared
  if (totalTenge <= 0n) return null
  const rate = Math.round((Number(feeOf(judged)) * 10_000) / Number(totalTenge))
  return rate > 0 && rate <= HIGHEST_BASIS_POINTS ? rate : null
}

function mostFrequent<T>(votes: ReadonlyMap<T, number>, leastVotes: number): T[] {
  const sorted = [...votes]
    .filter(([, count]) => count >= leastVotes)
    .sort(([, one], [, other]) => other - one)
  return sorted.slice(0, CANDIDATES).map(([value]) => value)
}

/** Small totals round a rate away from the true one; its neighbours and round rates are tried too. */
function roundestFirst(rates: readonly number[]): number[] {
  const near = rates.flatMap((rate) => [
    ...[100, 50, 10].map((step) => Math.round(rate / step) * step),
    rate,
    rate - 1,
    rate + 1,
  ])
  const roundness = (rate: number) => [100, 50, 10, 1].findIndex((step) => rate % step === 0)
  const possible = [...new Set(near)].filter((rate) => rate > 0)
  return possible.sort((one, other) => roundness(one) - roundness(other) || one - other)
}
