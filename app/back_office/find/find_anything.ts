import type { Findings } from '#back_office/find/find_props'
import { listEvents } from '#back_office/events/list_events'
import { findRecords } from '#back_office/orders/find_records'
import { listOrders } from '#back_office/orders/list_orders'
import { listPartners } from '#back_office/partners/list_partners'
import { listStaff } from '#back_office/staff/list_staff'
import { inOtherLayouts } from '#shared/keyboard_layouts'
import { may, type Ability } from '#staff_area/permissions'
import type { Role } from '#staff/role'

const MOST = 5

/** Everything of the back office that a text names, also where it was typed in another keyboard layout. */
export async function findAnything(text: string, role: Role): Promise<Findings> {
  const found = await findText(text, role)
  for (const other of inOtherLayouts(text)) {
    if (!isEmpty(found)) break
    Object.assign(found, await findText(other, role))
  }
  return found
}

async function findText(q: string, role: Role): Promise<Findings> {
  const ifMay = async <Row>(ability: Ability, find: () => Promise<Row[]>) => {
    if (!may(role, ability)) return []
    const rows = await find()
    return rows.slice(0, MOST)
  }
  const rowsOf = async <Row>(list: Promise<{ rows: Row[] }>) => {
    const { rows } = await list
    return rows
  }
  const orderFilters = { q, partner: null, event: null, status: null, sort: null, before: null }
  const [orders, records, events, partners, people] = await Promise.all([
    ifMay('orders.read', () => rowsOf(listOrders(orderFilters, MOST, MOST + 1))),
    ifMay('cases.read', () => findRecords(q, role)),
    ifMay('events.read', () => findEvents(q)),
    ifMay('partners.read', () => rowsOf(listPartners({ q, status: null }, MOST))),
    ifMay('staff.read', () => listStaff({ q, role: null, status: null })),
  ])
  return { orders, records, events, partners, people }
}

/** Those to come first, the next one at the top; then the others, the newest at the top. */
async function findEvents(q: string) {
  const eventFilters = { q, status: null, before: null }
  const [coming, past] = await Promise.all([
    listEvents({ ...eventFilters, when: null }, MOST),
    listEvents({ ...eventFilters, when: 'past' }, MOST),
  ])
  return [...coming.rows, ...past.rows]
}

const isEmpty = (found: Findings) => Object.values(found).every((rows) => rows.length === 0)
