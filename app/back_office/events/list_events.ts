import type { EventFilters, EventLine } from '#back_office/events/events_props'
import { readTimeCursor, listPage, timeCursor, type ListPage } from '#staff_area/lists'
import db from '@adonisjs/lucid/services/db'

/** Shorter than other lists, because the seats of each event are counted. */
const PAGE = 25
const STATUS = 'event_status(e.stored_status, e.sales_start_at, e.starts_at, now())'

/** Events by start: coming ones ascending, all others descending. */
export async function listEvents(filters: EventFilters, size = PAGE): Promise<ListPage<EventLine>> {
  const isAhead = filters.when === null
  const direction = isAhead ? 'asc' : 'desc'
  const query = db
    .from('events as e')
    .join('halls as h', 'h.id', 'e.hall_id')
    .join('venues as v', 'v.id', 'e.venue_id')
    .select(
      'e.id',
      'e.title',
      'h.name as hall',
      'v.name as venue',
      'e.starts_at as startsAt',
      db.raw(`${STATUS} AS status`)
    )
    .orderBy([
      { column: 'e.starts_at', order: direction },
      { column: 'e.id', order: direction },
    ])
    .limit(size + 1)
  if (isAhead) query.whereRaw('e.ends_at > now()')
  if (filters.when === 'past') query.whereRaw('e.ends_at <= now()')
  if (filters.status) query.whereRaw(`${STATUS} = :status`, { status: filters.status })
  if (filters.q) whereNamed(query, filters.q)
  const cursor = readTimeCursor(filters.before)
  if (cursor)
    query.whereRaw(
      `(e.starts_at, e.id) ${isAhead ? '>' : '<'} (CAST(:at AS timestamptz), :id)`,
      cursor
    )
  const rows = (await query) as (Omit<EventLine, 'startsAt'> & { startsAt: Date })[]
  const lines = rows.map((row) => ({ ...row, startsAt: row.startsAt.toISOString() }))
  return listPage(lines, ({ startsAt, id }) => timeCursor(startsAt, id), filters.before, size)
}

type Query = ReturnType<typeof db.from>

/** Matches the id, or a part of the title in any language. */
function whereNamed(query: Query, text: string) {
  const part = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  query.whereRaw(
    `(e.id = :id OR e.title ->> 'ru' ILIKE :part OR e.title ->> 'kk' ILIKE :part OR e.title ->> 'en' ILIKE :part)`,
    { id: text.toLowerCase(), part }
  )
}
