import type { RefundSeen, RegisterFacts, UnknownOrder } from '#defects/facts/register_facts'
import type { OrderStatus } from '#sales/order_status'
import type { Precision } from '#shared/instants'

/** One confirm request as it was received (`confirm_attempts`). Moments are instants by our clock, in milliseconds. */
export interface AttemptFacts {
  id: string
  requestId: string
  orderIdSent: string
  receivedAt: number
  /** `X-Timestamp`, in milliseconds; null when it could not be read. */
  sentAt: number | null
  amountTenge: bigint | null
  paidAtRaw: string | null
  paidAt: number | null
  precision: Precision | null
  paymentId: string | null
  /** Null while it was not answered: our process died with it. */
  httpStatus: number | null
  code: string | null
}

export interface VoidFacts {
  ticketId: string
  priceTenge: bigint
  cause: 'refund' | 'event_cancelled' | 'platform'
  voidedAt: number
  /** When a guest got in with it, also past a gate without network that told of it later. */
  usedAt: number | null
  /** When the statement was issued in which its sale is; null when the void was there before it. */
  saleClosedAt: number | null
}

/** A ticket whose refund was asked for and refused, because a guest had got in with it. */
export interface RefusedRefundFacts {
  ticketId: string
  priceTenge: bigint
  requestId: string | null
}

/** An order as it stands at the cut-off, with every confirm that named it, in the order of their arrival. */
export interface OrderFacts {
  id: string
  eventId: string
  eventCancelledAt: number | null
  status: OrderStatus
  totalTenge: bigint
  createdAt: number
  windowEndsAt: number
  confirmedAt: number | null
  payment: { paymentId: string; paidAt: number; paidAtRaw: string; precision: Precision } | null
  /** Orders that have bought its seats since it was refused; an empty text stands for the platform's own counter. */
  resoldTo: string[]
  attempts: AttemptFacts[]
  /** Those that came without a valid signature: anybody may have sent them. */
  unsigned?: AttemptFacts[]
  voids: VoidFacts[]
  refusedRefunds: RefusedRefundFacts[]
  /** What confirmed registers of the partner say of it. */
  registered?: RegisterFacts[]
  refundsSeen?: RefundSeen[]
}

export interface PartnerFacts {
  /** How far its clock is behind ours by its own requests (`measureSkew`); 0 when there is nothing to measure. */
  skewMs: number
  allowsCombinedPayments: boolean
  refundEvidenceDays: number
}

/** Orders and confirms that belong together by order or by payment: one story, one exposure. */
export interface CaseFacts {
  partner: PartnerFacts
  orders: OrderFacts[]
  /** Confirms of orders that we never had. */
  strays: AttemptFacts[]
  /** Orders that we never had, of which the partner's registers tell. */
  unknown?: UnknownOrder[]
  /** Payments of more orders than one can stand for: nothing was joined by them. */
  crowded?: ReadonlySet<string>
  /** The moment as of which it is judged. */
  asOf: number
}

/** When a story began. */
export const beganAt = ({
  orders,
  strays,
  unknown = [],
}: Pick<CaseFacts, 'orders' | 'strays' | 'unknown'>) =>
  earliest([
    ...orders.map(({ createdAt }) => createdAt),
    ...strays.map(({ receivedAt }) => receivedAt),
    ...unknown.map(({ at }) => at),
  ])

/** A loop of retries makes more moments than a call takes arguments. */
export const earliest = (moments: number[]) =>
  moments.reduce((first, moment) => (moment < first ? moment : first), Infinity)

export const isAccepted = ({ httpStatus }: AttemptFacts) => httpStatus === 200
export const distinct = <Value>(values: Value[]) => [...new Set(values)]
