import type { RefundSeen } from '#defects/facts/register_facts'
import type { MatchCategory, Reason } from '#reconciliation/matching/match_case'

/** A case of a confirmed register that says something of an order, or of one that we never had. */
export interface EvidenceRow {
  registerId: number
  periodFrom: Date
  periodTo: Date
  category: MatchCategory
  decision: 'accepted' | 'rejected' | null
  salesTenge: bigint
  refundsTenge: bigint
  refundedTenge: bigint
  exposureTenge: bigint
  why: Reason[]
  /** Whether another confirmed register has the sale that this one lacks. */
  isElsewhere: boolean
  meantOrderId: string | null
  isMeantOurs: boolean
  orders: EvidenceOrder[]
  rows: EvidenceLine[]
}
export interface EvidenceOrder {
  id: string
  total: number
  /** What was left of the total then. */
  tenge: number
  /** Of the register's days. */
  voidInDays: number
  /** Whether its sale has to be in the register. */
  isOfDays: boolean
}
export interface EvidenceLine {
  line: number
  at: string | null
  paymentId: string | null
  /** What it calls its order. */
  order: string | null
  /** What a row of a sale takes. */
  sold: number | null
  /** What a row of a refund gives back. */
  returned: number | null
}

/** `isNet`: a sale told net of it shows it, which has no row of its own. */
export type DatedRefund = RefundSeen & { at: number | null; isNet?: boolean }
