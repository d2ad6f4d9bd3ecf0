import type { CaseState } from '#case_work/case_state'
import type { ExposureTenge } from '#defects/facts/exposure'
import type { StatementStatus } from '#ledger/statement_status'
import type { NumberedPart } from '#reconciliation/store/place_of_line'
import type { OrderStatus } from '#sales/order_status'
import type { LocalizedText } from '#shared/localized_text'
import type { ListPage } from '#staff_area/lists'
import type { PartnerChoice } from '#staff_area/partner_choices'

/** The filters in the address of the list. */
export const ORDER_FILTERS = ['q', 'partner', 'event', 'status', 'sort', 'before'] as const
export type OrderFilters = Record<(typeof ORDER_FILTERS)[number], string | null>

/** More orders are not counted: the line above a list must not cost more than the list. */
export const MOST_COUNTED = 10_000

/** How many orders the filters find. */
export interface OrdersTotal {
  /** As many as were counted. */
  orders: number
  /** The sum of their totals; null when there are more orders than were counted. */
  totalTenge: number | null
}

export interface OrderLine {
  id: string
  createdAt: string
  status: OrderStatus
  totalTenge: number
  seats: number
  /** The partner's code. */
  partner: string
  partnerName: string
  event: LocalizedText
  eventId: string
  buyer: string
}

/** What the search finds apart from orders. */
export type FoundRecord = { id: number; partnerName: string } & (
  | {
      kind: 'statement'
      /** `SET-000012` */
      number: string
      from: string
      to: string
      status: StatementStatus
      closingTenge: number
    }
  | {
      kind: 'memo'
      /** `MEM-000012` */
      number: string
      /** The partner's code. */
      partner: string
      memoKind: string
      amountTenge: number
      reason: string
    }
  | {
      kind: 'case'
      state: CaseState
      /** The rules no longer find it. */
      isGone: boolean
      isOpen: boolean
      exposure: ExposureTenge
      chain: string[]
    }
)

/** A page of the list; `sort` is what the orders are sorted by, null for the newest first. */
export interface SortedOrders extends ListPage<OrderLine> {
  sort: string | null
}

export interface OrdersPage {
  filters: OrderFilters
  /** Empty without a search, and for those who may not read settlements. */
  records: FoundRecord[]
  /** The title of the event to which the list is narrowed. */
  event: LocalizedText | null
  orders: SortedOrders
  partners: PartnerChoice[]
}

export interface OrderFacts {
  id: string
  partnerId: number
  /** The partner's code. */
  partner: string
  partnerName: string
  partnerOrderId: string
  partnerBookingId: string
  bookingId: string
  event: LocalizedText
  eventId: string
  eventStartsAt: string
  isEventCancelled: boolean
  status: OrderStatus
  customer: { email?: string; name?: string; phone?: string } | null
  /** When the buyer was replaced by a pseudonym. */
  buyerErasedAt: string | null
  totalTenge: number
  bookedAt: string
  createdAt: string
  windowEndsAt: string
  confirmedAt: string | null
  cancelledAt: string | null
  paymentTenge: number | null
  paidAt: string | null
  /** As the partner sent it. */
  paidAtRaw: string | null
  paymentId: string | null
  paymentMethod: string | null
}

/** A seat of an order, with its ticket once there is one. */
export interface OrderTicket {
  id: string | null
  number: string | null
  priceTenge: number | null
  sector: LocalizedText
  row: string | null
  seat: string
  spaceId: string
  category: string
  status: string | null
  usedAt: string | null
  usedGate: string | null
  voidCause: string | null
  voidReason: string | null
  voidedAt: string | null
  voidedBy: string | null
  pdfUrl: string | null
  /** The order in which the seat is sold now, if that is another one. */
  soldIn: string | null
}

/** A payment that was refused because the order or its event had ended; of its confirms the first one. */
export interface RefusedPayment {
  code: string
  at: string
  tenge: number
  paymentId: string | null
}

export interface TimelineEntry {
  at: string
  kind: 'journal' | 'confirm' | 'webhook' | 'scan' | 'pdf'
  name: string
  actorKind: string | null
  actor: string | null
  requestId: string | null
  detail: Record<string, unknown>
}

export interface OrderCase {
  id: number
  state: CaseState
  chain: string[]
  exposure: ExposureTenge
  isOpen: boolean
}

/** A row of a register that was judged together with the order. */
export interface OrderRegisterLine {
  registerId: number
  fileName: string
  /** Of the register. */
  state: string
  /** Null when the register should have the order and has not. */
  line: number | null
  category: string
  /** Negative for a refund; null when it could not be read. */
  tenge: number | null
  /** Orders judged together with this one. */
  otherOrders: number
}

/** The movements of the order in one statement. */
export interface OrderStatement {
  /** Null while they are in none. */
  id: number | null
  /** `SET-000012` */
  number: string | null
  from: string | null
  to: string | null
  status: StatementStatus | null
  movements: number
  /** Signed: positive when they increase the partner's debt to us. */
  tenge: number
}

export interface OrderSettlement {
  cases: OrderCase[]
  registerLines: OrderRegisterLine[]
  /** Of the registers in them that have several sheets or files. */
  partsOfRegisters: Record<number, NumberedPart[]>
  statements: OrderStatement[]
}

interface OrdersToErase {
  orders: number
  /** Of events that are not over. */
  upcoming: number
  inOpenCases: number
}

/** What erasing the buyer would erase: of this order, and of all with its e-mail. */
export interface BuyerToErase {
  order: OrdersToErase
  email: OrdersToErase
  /** So many orders have the e-mail that it is hardly one person's. */
  isEmailShared: boolean
}

export interface OrderPage {
  order: OrderFacts
  tickets: OrderTicket[]
  /** Each payment once; none for an order that was paid. */
  refusedPayments: RefusedPayment[]
  /** Whether the order is in cases, and all of them are ended. */
  isSettled: boolean
  timeline: TimelineEntry[]
  /** For those who may not read settlement only its cases; null for those who may not see them either. */
  settlement: OrderSettlement | null
  /** Whether voided tickets free their seats by default, as the contract's phase has it. */
  returnsSeats: boolean
  /** Null for those who may not erase buyers, and where there is nobody to erase. */
  buyerToErase: BuyerToErase | null
}
