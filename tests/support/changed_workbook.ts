import { partsOf } from '#tests/support/parts_of'
import { zipOf } from '#tests/support/zip_file'
import { writeFile } from 'node:fs/promises'

export type SheetRow = { number: number; xml: string }

/** Copies a workbook with the rows of one sheet changed by hand; rows are renumbered. */
export async function changeRows(
  path: string,
  to: string,
  /** From 1, in the order of the book. */
  sheet: number,
  change: (rows: string[]) => string[]
) {
  const parts = await partsOf(path)
  const name = `xl/worksheets/sheet${sheet}.xml`
  const xml = parts.get(name)!
  const [start, end] = [
    xml.indexOf('<sheetData>') + '<sheetData>'.length,
    xml.indexOf('</sheetData>'),
  ]
  const rows = xml.slice(start, end).match(/<row .*?<\/row>/gs) ?? []
  const numbered = change([...rows]).map((row, index) => placedAt(row, index + 1))
  parts.set(name, xml.slice(0, start) + numbered.join('') + xml.slice(end))
  await writeFile(to, zipOf([...parts].map(([part, content]) => ({ name: part, content }))))
  return to
}

const placedAt = (row: string, number: number) =>
  row
    .replace(/^<row r="\d+"/, `<row r="${number}"`)
    .replaceAll(/<c r="([A-Z]+)\d+"/g, (_, letters: string) => `<c r="${letters}${number}"`)
