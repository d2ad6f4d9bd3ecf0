import { componentsOf } from '#reconciliation/matching/components'
import { findFeeRules, type FeeRule, type FoundFeeRule } from '#reconciliation/matching/fee_rule'
import type { Period } from '#ledger/periods'
import { judgeComponent } from '#reconciliation/matching/judge_component'
import { judgeOrderWithoutRows, type Coverage } from '#reconciliation/matching/judge_orders'
import { linkByIds } from '#reconciliation/matching/link_by_ids'
import { linkRows, type LinkOptions } from '#reconciliation/matching/link_rows'
import {
  matchCase,
  matchTotals,
  type MatchCase,
  type MatchTotals,
  type OurOrder,
} from '#reconciliation/matching/match_case'
import { UnknownMoney } from '#reconciliation/matching/unknown_money'
import { byOrderId, OurOrders } from '#reconciliation/matching/our_orders'
import type { MatchRow } from '#reconciliation/matching/match_row'
import type { RowMeaning } from '#register_reading/read_kind'
import { SharedValues } from '#shared/shared_values'

export interface MatchInput extends LinkOptions {
  rows: readonly MatchRow[]
  /** Equal rows are one payment written twice, unless a row is a ticket. */
  rowIs: RowMeaning
  /** What the register has to show. */
  covers: Coverage
  /** Of the period and its neighbours, in any status: those never paid explain money that we miss. */
  orders: readonly OurOrder[]
  /** Rows far from it that lead to no order of ours are out of scope. */
  period: Period
  /** Those that a person has accepted for the partner. */
  keptFeeRules: readonly FeeRule[]
}

export interface MatchedRegister {
  /** By the first line of each; orders without rows come last. */
  cases: MatchCase[]
  totals: MatchTotals
  feeRules: FoundFeeRule[]
}

/**
 * Matches a register with our orders. Every row, and every paid order of the period that the register has to
 * show, ends in exactly one case.
 *
 *   rows ──link──▶ orders ──join──▶ components ──add up──▶ cases
 *
 * The result depends on lines and ids alone, not on the order in which rows and orders come.
 */
export function matchRegister(input: MatchInput): MatchedRegister {
  const { components, ordersWithoutRows, unpaid, unreadLines } = linkAll(input)
  const { rowIs, covers, period, keptFeeRules } = input
  const unknownMoney = new UnknownMoney(new OurOrders(unpaid), attemptsOf(input))
  const context = { unknownMoney, rowIs, covers, period }
  const sums = new SharedValues()
  const cases = [
    ...input.rows.filter((row) => !showsMoney(row)).map(caseWithoutMoney),
    ...components
      .flatMap((component) => judgeComponent(component, context))
      .map((judged) => withSharedSums(judged, sums)),
    ...ordersWithoutRows.flatMap((order) =>
      judgeOrderWithoutRows(order, covers, unreadLines.get(order))
    ),
  ].toSorted(byFirstLine)
  const feeRules = findFeeRules(cases, keptFeeRules, rowIs)
  return { cases, totals: matchTotals(cases), feeRules }
}

const COMPARED = ['salesTenge', 'refundsTenge', 'totalTenge', 'refundedTenge'] as const

/** Equal sums are kept once: the four of a case take as much memory as all else of it. */
function withSharedSums(judged: MatchCase, sums: SharedValues) {
  sums.within(judged.compared, COMPARED)
  return judged
}

/** A function of its own, so that the indexes of orders are released before cases need memory. */
function linkAll(input: MatchInput) {
  const ours = new OurOrders(input.orders.toSorted(byOrderId))
  const rows = input.rows.filter(showsMoney).sort((one, other) => one.line - other.line)
  const linked = linkRows(rows, ours, { ...input, attempts: attemptsOf(input) })
  return {
    components: componentsOf(linked.links),
    ordersWithoutRows: linked.ordersWithoutRows(),
    unpaid: ours.unpaid,
    unreadLines: unreadLinesOf(input, ours),
  }
}

/** Orders that rows which cannot be read name by an exact id, with the first such line. */
function unreadLinesOf({ rows, hasOwnPaymentIds }: MatchInput, ours: OurOrders) {
  const lines = new Map<OurOrder, number>()
  for (const row of rows.filter(({ isUnparseable }) => isUnparseable)) {
    const named = linkByIds(hasOwnPaymentIds ? { ...row, paymentId: null } : row, ours)
    for (const order of named?.orders ?? [])
      lines.set(order, Math.min(row.line, lines.get(order) ?? row.line))
  }
  return lines
}

/** Payments of confirms are not compared with a source's own. */
const attemptsOf = ({ attempts, hasOwnPaymentIds }: MatchInput) =>
  hasOwnPaymentIds ? attempts.map((one) => ({ ...one, externalPaymentId: null })) : attempts

/** Not a row that could not be read, nor a refund that was declined. A declined payment may be paid here: it is judged. */
const showsMoney = ({ isUnparseable, kind, isNotPaid }: MatchRow) =>
  !isUnparseable && !(kind === 'refund' && isNotPaid)

function caseWithoutMoney(row: MatchRow): MatchCase {
  if (!row.isUnparseable)
    return matchCase('OUT_OF_SCOPE', { rows: [row], why: [{ code: 'NOT_PAID_THERE' }] })
  const codes = row.problems.map(({ code }) => code)
  return matchCase('UNPARSEABLE', {
    rows: [row],
    why: [{ code: 'ROW_PROBLEMS', detail: { codes } }],
  })
}

function byFirstLine(one: MatchCase, other: MatchCase): number {
  const difference = firstLine(one) - firstLine(other)
  if (difference !== 0 || one.rows.length > 0) return difference
  return byOrderId(one.orders[0], other.orders[0])
}

const firstLine = ({ rows }: MatchCase) => rows[0]?.line ?? Number.MAX_SAFE_INTEGER
