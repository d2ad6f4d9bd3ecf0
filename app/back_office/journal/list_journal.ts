import type {
  JournalEntries,
  JournalEntry,
  JournalFilters,
} from '#back_office/journal/journal_props'
import {
  resolveFilters,
  searchOf,
  type Condition,
  type Search,
} from '#back_office/journal/journal_filters'
import { PAGE_SIZE, listPage } from '#staff_area/lists'
import { DAY_MS } from '#shared/days'
import { readRows } from '#shared/statement'

/** How many of the newest entries are read for one page, when no index serves the filters. */
export const LOOKED_AT = 50_000
/** Fewer for one event or partner, because their entries are scattered over the table. */
export const LOOKED_AT_SCATTERED = 5_000
const RECENT_MS = 30 * DAY_MS

/** Entries, the newest first, for the person of the staff who asks. */
export async function listJournal(
  asked: JournalFilters,
  viewerId: number,
  size = PAGE_SIZE
): Promise<JournalEntries> {
  const filters = resolveFilters(asked, viewerId)
  const search = await searchOf(filters)
  const lookedAt = search.isScattered ? LOOKED_AT_SCATTERED : LOOKED_AT
  const rows = await findNewest(filters, search, lookedAt, size)
  const page = listPage(rows, ({ id }) => id, filters.before, size)
  if (page.older !== null || search.rest.length === 0)
    return { ...page, lookedBackTo: null, lookedAt }
  const last = await lastLookedAt(search, lookedAt)
  const lookedBackTo = last?.at.toISOString() ?? null
  return { ...page, older: last?.cursor ?? null, lookedBackTo, lookedAt }
}

const allOf = (conditions: Condition[]) =>
  ['true', ...conditions.map(({ sql }) => sql)].join(' AND ')

const paramsOf = (conditions: Condition[]) =>
  Object.assign({}, ...conditions.map(({ params }) => params)) as Record<string, unknown>

/** Of all entries, or a partner's, the last weeks mostly fill a page: then the months before are not read. */
async function findNewest(filters: JournalFilters, search: Search, width: number, size: number) {
  const { before, from, to, request, order, event } = filters
  const isOfLately = [before, from, to, request, order, event].every((asked) => asked === null)
  if (isOfLately && search.rest.length === 0) {
    const recently = new Date(Date.now() - RECENT_MS)
    const base = [...search.base, { sql: 'at >= :recently', params: { recently } }]
    const rows = await findEntries({ ...search, base }, width, size)
    if (rows.length > size) return rows
  }
  return findEntries(search, width, size)
}

async function findEntries(
  { base, order, rest }: Search,
  width: number,
  size: number
): Promise<JournalEntry[]> {
  const sql = `
    SELECT j.id::text AS id, j.at, j.name, j.actor_kind AS "actorKind", j.actor, j.request_id AS "requestId",
           p.code AS partner, p.name AS "partnerName", j.event_id AS "eventId", e.title AS event,
           j.order_id AS "orderId", j.booking_id AS "bookingId", j.change
      FROM (SELECT * FROM (SELECT * FROM journal WHERE ${allOf(base)} ORDER BY ${order} LIMIT ${width}) looked_at
             WHERE ${allOf(rest)} ORDER BY ${order} LIMIT ${size + 1}) j
      LEFT JOIN partners p ON p.id = j.partner_id
      LEFT JOIN events e ON e.id = j.event_id
     ORDER BY j.id DESC`
  return readRows<JournalEntry>(sql, paramsOf(base.concat(rest)))
}

async function lastLookedAt({ base, order }: Search, width: number) {
  // Not named like a column, or ORDER BY would sort by this text.
  const sql = `SELECT id::text AS cursor, at FROM journal WHERE ${allOf(base)} ORDER BY ${order} OFFSET ${width - 1} LIMIT 1`
  const rows = await readRows<{ cursor: string; at: Date }>(sql, paramsOf(base))
  return rows.at(0)
}
