import { MissingMoney } from './explain_missing.js'
import { findFeeRules, type FeeRule } from './fee_rule.js'
import { findByIds } from './find_by_ids.js'
import { findByLikeness, type LikenessOptions } from './find_by_likeness.js'
import { findByRepair } from './find_by_repair.js'
import { findGroups } from './find_groups.js'
import { judgeClaims } from './judge_claims.js'
import { judgeLeft, judgeMissingAtPartner, judgeUndecided, type Period } from './judge_rest.js'
import { matchCase, type ConfirmEvidence, type MatchCase, type OurOrder } from './match_case.js'
import { matchTotals, type MatchTotals } from './match_totals.js'
import { Matching } from './matching.js'
import { OurOrders } from './our_orders.js'
import type { RegisterRow } from './parse_row.js'
import { runInSlices, sortInSlices, type Sliced } from './slices.js'

export interface MatchInput extends LikenessOptions {
  rows: readonly RegisterRow[]
  /** Of the period and its neighbours, in any status: those never paid explain money that we miss. */
  orders: readonly OurOrder[]
  attempts?: readonly ConfirmEvidence[]
  /** Rows far from it that lead to no order of ours are out of scope. */
  period?: Period
  /** What the partner's amounts are known to contain. */
  keptFeeRules?: readonly FeeRule[]
}

export interface MatchedRegister {
  /** By the first line of each; orders without rows come last. */
  cases: MatchCase[]
  totals: MatchTotals
  /** Offered to be kept for the partner. */
  feeRules: FeeRule[]
}

/**
 * The waterfall of matching: every row and every paid order of the period ends in exactly one case.
 * The result depends on lines and numbers alone, not on the order in which rows and orders come.
 */
export const matchRegister = (input: MatchInput) => runInSlices(matchInSlices(input))

export function* matchInSlices(input: MatchInput): Sliced<MatchedRegister> {
  const matching = new Matching(new OurOrders())
  yield* matching.ours.add(yield* sortInSlices(input.orders, byOrderId))
  const rows = yield* sortInSlices(input.rows, (one, other) => one.line - other.line)
  yield* findByIds(matching, yield* withoutDeclined(rows, matching))
  yield* findGroups(matching)
  yield* findByRepair(matching)
  yield* findByLikeness(matching, input)
  yield* judgeClaims(matching)
  yield* judgeUndecided(matching)
  const missing = new MissingMoney(matching)
  yield* missing.add(input.attempts ?? [])
  yield* judgeLeft(matching, missing, input.period)
  yield* judgeMissingAtPartner(matching)
  const cases = yield* sortInSlices(matching.cases, byFirstLine)
  const feeRules = yield* findFeeRules(cases, input.keptFeeRules)
  return { cases, totals: yield* matchTotals(cases), feeRules }
}

/** A refund of which nothing came says nothing of its order. */
function* withoutDeclined(rows: RegisterRow[], { cases }: Matching): Sliced<RegisterRow[]> {
  const left: RegisterRow[] = []
  const why = [{ code: 'NOT_PAID_THERE' as const }]
  for (const row of rows) {
    yield
    if (row.kind === 'refund' && row.isNotPaid)
      cases.push(matchCase('OUT_OF_SCOPE', { rows: [row], why }))
    else left.push(row)
  }
  return left
}

const byOrderId = (one: OurOrder, other: OurOrder) =>
  one.orderId < other.orderId ? -1 : one.orderId > other.orderId ? 1 : 0

function byFirstLine(one: MatchCase, other: MatchCase): number {
  const [first, second] = [one, other].map(({ rows }) => rows[0]?.line ?? Number.MAX_SAFE_INTEGER)
  return (
    first - second ||
    (first === Number.MAX_SAFE_INTEGER ? byOrderId(one.orders[0], other.orders[0]) : 0)
  )
}
