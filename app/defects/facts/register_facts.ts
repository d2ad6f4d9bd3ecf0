/** Whose money a finding is about. */
export type Party = 'BUYER' | 'PLATFORM' | 'PARTNER' | 'NONE'

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

/** An order that registers tell of and that we never had. */
export interface UnknownOrder {
  /** What the partner calls it. */
  id: string
  /** When the first money for it was taken. */
  at: number
  registered: RegisterFacts[]
  refundsSeen: RefundSeen[]
}
