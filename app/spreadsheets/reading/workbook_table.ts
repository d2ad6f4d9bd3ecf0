import { readDateStyles } from '#spreadsheets/reading/date_styles'
import { sheetRows } from '#spreadsheets/reading/sheet_rows'
import { readSharedStrings } from '#spreadsheets/reading/strings'
import {
  findParts,
  partOf,
  type Package,
  type WorkbookParts,
} from '#spreadsheets/reading/workbook_parts'
import { readZipDirectory } from '#spreadsheets/reading/zip_archive'
import type { TableLimits, TableSource } from '#spreadsheets/table_source'
import { UnreadableTable } from '#spreadsheets/unreadable_table'

/** Opens one sheet of an .xlsx: shared strings and styles are read now, rows on demand. */
export async function readWorkbook(
  path: string,
  limits: TableLimits,
  wanted?: string
): Promise<TableSource> {
  const pack = { path, directory: await readZipDirectory(path, limits) }
  const parts = await findParts(pack)
  const sheet = chosen(parts, wanted)
  if (!pack.directory.has(sheet.part)) throw new UnreadableTable('not_a_workbook')
  const context = await contextOf(pack, parts)
  const rows = sheetRows(partOf(pack, sheet.part), context, limits)
  return { format: 'xlsx', sheet: sheet.name, encoding: null, rows }
}

/** The names of the sheets that are not hidden, in their order. */
export async function sheetNames(path: string, limits: TableLimits): Promise<string[]> {
  const { sheets } = await findParts({ path, directory: await readZipDirectory(path, limits) })
  return sheets.filter(({ isHidden }) => !isHidden).map(({ name }) => name)
}

async function contextOf(pack: Package, parts: WorkbookParts) {
  return {
    sharedStrings: await readSharedStrings(pack, parts.sharedStrings),
    dateStyles: await readDateStyles(pack, parts.styles),
    countsFrom1904: parts.countsFrom1904,
  }
}

function chosen({ sheets }: WorkbookParts, wanted: string | undefined) {
  const named = sheets.find((sheet) => sheet.name === wanted)
  const first = sheets.find((sheet) => !sheet.isHidden) ?? sheets.at(0)
  const sheet = wanted === undefined ? first : named
  if (!sheet) throw new UnreadableTable(wanted === undefined ? 'empty' : 'no_such_sheet')
  return sheet
}
