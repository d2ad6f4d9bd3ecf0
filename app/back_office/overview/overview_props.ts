import type { ExposureTenge } from '#defects/facts/exposure'
import type { LocalizedText } from '#shared/localized_text'

export interface Counted {
  name: string
  count: number
}

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
}

/** A refused confirmation of a payment that the buyer has made: the partner has to return the money. */
export interface ChargedRefusal {
  orderId: string
  at: string
  partner: string
  code: string
  amountTenge: number
  requestId: string
}

/** Sales of one partner in the hour that began at `hour`. */
export interface SalesHour {
  hour: string
  partner: string
  tenge: number
  orders: number
}

export interface EventSales {
  id: string
  title: LocalizedText
  startsAt: string
  tenge: number
  tickets: number
}

export interface SoonEvent {
  id: string
  title: LocalizedText
  startsAt: string
  status: string
}

/** An entry of the audit journal, shortened. */
export interface JournalLine {
  id: string
  at: string
  name: string
  actorKind: string
  actor: string
  partner: string | null
  event: LocalizedText | null
  orderId: string | null
}

export interface OverviewPage {
  events: Counted[]
  partners: Counted[]
  /** Of today. */
  orders: (Counted & { totalTenge: number })[]
  attention: Attention[]
  charged: ChargedRefusal[]
  sales: { hours: SalesHour[]; best: EventSales[] }
  soonest: SoonEvent[]
  /** Null for those who may not read the journal. */
  journal: JournalLine[] | null
}
