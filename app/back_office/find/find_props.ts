import type { EventLine } from '#back_office/events/events_props'
import type { FoundRecord, OrderLine } from '#back_office/orders/orders_props'
import type { PartnerLine } from '#back_office/partners/partners_props'
import type { StaffLine } from '#back_office/staff/staff_props'

/** What the palette shows for a text: the first five of each kind. What a person may not read stays empty. */
export interface Findings {
  orders: OrderLine[]
  /** Cases, statements and memos. */
  records: FoundRecord[]
  events: EventLine[]
  partners: PartnerLine[]
  people: StaffLine[]
}

export const NOTHING_FOUND: Findings = {
  orders: [],
  records: [],
  events: [],
  partners: [],
  people: [],
}
