import { DATA_SHEETS } from '#workbooks/sheets/all'
import { WORDS, type SheetKey } from '#workbooks/words/words'
import type { Language } from '#shared/languages'
import { readTable, type RawCell } from '#spreadsheets/read_table'

/** All cells of a sheet of a settlement workbook. */
export async function readSheet(path: string, key: SheetKey, language: Language = 'ru') {
  const { rows: lines } = await readTable(path, {}, { sheet: WORDS[language].sheets[key] })
  const found: RawCell[][] = []
  for await (const { cells } of lines) found.push(cells)
  return found
}

/** Rows by the columns' keys. */
export async function dataIn(path: string, key: SheetKey, language: Language = 'ru') {
  const { columns } = DATA_SHEETS.find((sheet) => sheet.key === key)!
  const [headings, ...lines] = await readSheet(path, key, language)
  const expected = columns.map((column) => WORDS[language].columns[column.key])
  if (String(headings) !== String(expected)) throw new Error(`headings of ${key}: ${headings}`)
  return lines.map((cells) =>
    Object.fromEntries(columns.map((column, index) => [column.key as string, cells[index] ?? null]))
  )
}

/** The first and the last day of a period, both included, as the language of the system has them. */
export function daysInWords({ from, to }: { from: Date; to: Date }, language: Language) {
  const locale = language === 'en' ? 'en-GB' : language
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: '+05:00' })
  return `${days.format(from)} – ${days.format(new Date(to.getTime() - 1))}`
}
