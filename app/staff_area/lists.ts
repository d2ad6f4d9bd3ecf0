import { storable } from '#shared/storable'
import type { HttpContext } from '@adonisjs/core/http'

export const PAGE_SIZE = 50

/** One page of a list that is too long to count, newest first, with the cursors of its neighbours. */
export interface ListPage<Row> {
  rows: Row[]
  /** The cursor of the next page, of older rows; null at the end. */
  older: string | null
  /** Whether this is the first page, with the newest rows. */
  isFirst: boolean
}

/** Takes `size + 1` rows; the extra one only shows that there is a next page. */
export function listPage<Row>(
  rows: Row[],
  cursorOf: (row: Row) => string,
  before: string | number | null,
  size = PAGE_SIZE
): ListPage<Row> {
  const shown = rows.slice(0, size)
  const older = rows.length > size ? cursorOf(shown[size - 1]) : null
  return { rows: shown, older, isFirst: before === null }
}

type TimeCursor = Record<'at' | 'id', string>

/** The cursor of a list that is ordered by time and, within one time, by id. */
export const timeCursor = (at: string, id: string) => `${at}~${id}`

/** Null for a malformed cursor, which shows the first page. */
export function readTimeCursor(before: string | null): TimeCursor | null {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)~([\w-]+)$/.exec(before ?? '') ?? []
  return at && id && !Number.isNaN(Date.parse(at)) ? { at, id } : null
}

/** The cursor of a list that is ordered by id; null for a malformed one, which shows the first page. */
export const readIdCursor = (before: string | null) =>
  /^\d{1,9}$/.test(before ?? '') ? Number(before) : null

const LONGEST = 200
const textOf = (asked: string | null) => (asked && storable(asked.trim().slice(0, LONGEST))) || null

/** The named filters in the query string; others are ignored, and of a repeated one the first counts. */
export function filtersOf<Name extends string>({ request }: HttpContext, names: readonly Name[]) {
  const asked = new URL(request.request.url ?? '/', 'http://host').searchParams
  const entries = names.map((name) => [name, textOf(asked.get(name))])
  return Object.fromEntries(entries) as Record<Name, string | null>
}
