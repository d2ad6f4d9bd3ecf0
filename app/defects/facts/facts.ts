import type { ConstantId } from '#defects/facts/constant_ids'
import type { MissingOrder, RegisterDays, ShownRow } from '#defects/facts/register_facts'
import type { SourcesSharingIds } from '#defects/facts/sources_sharing_ids'
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
  /** Its amount is no sum in tenge. */
  isInOtherCurrency: boolean
  paidAtRaw: string | null
  paidAt: number | null
  precision: Precision | null
  paymentId: string | null
  /** Null when our process died before it answered. */
  httpStatus: number | null
  code: string | null
}

export interface VoidFacts {
  ticketId: string
  priceTenge: bigint
  cause: 'refund' | 'event_cancelled' | 'platform'
  voidedAt: number
  /** When a guest was admitted with it, also at a gate without network that reported it later. */
  usedAt: number | null
  /** When the statement with its sale was issued; null when the ticket was void before that. */
  saleClosedAt: number | null
}

/** An order as of the cut-off, with every confirm that named it, in the order of arrival. */
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
  /** Orders that bought its seats after it was refused; '' stands for a sale at the platform's own counter. */
  resoldTo: string[]
  attempts: AttemptFacts[]
  /** Confirms without a valid signature: anybody may have sent them. */
  unsigned?: AttemptFacts[]
  voids: VoidFacts[]
  /** Tickets whose refund was refused because a guest had been admitted with them. */
  refusedRefunds: string[]
  /** Used tickets of a cancelled event that the terms keep sold. */
  keptTickets: string[]
}

export interface PartnerFacts {
  /** How far its clock is behind ours (`measureSkew`); 0 when there are too few requests to measure. */
  skewMs: number
  allowsCombinedPayments: boolean
  refundEvidenceDays: number
  /** What the dearest order costs that it could ever place. */
  dearestOrderTenge: bigint
}

/** What the rules read of a story: orders and confirms that share orders or payments, judged together with one exposure. */
export interface CaseFacts {
  partner: PartnerFacts
  orders: OrderFacts[]
  /** Confirms of orders that we do not have. */
  confirmsOfUnknownOrders: AttemptFacts[]
  /** What the partner's confirmed registers show of these orders, and of orders that we do not have. */
  registerRows: ShownRow[]
  missingOrders: MissingOrder[]
  /** The days of all confirmed registers of the partner. */
  registerDays: readonly RegisterDays[]
  sourcesSharingIds: SourcesSharingIds
  /** Payment ids of several orders that are no payment of theirs: dummy texts and constants. */
  meaninglessIds: ReadonlySet<string>
  /** Those of them that more orders have than one payment can pay, of this story or not. */
  constantIds: ReadonlyMap<string, ConstantId>
  /** The cut-off in milliseconds. */
  asOf: number
}

/** The first moment of a story, in milliseconds. What registers date counts only where nothing of ours does. */
export function beganAt({
  orders,
  confirmsOfUnknownOrders,
  registerRows,
}: Pick<CaseFacts, 'orders' | 'confirmsOfUnknownOrders' | 'registerRows'>) {
  const ours = earliest([
    ...orders.map(({ createdAt }) => createdAt),
    ...confirmsOfUnknownOrders.map(({ receivedAt }) => receivedAt),
  ])
  return Number.isFinite(ours) ? ours : earliest(registerRows.map(({ shownAt }) => shownAt))
}

/** Not `Math.min(...)`: a partner in a retry loop makes more moments than a call takes arguments. */
export const earliest = (moments: number[]) =>
  moments.reduce((first, moment) => (moment < first ? moment : first), Infinity)

/** Whether the contract lets a confirm that was received then still pay the order: the last instant is already too late. */
export const arrivedInWindow = (
  { windowEndsAt }: Pick<OrderFacts, 'windowEndsAt'>,
  receivedAt: number
) => receivedAt < windowEndsAt

/** Whether its payment may still succeed; nobody can say yet what was charged for nothing. */
export const mayStillBePaid = ({ status, eventCancelledAt }: OrderFacts) =>
  status === 'pending' && eventCancelledAt === null

export const isAccepted = ({ httpStatus }: AttemptFacts) => httpStatus === 200

/** Whether a confirm was refused for an amount other than the order's total. */
export const isAmountMismatch = (
  { httpStatus, amountTenge }: AttemptFacts,
  { totalTenge }: Pick<OrderFacts, 'totalTenge'>
) => httpStatus === 422 && amountTenge !== null && amountTenge !== totalTenge

export const distinct = <Value>(values: Value[]) => [...new Set(values)]
