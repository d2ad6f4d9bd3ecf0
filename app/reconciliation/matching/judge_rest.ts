import { withoutRepeats } from '#reconciliation/matching/count_rows'
import type { MissingMoney } from '#reconciliation/matching/explain_missing'
import { chargeCases, repeatsAmong } from '#reconciliation/matching/judge_claims'
import { isTimely } from '#reconciliation/matching/judge_orders'
import {
  matchCase,
  type MatchCase,
  type OurOrder,
  type Reason,
} from '#reconciliation/matching/match_case'
import type { Claim, Matching, Undecided } from '#reconciliation/matching/matching'
import type { RegisterRow } from '#reconciliation/reading/parse_row'
import { foldId } from '#reconciliation/reading/read_id'
import { DAY_MS } from '#shared/days'

/** From (included) to (not included), as instants. */
export interface Period {
  from: Date
  to: Date
}

/** Rows that contradict themselves, and rows that several orders fit: those orders go with them. */
export function judgeUndecided(matching: Matching): void {
  const { conflicts, ambiguous, cases } = matching
  const placed = new Map<Undecided, OurOrder[]>()
  const place = (undecided: Undecided, orders: readonly OurOrder[]) => {
    const free = orders.filter(
      (order) => !matching.claims.has(order) && !matching.settled.has(order)
    )
    for (const order of free) matching.settle(order)
    placed.set(undecided, [...(placed.get(undecided) ?? []), ...free])
  }
  // Every conflict takes the order of its own key before any takes what its payment leads to.
  for (const conflict of conflicts) place(conflict, conflict.orders.slice(0, 1))
  for (const undecided of [...conflicts, ...ambiguous]) place(undecided, undecided.orders)
  for (const conflict of conflicts) {
    const { rows, why } = conflict
    const orders = placed.get(conflict)
    cases.push(matchCase('KEY_CONFLICT', { rows, orders, why, step: 'KEY_CONFLICT' }))
  }
  for (const undecided of ambiguous) {
    const { rows, why } = undecided
    cases.push(matchCase('AMBIGUOUS', { rows, orders: placed.get(undecided), why }))
  }
}

/** Rows that lead to no paid order of ours, those of one name together. */
export function classifyUnmatchedRows(
  matching: Matching,
  missing: MissingMoney,
  period?: Period
): void {
  const groups = Map.groupBy(matching.left, (row) => {
    const id = row.orderKey ?? row.orderId ?? row.paymentId
    return id === null ? `line ${row.repeats ?? row.line}` : foldId(id)
  })
  for (const rows of groups.values()) {
    const declined = rows.filter(({ isNotPaid }) => isNotPaid)
    const why: Reason[] = [{ code: 'NOT_PAID_THERE' }]
    for (const row of declined) matching.cases.push(matchCase('OUT_OF_SCOPE', { rows: [row], why }))
    const paid = rows.filter(({ isNotPaid }) => !isNotPaid)
    if (paid.length === 0) continue
    for (const judged of paidCases(paid, missing, period)) matching.cases.push(judged)
  }
}

function paidCases(
  rows: readonly RegisterRow[],
  missing: MissingMoney,
  period?: Period
): MatchCase[] {
  const { unpaid, why } = missing.explain(rows[0])
  const claims = rows.map((row): Claim => ({ row, step: 'NONE', why: [] }))
  const caseOf = (charge: readonly Claim[]) =>
    missingCase(
      charge.map(({ row }) => row),
      why,
      unpaid,
      period
    )
  if (unpaid) return chargeCases(claims, unpaid.totalTenge, caseOf)
  const counted = withoutRepeats(claims)
  return [caseOf(counted), ...repeatsAmong(claims, counted)]
}

function missingCase(
  rows: RegisterRow[],
  why: Reason[],
  unpaid: OurOrder | null,
  period?: Period
): MatchCase {
  const isUnknown = why[0].code === 'UNKNOWN_ORDER'
  if (isUnknown && period && rows.every((row) => isOutside(row, period)))
    return matchCase('OUT_OF_SCOPE', { rows, why: [{ code: 'OUTSIDE_PERIOD' }] })
  if (isUnknown && rows.every(({ kind }) => kind === 'refund'))
    return matchCase('MISSING_AT_PLATFORM', { rows, why: [{ code: 'REFUND_OF_UNKNOWN_SALE' }] })
  const category = unpaid?.status === 'pending' ? 'STATUS_DIFF' : 'MISSING_AT_PLATFORM'
  return matchCase(category, { rows, why })
}

/** A day on either side belongs to the period's edge: clocks and posting dates differ. */
function isOutside({ at }: RegisterRow, { from, to }: Period) {
  if (at === null) return false
  return at.getTime() < from.getTime() - DAY_MS || at.getTime() >= to.getTime() + DAY_MS
}

/** Paid orders of the period that no row speaks of, and earlier ones that lost tickets in it. */
export function judgeMissingAtPartner(matching: Matching): void {
  for (const order of matching.ours.confirmed) {
    if (matching.taken.has(order)) continue
    if (order.isInPeriod || isTimely(order)) matching.cases.push(missingAtPartner(order))
    else if (order.refundedInPeriodTenge > 0n) matching.cases.push(refundMissing(order))
  }
}

/** The sale is none of this register's, its refund is. */
function refundMissing(order: OurOrder): MatchCase {
  const why: Reason[] = [{ code: 'VOID_WITHOUT_REFUND' }]
  const judged = matchCase('REFUND_DIFF', { orders: [order], why })
  judged.compared.totalTenge = 0n
  judged.compared.refundedTenge = order.refundedInPeriodTenge
  return judged
}

function missingAtPartner(order: OurOrder): MatchCase {
  if (isTimely(order))
    return matchCase('MISSING_AT_PARTNER', { orders: [order], why: [{ code: 'NOT_IN_REGISTER' }] })
  const period = order.statementPeriod!
  const why: Reason[] = [{ code: 'IN_ANOTHER_STATEMENT', detail: { period } }]
  return matchCase('PERIOD_DIFF', { orders: [order], why })
}
