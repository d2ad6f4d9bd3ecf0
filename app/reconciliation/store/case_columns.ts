import type { MatchCase, Reason } from '#reconciliation/matching/match_case'
import { createHash } from 'node:crypto'

/** What people have said of a case. */
export interface KeptDecision {
  decision: string | null
  decided_by: string | null
  decided_at: Date | null
  owner_id: number | null
  due_on: string | null
  note: string | null
  version: number
}

/** The same rows of a sheet and orders are the same case, whatever was found about them. */
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

const MEANT: Reason['code'][] = [
  'ORDER_EXPIRED',
  'ORDER_CANCELLED',
  'ORDER_PENDING',
  'SECOND_CHARGE',
  'CONFIRM_REFUSED',
]

/** The order that the money was meant for, or the number that the partner confirmed it with. */
function meantOrderOf(why: readonly Reason[]) {
  const told = why.find(({ code }) => MEANT.includes(code))?.detail?.orderId
  return typeof told === 'string' && told !== '' ? told : null
}
