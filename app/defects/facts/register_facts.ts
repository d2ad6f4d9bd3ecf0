/**
 * A row of a confirmed register that shows money: what a source says, with nothing concluded from it. `shown_by_case.ts` makes it of
 * the case that the row was matched to, with all orders that the case joins.
 */
export interface ShownRow {
  source: string
  registerId: number
  line: number
  kind: 'charge' | 'return'
  tenge: bigint
  /** As confirms spell it; null where the row names no payment. */
  paymentId: string | null
  /** Orders that it may be of: ours, or the partner's names of orders that we do not have. */
  orderIds: string[]
  /** As the file has it, in milliseconds; null where the row has no date. Decides whether a return can be of a charge. */
  at: number | null
  /** The same within its register's days and their edges, its first day without a date. Decides in which period it is judged. */
  shownAt: number
}

/** An order that a confirmed register of its days does not have. */
export interface MissingOrder {
  source: string
  registerId: number
  orderId: string
}

/** The days of a confirmed register, in milliseconds: [from, to). */
export interface RegisterDays {
  source: string
  registerId: number
  from: number
  to: number
  coversSales: boolean
  coversRefunds: boolean
}
