/** Whose money a finding is about. */
export type Party = 'BUYER' | 'PLATFORM' | 'PARTNER' | 'NONE'

/** A difference that a partner's confirmed register shows: with our orders, or within itself. */
export interface RegisterFacts {
  code:
    | 'MISSING_AT_PLATFORM'
    | 'MISSING_AT_PARTNER'
    | 'VOID_WITHOUT_REFUND'
    | 'REFUND_WITHOUT_VOID'
    | 'REFUND_SUM_MISMATCH'
  tenge: bigint
  party: Party
  /** The order was pending then: this may be the payment that was confirmed later. */
  isOfPending?: boolean
  /** Payment ids of the register's rows. */
  paymentIds: string[]
  /** The register and its lines. */
  evidence: string[]
}

/** A refund in a register. */
export interface RefundSeen {
  tenge: bigint
  paymentId: string | null
}

/** An order that registers show and that we do not have. */
export interface UnknownOrder {
  /** The partner's name for it. */
  id: string
  /** All spellings of the name, in registers and confirms; `id` alone by default. */
  names?: string[]
  /** The moment of its first charge, in milliseconds. */
  at: number
  registered: RegisterFacts[]
  refundsSeen: RefundSeen[]
}
