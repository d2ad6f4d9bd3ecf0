import type {
  JournalEntries,
  JournalEntry,
  JournalFilters,
} from '#back_office/journal/journal_props'
import { searchOf, type Condition, type Search } from '#back_office/journal/journal_filters'
import { PAGE_SIZE, listPage } from '#staff_area/lists'
import db from '@adonisjs/lucid/services/db'

/** How many of the newest entries are read for one page, when no index serves the filters. */
export const LOOKED_AT = 50_000
/** Fewer for one event or partner, because their entries are scattered over the table. */
export const LOOKED_AT_SCATTERED = 5_000

/** Entries, the newest first. */
export async function listJournal(
  filters: JournalFilters,
  size = PAGE_SIZE
): Promise<JournalEntries> {
  const search = await searchOf(filters)
  const lookedAt = widthOf(search)
  const rows = await find(search, lookedAt, size)
  const page = listPage(rows, ({ id }) => id, filters.before, size)
  if (page.older !== null || search.rest.length === 0)
    return { ...page, lookedBackTo: null, lookedAt }
  const last = await lastLookedAt(search, lookedAt)
  const lookedBackTo = last?.at.toISOString() ?? null
  return { ...page, older: last?.cursor ?? null, lookedBackTo, lookedAt }
}

const all = (conditions: Condition[]) => ({
  sql: ['true', ...conditions.map(({ sql }) => sql)].join(' AND '),
  values: conditions.flatMap(({ values }) => values),
})

const widthOf = ({ isScattered }: Search) => (isScattered ? LOOKED_AT_SCATTERED : LOOKED_AT)

async function find(
  { base, order, rest }: Search,
  width: number,
  size: number
): Promise<JournalEntry[]> {
  const [within, wanted] = [all(base), all(rest)]
  const sql = `
    SELECT j.id::text AS id, j.at, j.name, j.actor_kind AS "actorKind", j.actor, j.request_id AS "requestId",
           p.code AS partner, p.name AS "partnerName", j.event_id AS "eventId", e.title AS event,
           j.order_id AS "orderId", j.booking_id AS "bookingId", j.change
      FROM (SELECT * FROM (SELECT * FROM journal WHERE ${within.sql} ORDER BY ${order} LIMIT ${width}) looked_at
             WHERE ${wanted.sql} ORDER BY ${order} LIMIT ${size + 1}) j
      LEFT JOIN partners p ON p.id = j.partner_id
      LEFT JOIN events e ON e.id = j.event_id
     ORDER BY j.id DESC`
  const values = [...within.values, ...wanted.values] as string[]
  const { rows } = (await db.rawQuery(sql, values)) as { rows: JournalEntry[] }
  return rows
}

async function lastLookedAt({ base, order }: Search, width: number) {
  const { sql, values } = all(base)
  // Not named like a column, or ORDER BY would sort by this text.
  const text = `SELECT id::text AS cursor, at FROM journal WHERE ${sql} ORDER BY ${order} OFFSET ${width - 1} LIMIT 1`
  const { rows } = (await db.rawQuery(text, values as string[])) as {
    rows: { cursor: string; at: Date }[]
  }
  return rows.at(0)
}
