import type { MatchCase, Reason } from '#reconciliation/matching/match_case'
import { createHash } from 'node:crypto'

/** What people have decided about a case. */
export interface KeptDecision {
  decision: string | null
  decided_by: string | null
  decided_at: Date | null
  owner_id: number | null
  due_on: string | null
  note: string | null
  version: number
}

/** A case's key: hash of its rows and orders, so that decisions survive another matching. */
export function keyOf({ rows, orders }: MatchCase, sheet: string | null) {
  const lines = rows.map(({ line }) => line).toSorted((one, other) => one - other)
  const ids = orders.map(({ orderId }) => orderId).toSorted()
  return createHash('sha256')
    .update(`${sheet ?? ''}|${lines.join(',')}|${ids.join(',')}`)
    .digest('base64url')
}

export function caseColumns({ category, step, isSuggested, compared, why, exposure }: MatchCase) {
  return {
    category,
    step,
    is_suggested: isSuggested,
    why,
    sales_tenge: compared.salesTenge,
    refunds_tenge: compared.refundsTenge,
    total_tenge: compared.totalTenge,
    refunded_tenge: compared.refundedTenge,
    exposure_tenge: exposure.tenge,
    exposure_party: exposure.party,
    meant_order_id: meantOrderOf(why),
  }
}

const REASONS_WITH_ORDER: Reason['code'][] = [
  'ORDER_EXPIRED',
  'ORDER_CANCELLED',
  'ORDER_PENDING',
  'SECOND_CHARGE',
  'CONFIRM_REFUSED',
]

/** The order that the money was meant for, or the id that the partner's confirm sent. */
function meantOrderOf(why: readonly Reason[]) {
  const orderId = why.find(({ code }) => REASONS_WITH_ORDER.includes(code))?.detail?.orderId
  return typeof orderId === 'string' && orderId !== '' ? orderId : null
}
