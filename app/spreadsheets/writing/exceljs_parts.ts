import type { Readable, Writable } from 'node:stream'
import ExcelJS from 'exceljs'
import type { WorkbookProperties } from '#spreadsheets/sheet_spec'
import { printable } from '#spreadsheets/writing/cell_text'

/** An old stream: it has no `writableNeedDrain`. */
interface ZipStream {
  _writableState: { needDrain: boolean }
  once: (event: 'drain', listener: () => void) => void
}

/** Internals of exceljs 4.4.0 that its types do not declare and a safe use of the streaming writer needs. */
interface SheetInternals {
  name: string
  startedData: boolean
  stream: {
    write: (bytes: Buffer | string) => void
    once: (event: 'zipped', listener: () => void) => void
    pipes: ZipStream[]
  }
  commit: () => void
  sheetProtection: object | null
  autoFilter: string | null
  conditionalFormatting: object[]
  headerFooter: { oddHeader: string | null; oddFooter: string | null }
  pageSetup: { printArea?: string }
  dataValidations: { add: (range: string, validation: object) => void }
  columns: object[]
  _merges: unknown[]
  _writeColumns: () => void
  _writeOpenSheetData: () => void
  _writeAutoFilter: () => void
  _writeMergeCells: () => void
  _writeHyperlinks: () => void
  _writeDataValidations: () => void
  _writeSheetProtection: () => void
  _writeRowBreaks: () => void
}

interface BookInternals {
  title: string
  subject: string | undefined
  keywords: string | undefined
  views: object[]
  zip: { on: (event: 'error', listener: (error: Error) => void) => void; abort: () => void }
  styles: { addStyleModel: (style: object, type: number) => number }
  commit: () => Promise<void>
  addWorksheet: (name: string, options: object) => SheetInternals
  _definedNames: { model: { name: string; ranges: string[] }[] }
}

export type ExcelSheet = SheetInternals
export type ExcelBook = BookInternals

/** Opens a workbook that streams into `stream`. `lastModifiedBy` is set at once, because exceljs defaults to its own name. */
export function openBook(stream: Writable | Readable, properties: WorkbookProperties): ExcelBook {
  const created = properties.created ?? new Date()
  const creator = printable(properties.creator)
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({
    stream: stream as Writable & Readable,
    useStyles: true,
    useSharedStrings: false,
    zip: { zlib: { level: 6 } },
    creator,
    lastModifiedBy: creator,
    created,
  } as Partial<ExcelJS.stream.xlsx.WorkbookWriterOptions>) as unknown as BookInternals
  book.title = printable(properties.title)
  book.subject = printable(properties.subject ?? '') || undefined
  book.keywords = printable(properties.keywords ?? '') || undefined
  book.views = [{ width: 28_000, height: 16_000, firstSheet: 0, activeTab: 0 }]
  // exceljs keeps an object for every cell of a named range; only this list is read in the end.
  book._definedNames = { model: [] }
  return book
}

/**
 * Mends the order of what follows the rows: Excel calls a sheet damaged when protection follows the filter, or links
 * precede conditional formats or validations. Numbers kept as text are not marked as mistakes.
 */
export function harden(sheet: ExcelSheet, ignoredErrors: () => string): ExcelSheet {
  const filter = sheet._writeAutoFilter
  const protection = sheet._writeSheetProtection
  const links = sheet._writeHyperlinks
  const validations = sheet._writeDataValidations
  const breaks = sheet._writeRowBreaks
  sheet._writeAutoFilter = () => {
    protection.call(sheet)
    filter.call(sheet)
  }
  sheet._writeSheetProtection = () => {}
  sheet._writeHyperlinks = () => {}
  sheet._writeDataValidations = () => {
    validations.call(sheet)
    links.call(sheet)
  }
  sheet._writeRowBreaks = () => {
    breaks.call(sheet)
    sheet.stream.write(Buffer.from(ignoredErrors()))
  }
  return sheet
}

/** Begins the rows; from here on they are written by us. */
export function beginRows(sheet: ExcelSheet) {
  sheet._writeColumns()
  sheet._writeOpenSheetData()
  sheet.startedData = true
}

/**
 * Waits until what was written has been packed. exceljs does not: it fills a buffer without bounds, which is why
 * its own stream takes a gigabyte.
 */
export function untilPacked(sheet: ExcelSheet): Promise<void> {
  const packing = sheet.stream.pipes[0]
  return new Promise((done) => {
    if (packing?._writableState.needDrain) packing.once('drain', done)
    else setImmediate(done)
  })
}

/** Ends a sheet. Never settles when the destination has broken: race it. */
export function endSheet(sheet: ExcelSheet): Promise<void> {
  return new Promise((done) => {
    sheet.stream.once('zipped', done)
    sheet.commit()
  })
}
