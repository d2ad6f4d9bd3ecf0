import { storable } from '#shared/storable'
import type { HttpContext } from '@adonisjs/core/http'

export const PAGE_SIZE = 50

/** Rows of a list that is too long to count: newest first, with where the neighbouring pages begin. */
export interface ListPage<Row> {
  rows: Row[]
  /** The cursor of the next page, of older rows; null at the end. */
  older: string | null
  /** Whether there are newer rows than these: the way back to the first page. */
  isFirst: boolean
}

/** Of `size + 1` rows that were asked for, the last only tells that there are more. */
export function listPage<Row>(
  rows: Row[],
  cursorOf: (row: Row) => string,
  before: string | null,
  size = PAGE_SIZE
): ListPage<Row> {
  const shown = rows.slice(0, size)
  const older = rows.length > size ? cursorOf(shown[size - 1]) : null
  return { rows: shown, older, isFirst: before === null }
}

/** Where a page ends in a list that is ordered by a time and, at the same time, by id. */
export const timeCursor = (at: string, id: string) => `${at}~${id}`

/** A cursor that somebody has edited begins at the first page. */
export function readTimeCursor(before: string | null): [at: string, id: string] | null {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)~([\w-]+)$/.exec(before ?? '') ?? []
  return at && id && !Number.isNaN(Date.parse(at)) ? [at, id] : null
}

const LONGEST = 200
const textOf = (asked: string | null) => (asked && storable(asked.trim().slice(0, LONGEST))) || null

/** Filters are in the URL; what isn't known there is left out, and one that is given twice counts once. */
export function filtersOf<Name extends string>({ request }: HttpContext, names: readonly Name[]) {
  const asked = new URL(request.request.url ?? '/', 'http://host').searchParams
  const entries = names.map((name) => [name, textOf(asked.get(name))])
  return Object.fromEntries(entries) as Record<Name, string | null>
}
