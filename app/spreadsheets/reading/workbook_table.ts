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

/** The sheets of an .xlsx, which share strings and styles: those are read once, rows on demand. */
export class Workbook {
  #context?: ReturnType<typeof contextOf>

  private constructor(
    private readonly pack: Package,
    private readonly parts: WorkbookParts,
    private readonly limits: TableLimits
  ) {}

  static async open(path: string, limits: TableLimits) {
    const pack = { path, directory: await readZipDirectory(path, limits) }
    return new Workbook(pack, await findParts(pack), limits)
  }

  /** The names of the sheets that are not hidden, in their order. */
  get sheets(): string[] {
    return this.parts.sheets.filter(({ isHidden }) => !isHidden).map(({ name }) => name)
  }

  /** One sheet; by default the first that is not hidden. */
  async read(wanted?: string): Promise<TableSource> {
    const sheet = chosen(this.parts, wanted)
    if (!this.pack.directory.has(sheet.part)) throw new UnreadableTable('not_a_workbook')
    this.#context ??= contextOf(this.pack, this.parts)
    const rows = sheetRows(partOf(this.pack, sheet.part), await this.#context, this.limits)
    return { format: 'xlsx', sheet: sheet.name, encoding: null, rows }
  }
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
