import type { TimelineEntry } from '#back_office/orders/orders_props'
import type { LocalizedText } from '#shared/localized_text'

export interface SeatPlanPage {
  event: { id: string; title: LocalizedText; status: string; startsAt: string }
  hall: { name: LocalizedText; planDigest: string | null }
}

/** All seats of an event without their states: rows, sectors and categories are named by their place in the lists. */
export interface PlanSeats {
  sectors: { code: string; name: LocalizedText }[]
  rows: { label: string; sector: number }[]
  categories: { code: string; name: LocalizedText | null }[]
  seats: [
    spaceId: string,
    label: string,
    row: number,
    category: number,
    priceTenge: number | null,
  ][]
}

export interface SeatNow {
  spaceId: string
  label: string
  row: string
  sector: LocalizedText
  category: string
  categoryName: LocalizedText | null
  priceTenge: number | null
  status: 'free' | 'held' | 'sold' | 'blocked'
  holdUntil: string | null
  /** A booking or a cart of the counter; null when nobody has the seat. */
  holder: string | null
  orderId: string | null
  partnerName: string | null
  /** How many seats the same cart holds. */
  cartSeats: number | null
}

export interface SeatTicket {
  id: string
  number: string
  orderId: string
  status: string
  voidCause: string | null
  voidReason: string | null
  issuedAt: string
}

/** The answer about one seat. */
export interface SeatAnswer {
  seat: SeatNow
  tickets: SeatTicket[]
  timeline: TimelineEntry[]
}

/** A cart of the storefront or the counter that holds seats now. */
export interface OpenCart {
  id: string
  seats: { row: string; seat: string }[]
  totalTenge: number
  until: string
  /** Who holds it; null when the hold began before the journal entries that are searched. */
  actorKind: string | null
  actor: string | null
}
