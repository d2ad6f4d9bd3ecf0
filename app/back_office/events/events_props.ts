import type { TimelineEntry } from '#back_office/orders/orders_props'
import type { EventStatus } from '#catalog/event_status'
import type { FullyLocalizedText, LocalizedText } from '#shared/localized_text'
import type { ListPage } from '#staff_area/lists'
import type { SecondPeople } from '#staff_area/shared_props'

/** The filters in the address of the list; without `when` it shows what has not ended yet. */
export const EVENT_FILTERS = ['q', 'status', 'when', 'before'] as const
export type EventFilters = Record<(typeof EVENT_FILTERS)[number], string | null>

export interface EventLine {
  id: string
  title: LocalizedText
  hall: LocalizedText
  venue: LocalizedText
  startsAt: string
  status: EventStatus
}

/** An event to choose in a filter. */
export type EventChoice = Pick<EventLine, 'id' | 'title' | 'startsAt'>

export type EventFigures = {
  id: string
  total: number
  sold: number
  free: number
  blocked: number
  /** Of tickets that are not void. */
  soldTenge: number
}

export interface EventsPage {
  filters: EventFilters
  events: ListPage<EventLine>
  /** By the event's id; deferred, because every seat is counted. */
  figures?: Record<string, EventFigures>
}

export interface EventFacts {
  id: string
  title: FullyLocalizedText
  description: LocalizedText
  hall: LocalizedText
  venue: LocalizedText
  status: EventStatus
  type: string | null
  ageRating: string | null
  startsAt: string
  endsAt: string
  salesStartAt: string | null
  hasStarted: boolean
  isOver: boolean
  maxSeatsPerBooking: number
  priceFromTenge: number | null
  cancelledAt: string | null
  cancellationReason: string | null
  createdAt: string
  /** Changes with every edit, so that a stale form is refused. */
  edition: string
}

export interface CategoryPrice {
  category: string
  priceTenge: number | null
  /** Seats of the category. */
  seats: number
  sold: number
}

/** What a change of the event touches now. */
export interface EventReach {
  /** Partners that may sell it. */
  partners: number
  /** Partners that are notified by a webhook, of all that ever had a grant. */
  webhooks: number
  activeBookings: number
  /** Orders inside their payment window. */
  pendingOrders: number
}

export type PartnerSales = {
  code: string
  name: string
  access: 'active' | 'revoked'
  orders: number
  valid: number
  used: number
  void: number
  /** Of tickets that are not void. */
  soldTenge: number
  /** Tickets that a cancellation of the event voids, and what buyers then get back. */
  voidable: number
  voidableTenge: number
}

export type SectorLine = {
  id: string
  name: LocalizedText
  total: number
  free: number
  held: number
  sold: number
  blocked: number
  priceFromTenge: number | null
}

/** What a partner knows of the event's newest change. */
export interface PartnerAwareness {
  code: string
  name: string
  hasEndpoint: boolean
  webhookStatus: 'pending' | 'delivered' | 'failed' | 'held' | null
  webhookAt: string | null
  deliveryId: string | null
  /** The last read of the feed proves that the partner has the event's newest state. */
  isInFeed: boolean
  readAt: string | null
  /** Neither delivered nor read, although partners read the feed every five minutes (contract, GET /events). */
  isLate: boolean
}

/** The event's newest change, and which partners know it. */
export interface EventAwareness {
  news: { name: string; at: string } | null
  partners: PartnerAwareness[]
}

/** A cancellation that waits for a second person. */
export interface CancellationRequest {
  id: number
  reason: string
  askedBy: string
  askedAt: string
  lapsesAt: string
}

export interface EventPage {
  event: EventFacts
  /** Changes of status that are possible now. */
  triggers: string[]
  prices: CategoryPrice[]
  reach: EventReach
  seen: EventAwareness
  history: TimelineEntry[]
  request: CancellationRequest | null
  /** Whether two people are needed to cancel an event with sold tickets. */
  secondPerson: boolean
  /** Who may approve the open request, or one that the viewer would make; null where nobody has to. */
  second: SecondPeople | null
  /** Deferred, because every seat is counted. */
  sectors?: SectorLine[]
  /** Deferred, because every ticket is counted. */
  sales?: PartnerSales[]
}

/** A hall for a new event. */
export interface HallChoice {
  id: number
  name: LocalizedText
  venue: LocalizedText
  seats: number
  /** Categories that its seats have. */
  categories: string[]
}

export interface NewEventPage {
  halls: HallChoice[]
}

export interface EditEventPage {
  event: EventFacts
  prices: CategoryPrice[]
  reach: EventReach
}
