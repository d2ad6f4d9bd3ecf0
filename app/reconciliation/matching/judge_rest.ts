import { countSales, fingerprint, withoutRepeats } from '#reconciliation/matching/count_rows'
import type { MissingMoney } from '#reconciliation/matching/explain_missing'
import { isTimely } from '#reconciliation/matching/judge_orders'
import { duplicateOf } from '#reconciliation/matching/judge_claims'
import {
  exposed,
  matchCase,
  type MatchCase,
  type OurOrder,
} from '#reconciliation/matching/match_case'
import type { Claim, Matching, Undecided } from '#reconciliation/matching/matching'
import type { RegisterRow } from '#reconciliation/reading/parse_row'
import { foldId } from '#reconciliation/reading/read_id'
import { chargesOf } from '#reconciliation/matching/returned_charges'

/** From (included) to (not included), as instants. */
export interface Period {
  from: Date
  to: Date
}

const DAY_MS = 24 * 3600_000

/** Rows that contradict themselves, and rows that several orders fit: those orders go with them. */
export function judgeUndecided(matching: Matching): void {
  const { conflicts, ambiguous, cases } = matching
  const placed = new Map<Undecided, OurOrder[]>()
  const place = (
    undecided: Undecided,
    orders: readonly OurOrder[],
    free: (o: OurOrder) => boolean
  ) => {
    const own = placed.get(undecided) ?? []
    placed.set(undecided, own)
    for (const order of orders.filter(free)) own.push(order)
    for (const order of own) matching.taken.add(order)
  }
  const isFree = (order: OurOrder) => {
    if (matching.claims.has(order) || matching.settled.has(order)) return false
    matching.settled.add(order)
    return true
  }
  // Every conflict takes the order of its own key before any takes what its payment leads to.
  for (const conflict of conflicts) place(conflict, conflict.orders.slice(0, 1), isFree)
  for (const conflict of conflicts) place(conflict, conflict.orders.slice(1), isFree)
  for (const undecided of ambiguous) place(undecided, undecided.orders, isFree)
  for (const conflict of conflicts) {
    const { row, why } = conflict
    const parts = { rows: [row], orders: placed.get(conflict), why }
    cases.push(matchCase('KEY_CONFLICT', { ...parts, step: 'KEY_CONFLICT' }))
  }
  for (const undecided of ambiguous) {
    const { row, why } = undecided
    cases.push(matchCase('AMBIGUOUS', { rows: [row], orders: placed.get(undecided), why }))
  }
}

/** Rows that lead to no paid order of ours, those of one payment together. */
export function classifyUnmatchedRows(
  matching: Matching,
  missing: MissingMoney,
  period?: Period
): void {
  const groups = new Map<string, RegisterRow[]>()
  for (const row of matching.left) {
    const id = row.orderKey ?? row.orderId ?? row.paymentId
    const key = id === null ? fingerprint(row) : foldId(id)
    const others = groups.get(key)
    if (others) others.push(row)
    else groups.set(key, [row])
  }
  for (const rows of groups.values()) {
    for (const judged of casesOf(rows, missing, period)) matching.cases.push(judged)
  }
}

function casesOf(
  rows: readonly RegisterRow[],
  missing: MissingMoney,
  period?: Period
): MatchCase[] {
  const declined = rows.filter(({ isNotPaid }) => isNotPaid)
  const paid = rows.filter(({ isNotPaid }) => !isNotPaid)
  const why = [{ code: 'NOT_PAID_THERE' as const }]
  const cases = declined.map((row) => matchCase('OUT_OF_SCOPE', { rows: [row], why }))
  return paid.length === 0 ? cases : [...cases, ...paidCases(paid, missing, period)]
}

function paidCases(
  rows: readonly RegisterRow[],
  missing: MissingMoney,
  period?: Period
): MatchCase[] {
  const { unpaid, why } = missing.explain(rows[0])
  const claims = rows.map((row): Claim => ({ row, step: 'NONE', why: [] }))
  // Without an order to compare with, equal rows are one payment written twice.
  const counted = unpaid ? countSales(claims, unpaid.totalTenge).counted : withoutRepeats(claims)
  const kept = counted.map(({ row }) => row)
  const cases = [missingCase(kept, why, unpaid, period)]
  const [own, lines] = [new Set(kept), new Map<string, number>()]
  for (const row of rows.length > kept.length ? kept : []) {
    lines.set(fingerprint(row), row.line)
  }
  const others: Claim[] = []
  for (const claim of claims) {
    if (own.has(claim.row)) continue
    const line = lines.get(fingerprint(claim.row))
    if (line === undefined) others.push(claim)
    else cases.push(duplicateOf(claim.row, line, 'NONE'))
  }
  for (const charge of chargesOf(others, unpaid?.totalTenge ?? 0n)) {
    const charged = charge.map(({ row }) => row)
    cases.push(missingCase(charged, why, null, period))
  }
  return cases
}

function missingCase(
  rows: RegisterRow[],
  why: MatchCase['why'],
  unpaid: OurOrder | null,
  period?: Period
): MatchCase {
  const isUnknown = why[0].code === 'UNKNOWN_ORDER'
  if (isUnknown && period && rows.every((row) => isOutside(row, period)))
    return matchCase('OUT_OF_SCOPE', { rows, why: [{ code: 'OUTSIDE_PERIOD' }] })
  const net = rows.reduce((sum, { amountTenge }) => sum + amountTenge!, 0n)
  const onlyRefunds = rows.every(({ kind }) => kind === 'refund')
  if (onlyRefunds && isUnknown) why = [{ code: 'REFUND_OF_UNKNOWN_SALE' }]
  const category = unpaid?.status === 'pending' ? 'STATUS_DIFF' : 'MISSING_AT_PLATFORM'
  return matchCase(category, { rows, why, exposure: exposed('BUYER', net) })
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
  const refundedTenge = order.refundedInPeriodTenge
  const why = [{ code: 'VOID_WITHOUT_REFUND' as const }]
  const exposure = exposed('BUYER', refundedTenge)
  const judged = matchCase('REFUND_DIFF', { orders: [order], why, exposure })
  return { ...judged, compared: { ...judged.compared, totalTenge: 0n, refundedTenge } }
}

function missingAtPartner(order: OurOrder): MatchCase {
  if (!isTimely(order)) {
    const why = [
      { code: 'IN_ANOTHER_STATEMENT' as const, detail: { period: order.statementPeriod! } },
    ]
    return matchCase('PERIOD_DIFF', { orders: [order], why })
  }
  const exposure = exposed('PLATFORM', order.totalTenge - order.refundedTenge)
  return matchCase('MISSING_AT_PARTNER', {
    orders: [order],
    why: [{ code: 'NOT_IN_REGISTER' }],
    exposure,
  })
}
