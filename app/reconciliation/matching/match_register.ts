import { markRepeats } from '#reconciliation/matching/count_rows'
import { MissingMoney } from '#reconciliation/matching/explain_missing'
import { findFeeRules, type FeeRule, type FoundFeeRule } from '#reconciliation/matching/fee_rule'
import { findByIds } from '#reconciliation/matching/find_by_ids'
import { findByLikeness, type LikenessOptions } from '#reconciliation/matching/find_by_likeness'
import { findByRepair } from '#reconciliation/matching/find_by_repair'
import { findGroups } from '#reconciliation/matching/find_groups'
import { judgeClaims } from '#reconciliation/matching/judge_claims'
import {
  classifyUnmatchedRows,
  judgeMissingAtPartner,
  judgeUndecided,
  type Period,
} from '#reconciliation/matching/judge_rest'
import {
  matchCase,
  matchTotals,
  type ConfirmEvidence,
  type MatchCase,
  type MatchTotals,
  type OurOrder,
} from '#reconciliation/matching/match_case'

import { Matching } from '#reconciliation/matching/matching'
import { OurOrders } from '#reconciliation/matching/our_orders'
import type { RegisterRow } from '#reconciliation/reading/parse_row'
import type { RowMeaning } from '#reconciliation/reading/read_kind'

export interface MatchInput extends LikenessOptions {
  rows: readonly RegisterRow[]
  /** Equal rows are one payment written twice, unless a row is a ticket. */
  rowIs?: RowMeaning
  /** Of the period and its neighbours, in any status: those never paid explain money that we miss. */
  orders: readonly OurOrder[]
  attempts?: readonly ConfirmEvidence[]
  /** Rows far from it that lead to no order of ours are out of scope. */
  period?: Period
  /** Those that a person has accepted for the partner. */
  keptFeeRules?: readonly FeeRule[]
}

export interface MatchedRegister {
  /** By the first line of each; orders without rows come last. */
  cases: MatchCase[]
  totals: MatchTotals
  feeRules: FoundFeeRule[]
}

/**
 * The waterfall of matching: every row and every paid order of the period ends in exactly one case.
 * The result depends on lines and numbers alone, not on the order in which rows and orders come.
 */
export function matchRegister(input: MatchInput): MatchedRegister {
  const matching = new Matching(new OurOrders(input.orders.toSorted(byOrderId)))
  const sorted = input.rows.toSorted((one, other) => one.line - other.line)
  const rows = markRepeats(sorted, input.rowIs ?? 'payment')
  findByIds(matching, withoutDeclined(rows, matching))
  findGroups(matching)
  findByRepair(matching)
  findByLikeness(matching, input)
  judgeClaims(matching)
  judgeUndecided(matching)
  const missing = new MissingMoney(matching, input.attempts ?? [])
  classifyUnmatchedRows(matching, missing, input.period)
  judgeMissingAtPartner(matching)
  const cases = matching.cases.toSorted(byFirstLine)
  const feeRules = findFeeRules(cases, input.keptFeeRules)
  return { cases, totals: matchTotals(cases), feeRules }
}

/** A refund of which nothing came says nothing of its order. */
function withoutDeclined(rows: RegisterRow[], { cases }: Matching): RegisterRow[] {
  const left: RegisterRow[] = []
  const why = [{ code: 'NOT_PAID_THERE' as const }]
  for (const row of rows) {
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
