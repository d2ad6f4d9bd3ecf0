import { localDay, localMoment } from '#shared/days'
import type { Language } from '#shared/languages'
import { TOTAL } from '#staff_area/export_headings'
import { languageOf } from '#staff_area/language_of'
import { isAbandoned } from '#http/exchange'
import { record } from '#shared/journal'
import { transaction } from '#shared/transaction'
import type { HttpContext } from '@adonisjs/core/http'
import { stringify } from 'csv-stringify'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const PAGE = 1_000

type Cell = string | number | boolean | Date | null
type Filters = Record<string, string | null>
type Page<Row> = { rows: Row[]; older: string | null }

/** Names of columns for people. */
export type Headings<Name extends string> = Record<Language, Record<Name, string>>

export interface Export<Row, Given extends Filters, Name extends string> {
  /** The list's name: of the file, and in the journal. */
  list: string
  filters: Given
  page: (filters: Given & { before: string | null }, size: number) => Promise<Page<Row>>
  /** Rows per query, where a row costs more than in other lists. */
  size?: number
  /** Column name → cell. */
  columns: Record<Name, (row: Row) => Cell>
  /** The second line, for people. */
  headings: Headings<Name>
  /** Columns whose sums are the last line, and the one that names it. A file without rows has no such line. */
  totals?: { label: NoInfer<Name>; of: readonly NoInfer<Name>[] }
}

/** A moment of a list by the venues' clock with its offset: `2026-11-25T09:30:00+05:00`. */
export const momentCell = (at: string | null) => (at === null ? null : localMoment(new Date(at)))

/** A list without pages, as its only page. */
export const singlePage = <Row>(rows: Row[]): Page<Row> => ({ rows, older: null })

/**
 * Sends all pages of a list as a CSV file that Excel opens directly: UTF-8 with a byte order mark, semicolons, and formulas
 * escaped. The first line has the names for programs, which stay; the second one has headings in the person's language. One page
 * at a time is in memory, and the next one is read only after the last was sent. The journal records who exported the list.
 */
export async function sendCsv<Row, Given extends Filters, Name extends string>(
  ctx: HttpContext,
  given: Export<Row, Given, Name>
) {
  const { list, filters } = given
  const asked = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null))
  await transaction((trx) =>
    record('list_exported', { list, filters: asked }, { actor: ctx.actor }, trx)
  )
  const day = localDay(new Date())
  ctx.response.header('Content-Type', 'text/csv; charset=utf-8')
  ctx.response.header('Content-Disposition', `attachment; filename="${list}-${day}.csv"`)
  const csv = stringify({
    cast: { boolean: String, date: localMoment },

    bom: true,
    delimiter: ';',
    header: true,
    columns: Object.keys(given.columns),
    escape_formulas: true,
  })
  // A query that fails midway cuts the response short, so that the browser reports a failed download.
  pipeline(Readable.from(linesOf(given, languageOf(ctx))), csv).catch((error: unknown) => {
    if (isAbandoned(error, ctx)) return
    ctx.logger.error({ err: error, list }, 'A list could not be exported to its end')
  })
  ctx.response.stream(csv)
}

async function* linesOf<Row, Given extends Filters, Name extends string>(
  { filters, page, size = PAGE, columns, headings, totals }: Export<Row, Given, Name>,
  language: Language
) {
  const names = Object.keys(columns) as Name[]
  const sums = new Map<Name, number>()
  const read = (before: string | null): Promise<Page<Row>> => page({ ...filters, before }, size)
  // Nothing is sent before the first query has succeeded.
  let current = await read(null)
  yield names.map((name) => headings[language][name])
  for (;;) {
    for (const row of current.rows) {
      yield names.map((name) => columns[name](row))
      for (const name of totals?.of ?? [])
        sums.set(name, (sums.get(name) ?? 0) + Number(columns[name](row)))
    }
    if (current.older === null) break
    current = await read(current.older)
  }
  if (totals && sums.size > 0)
    yield names.map((name) => (name === totals.label ? TOTAL[language] : sums.get(name)))
}
