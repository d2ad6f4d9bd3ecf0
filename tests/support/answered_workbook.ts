import { defects } from '#workbooks/sheets/defects'
import { columnLetters } from '#spreadsheets/cells'
import { changeRows } from '#tests/support/changed_workbook'

/** Where the sheet of defects stands in the book. */
export const DEFECTS = 5
export const letterOf = (key: string) =>
  columnLetters(defects.columns.findIndex((column) => column.key === key) + 1)

/** Writes into a row as a spreadsheet would: text, or a day as its number. */
export function filled(row: string, values: Record<string, string | number>) {
  let xml = row
  for (const [key, value] of Object.entries(values)) {
    const cell = new RegExp(`<c r="${letterOf(key)}(\\d+)" s="(\\d+)"(?:/>|.*?</c>)`)
    xml = xml.replace(cell, (_, line: string, style: string) => {
      const start = `<c r="${letterOf(key)}${line}" s="${style}"`
      return typeof value === 'number'
        ? `${start}><v>${value}</v></c>`
        : `${start} t="inlineStr"><is><t>${value}</t></is></c>`
    })
  }
  return xml
}

/** Copies a workbook with answers to defects of some codes, its rows in another order. */
export const answerRows = (
  path: string,
  to: string,
  values: Record<string, Record<string, string | number>>
) =>
  changeRows(path, to, DEFECTS, ([head, ...lines]) => [
    head,
    ...lines.toReversed().map((line) => {
      const code = Object.keys(values).find((known) => line.includes(`>${known}<`))
      return code ? filled(line, values[code]) : line
    }),
  ])
