import type { Party } from '#settlement/defects/facts'

/** What a partner's confirmed register says against us, or against itself. */
export interface RegisterFacts {
  code:
    | 'MISSING_AT_PLATFORM'
    | 'MISSING_AT_PARTNER'
    | 'VOID_WITHOUT_REFUND'
    | 'REFUND_WITHOUT_VOID'
    | 'REFUND_SUM_MISMATCH'
  tenge: bigint
  party: Party
  /** Its order waited for its payment then: it may be what was paid in the end. */
  isOfPending?: boolean
  /** Of the register's rows. */
  paymentIds: string[]
  /** Register and lines: where it stands. */
  evidence: string[]
}

/** A row of a register that gives money back. */
export interface RefundSeen {
  tenge: bigint
  paymentId: string | null
}

/** Rows of a register whose order we never had. */
export interface UnknownMoney extends RegisterFacts {
  /** What the partner calls it. */
  id: string
  at: number
}
