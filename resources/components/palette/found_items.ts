import type { Findings } from '#back_office/find/find_props'
import { detailsOf, kindOf, nameOf, urlOf } from '~/components/orders/found_record'
import { urlFor } from '~/routes'
import { localized, moment, named, t, tenge, type TextKey } from '~/texts/texts'

export interface FoundItem {
  label: string
  description: string
  icon: string
  to: string
}

interface FoundGroup {
  id: string
  label: string
  items: FoundItem[]
}

const line = (...parts: string[]) => parts.filter(Boolean).join(' · ')

/** What was found as lines of the palette, each with where it leads. */
export function foundGroups(found: Findings): FoundGroup[] {
  const group = (id: string, label: TextKey, items: FoundItem[]) => ({ id, label: t(label), items })
  return [
    group('orders', 'areas.orders', found.orders.map(orderItem)),
    group('records', 'area_groups.finance', found.records.map(recordItem)),
    group('events', 'areas.events', found.events.map(eventItem)),
    group('partners', 'areas.partners', found.partners.map(partnerItem)),
    group('people', 'areas.staff', found.people.map(personItem)),
  ].filter(({ items }) => items.length > 0)
}

const orderItem = (order: Findings['orders'][number]): FoundItem => ({
  label: order.id,
  description: line(
    named('order_statuses', order.status),
    tenge(order.totalTenge),
    localized(order.event),
    order.buyer
  ),
  icon: 'i-lucide-receipt-text',
  to: urlFor('back_office.order', { id: order.id }),
})

const recordItem = (record: Findings['records'][number]): FoundItem => ({
  label: `${kindOf(record)} ${nameOf(record)}`,
  description: line(record.partnerName, ...detailsOf(record)),
  icon: record.kind === 'case' ? 'i-lucide-search-alert' : 'i-lucide-scale',
  to: urlOf(record),
})

const eventItem = (event: Findings['events'][number]): FoundItem => ({
  label: localized(event.title),
  description: line(
    moment(event.startsAt),
    localized(event.venue),
    named('event_statuses', event.status)
  ),
  icon: 'i-lucide-calendar-days',
  to: urlFor('back_office.event', { id: event.id }),
})

const partnerItem = (partner: Findings['partners'][number]): FoundItem => ({
  label: partner.name,
  description: partner.code,
  icon: 'i-lucide-handshake',
  to: urlFor('back_office.partner', { code: partner.code }),
})

const personItem = (person: Findings['people'][number]): FoundItem => ({
  label: person.name,
  description: line(named('roles', person.role), person.email),
  icon: 'i-lucide-user',
  to: urlFor('back_office.staff.show', { id: person.id }),
})
