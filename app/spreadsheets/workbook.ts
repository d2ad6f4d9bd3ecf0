import {
  UnwritableWorkbook,
  type SheetSpec,
  type WorkbookProperties,
} from '#spreadsheets/sheet_spec'
import { AtomicOutput, type WrittenFile } from '#spreadsheets/writing/atomic_output'
import { openBook, type ExcelBook } from '#spreadsheets/writing/exceljs_parts'
import {
  assertColumns,
  assertDefinedName,
  assertRange,
  assertSheetName,
} from '#spreadsheets/writing/guards'
import { Lifeline } from '#spreadsheets/writing/lifeline'
import { OpenSheet, type Progress } from '#spreadsheets/writing/open_sheet'
import { absoluteRange, columnRange } from '#spreadsheets/writing/sheet_extras'
import { SheetRows } from '#spreadsheets/writing/sheet_rows'
import { Styles } from '#spreadsheets/writing/styles'

export * from '#spreadsheets/sheet_spec'
export { minColumnWidth } from '#spreadsheets/writing/lines'
export type { WrittenFile } from '#spreadsheets/writing/atomic_output'
export type { OpenSheet, Progress } from '#spreadsheets/writing/open_sheet'
export type { RowCells } from '#spreadsheets/writing/sheet_rows'

export interface WorkbookOptions {
  /** Stops the work at once; the pending call rejects with its reason and nothing stays behind. */
  signal?: AbortSignal
  /** Every 2,000 rows or half a second, and when a sheet is closed. */
  onProgress?: (progress: Progress) => void
}

/**
 * Begins an .xlsx that is written row by row in flat memory and appears at `path` only when it is finished.
 * `await using` abandons it when it was not.
 */
export function createWorkbook(
  path: string,
  properties: WorkbookProperties,
  options: WorkbookOptions = {}
): Workbook {
  return new Workbook(new AtomicOutput(path), properties, options)
}

/** A workbook being written. After any error it is abandoned: every later call rejects with the first error. */
export class Workbook implements AsyncDisposable {
  readonly #book: ExcelBook
  readonly #styles: Styles
  readonly #lifeline: Lifeline
  readonly #sheets: OpenSheet[] = []

  constructor(
    private readonly output: AtomicOutput,
    properties: WorkbookProperties,
    private readonly options: WorkbookOptions
  ) {
    this.#book = openBook(output.stream, properties)
    this.#styles = new Styles(this.#book)
    this.#lifeline = new Lifeline(() => this.#cleanUp(), options.signal)
    this.#book.zip.on('error', (error) => void this.#lifeline.fail(error))
    output.written.catch((error: unknown) => this.#lifeline.fail(error))
  }

  /** Opens the next sheet; the one before must be closed. */
  async sheet(spec: SheetSpec): Promise<OpenSheet> {
    return this.#lifeline.hold(() => {
      this.#assertClosed()
      assertSheetName(
        spec.name,
        this.#sheets.map(({ name }) => name)
      )
      assertColumns(spec.name, spec.columns)
      const sheet = new OpenSheet(
        spec.name,
        new SheetRows(this.#book, spec, this.#styles),
        this.#lifeline,
        { onProgress: this.options.onProgress, onClosed: () => this.#nameColumns(spec, sheet) }
      )
      this.#sheets.push(sheet)
      return sheet
    })
  }

  /** Gives a range of a sheet a name for formulas. */
  defineName(name: string, sheet: string, range: string) {
    assertDefinedName(
      name,
      this.#book._definedNames.model.map((known) => known.name)
    )
    assertRange(range)
    this.#book._definedNames.model.push({ name, ranges: [absoluteRange(sheet, range)] })
  }

  /** Moves the file to its place. Returns its size and SHA-256. */
  async finish(): Promise<WrittenFile> {
    await this.#lifeline.hold(async () => {
      this.#assertClosed()
      if (this.#sheets.length === 0) throw new UnwritableWorkbook('A workbook needs a sheet')
      await this.#book.commit()
      await this.output.written
    })
    this.#lifeline.done()
    return this.output.keep()
  }

  /** Abandons the workbook and removes the file. */
  async abort(): Promise<void> {
    await this.#lifeline.fail(new UnwritableWorkbook('The workbook was abandoned'))
  }

  async [Symbol.asyncDispose]() {
    await this.abort()
  }

  #assertClosed() {
    const open = this.#sheets.find(({ isClosed }) => !isClosed)
    if (open) throw new UnwritableWorkbook(`«${open.name}» is still open`)
  }

  #nameColumns({ name: sheet, columns }: SheetSpec, { dataRows }: OpenSheet) {
    for (const [index, { definedName }] of columns.entries()) {
      if (definedName) this.defineName(definedName, sheet, columnRange(index, dataRows))
    }
  }

  async #cleanUp() {
    this.#book.zip.abort()
    await this.output.discard()
  }
}
