import type { EventFigures } from '#back_office/events/events_props'
import type { EventStatus } from '#catalog/event_status'
import type { ExposureTenge } from '#defects/facts/exposure'
import type { LocalizedText } from '#shared/localized_text'

/** Something that needs a person; the page says it in words and links to where it can be looked at. */
export interface Attention {
  kind: string
  count: number
  /** Names for the words: partners, events, jobs. */
  names: string[]
  /** How many names are left out. */
  more: number
  /** Of cases: the money at risk in all of them. */
  exposure?: ExposureTenge
  /** Of cases: those of each partner, the most money first; for those who may read settlement. */
  partners?: PartnerCases[]
}

/** Open cases of one partner, of one line of the overview. */
export interface PartnerCases {
  /** The partner's code. */
  code: string
  name: string
  count: number
  exposure: ExposureTenge
  /** When the oldest of them happened. */
  since: string
}

/** Payments of one partner's buyers that were refused alike in the last 24 hours and are in no case yet. */
export interface ChargedRefusals {
  partner: string
  /** Of the partner API: why the confirmation was refused. */
  code: string
  count: number
  tenge: number
  from: string
  to: string
  /** The newest twenty. */
  orders: { orderId: string; at: string; tenge: number }[]
}

/** An hour of a day in the venues' time, 0 to 23. */
export interface DayHour {
  hour: number
  /** Sales less what was given back. */
  netTenge: number
  tickets: number
  returnedTenge: number
  orders: number
}

export type DayTotals = Pick<DayHour, 'netTenge' | 'tickets' | 'returnedTenge'>

export interface DayFigures {
  today: DayTotals
  /** Of the same day a week ago, up to the same time. */
  weekBefore: DayTotals
  /** On average over the last five minutes. */
  ordersPerMinute: number
  hours: { today: DayHour[]; weekBefore: DayHour[] }
}

/** An event that starts next; its seats are counted once the page is shown. */
export interface NextEvent {
  id: string
  title: LocalizedText
  startsAt: string
  status: EventStatus
}

/** Money of buyers who have no ticket for it. */
export interface BuyersAtRisk {
  tenge: number
  /** Open cases. */
  cases: number
  /** Orders with a refused payment of the last 24 hours that are in no case so far. */
  orders: number
}

export interface OverviewPage {
  figures: DayFigures
  atRisk: BuyersAtRisk
  attention: Attention[]
  charged: ChargedRefusals[]
  nextEvents: NextEvent[]
  /** By the event's id. */
  seats?: Record<string, EventFigures>
}
