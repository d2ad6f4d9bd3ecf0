import { Archive } from '#workbooks/writing/archive'
import {
  closingBalance,
  fileCount,
  documentFooter,
  documentHeader,
  documentNumber,
  documentTitle,
  type Document,
} from '#workbooks/document/document'
import type { WorkbookScope, ScopeInput } from '#workbooks/document/find_scope'
import { writeAct } from '#workbooks/pages/act'
import { writeControl } from '#workbooks/pages/control'
import { writeDictionary } from '#workbooks/pages/dictionary'
import { writeSummary } from '#workbooks/pages/summary'
import { ProofCollector } from '#workbooks/proof/proof'
import { scopeSql } from '#workbooks/sheets/scope_sql'
import {
  rowCells,
  rowInWords,
  rowsSql,
  type DataRow,
  type DataSheet,
} from '#workbooks/sheets/sheet'
import { SheetParts, type PartFigures, type PartsTarget } from '#workbooks/writing/sheet_parts'
import { sheetsOf } from '#workbooks/sheets/all'
import { DataCopies, type CopyFile } from '#workbooks/writing/data_copies'
import { WORDS, type Words } from '#workbooks/words/words'
import { createWorkbook, type Workbook } from '#spreadsheets/workbook'
import { streamRows } from '#shared/stream_rows'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Totals } from '#ledger/movements'
import type { BackgroundThrottle } from '#shared/background_throttle'
import type { Language } from '#shared/languages'

export interface WorkbookProgress {
  sheet: string
  rowsDone: number
  /** Rows of all sheets together. */
  rowsTotal: number
}

export interface WriteWorkbookInput {
  partnerCode: string
  scope: ScopeInput
  /** The file, or how it is named after the moment of its cases and payments. */
  path: string | ((readAt: Date) => string)
  language: Language
  /** Whether CSV and JSONL files of the same rows are written as well. */
  hasDataCopies?: boolean
  /** How many rows of a sheet one file has; 200,000 by default, a million at most. */
  rowsPerSheet?: number
  signal?: AbortSignal
  /** Pauses between rows while partners send requests. */
  throttle?: BackgroundThrottle
  onProgress?: (progress: WorkbookProgress) => void
}

export interface WrittenWorkbook {
  /** The workbook, or an archive when the document needs several files. */
  path: string
  files: number
  partnerId: number
  bytes: number
  /** SHA-256 of the file, which differs with every writing. */
  sha256: string
  /** What both cover: `proof.ts`. */
  fixedDataSha256: string
  changeableDataSha256: string
  rows: Record<string, number>
  totals: Totals
  openingTenge: bigint
  closingTenge: bigint
  dataCopies: CopyFile[]
}

/**
 * Writes a document row by row; a failure leaves no file. Layout of the workbook:
 *   Summary, Movements, Orders, Tickets, Defects, Case calculation, Attempts, Returns, Events, Adjustments,
 *   Register comparison (with a confirmed register), Reconciliation act, Control, Dictionary.
 */
export class WorkbookWriter {
  readonly #words: Words
  readonly #proof: ProofCollector
  readonly #footer: ReturnType<typeof documentFooter>
  readonly #inFirst: PartFigures[] = []
  #rowsDone = 0

  constructor(
    private readonly input: WriteWorkbookInput & { path: string },
    private readonly scope: WorkbookScope,
    private readonly document: Document,
    private readonly trx: TransactionClientContract
  ) {
    this.#words = WORDS[input.language]
    this.#footer = documentFooter(document, this.#words)
    this.#proof = new ProofCollector(document)
  }

  async write(): Promise<WrittenWorkbook> {
    const { document, input } = this
    await using archive = fileCount(document) > 1 ? await Archive.create(input.path) : null
    await using book = this.#createBook(archive?.bookPath ?? input.path)
    await using dataCopies = new DataCopies(input.path, this.#words, input.signal)
    await this.#writeBook(book, dataCopies, archive)
    const files = await this.#finish(book, dataCopies, archive)
    const about = { partnerId: this.scope.partner.id, path: archive?.path ?? input.path }
    return { ...this.#figures(), ...files, ...this.#proof.hashes, ...about }
  }

  async #writeBook(book: Workbook, dataCopies: DataCopies, archive: Archive | null) {
    const [document, words, footer] = [this.document, this.#words, this.#footer]
    this.#proof.setPageHash('summary', await writeSummary(book, document, words, footer))
    for (const sheet of sheetsOf(document)) await this.#writeRows(book, sheet, dataCopies, archive)
    const { language } = this.input
    this.#proof.setPageHash('act', await writeAct(book, document, words, language, footer))
    const facts = { ...this.#proof.hashes, ...this.#proof.seal(language) }
    await writeControl(book, document, words, footer, facts)
    const header = documentHeader(document, words.sheets.dictionary, words)
    await writeDictionary(book, words, { header, footer })
  }

  #createBook(path: string) {
    const { partner, statement } = this.document
    const keywords = [partner.code, statement?.statementSha256.slice(0, 16)]
      .filter(Boolean)
      .join(' ')
    const properties = {
      title: documentTitle(this.document, this.#words),
      keywords,
      subject: `${documentNumber(this.document, this.#words)} · ${partner.name}`,
      creator: this.document.issuer?.legalName ?? this.#words.platform,
    }
    const { signal } = this.input
    return createWorkbook(path, properties, {
      signal,
      onProgress: (progress) => this.#reportProgress(progress),
    })
  }

  /** Adds the rows of the present part to those of finished parts. */
  #reportProgress({ sheet, rows }: { sheet: string; rows: number }) {
    const names = sheetsOf(this.document).map(({ key }) => this.#words.sheets[key])
    if (!names.includes(sheet)) return
    const all = Object.values(this.document.sheets)
    const rowsTotal = all.reduce((sum, { rows: found }) => sum + found, 0)
    this.input.onProgress?.({ sheet, rowsDone: this.#rowsDone + rows, rowsTotal })
  }

  async #writeRows(
    book: Workbook,
    sheet: DataSheet,
    dataCopies: DataCopies,
    archive: Archive | null
  ) {
    await using parts = new SheetParts(book, sheet, this.#target(archive))
    await parts.open()
    const copies = this.input.hasDataCopies ? dataCopies.of(sheet) : []
    const hashes = this.#proof.hashSheet(sheet)
    // A link cannot lead into another file.
    const isWhole = archive === null
    const sql = `${scopeSql(this.scope.statementId !== null)} ${rowsSql(sheet)}`
    for await (const raw of streamRows<DataRow>(sql, this.scope.params, this.trx)) {
      const row = rowInWords(sheet, raw, this.#words)
      hashes.add(row)
      await parts.row(row, rowCells(sheet, row, this.#words, isWhole))
      for (const copy of copies) await copy.write(row)
      const pause = this.input.throttle?.pause()
      if (pause) await pause
    }
    hashes.end()
    this.#inFirst.push(await parts.close())
  }

  #target(archive: Archive | null): PartsTarget {
    return {
      document: this.document,
      words: this.#words,
      footer: this.#footer,
      openBook: (sheet, part) => this.#createBook(archive!.pathOf(sheet.key, part)),
      finishBook: async (book, figures) =>
        archive!.add(archive!.pathOf(figures.key, figures.part), await book.finish(), figures),
      onRows: (rows) => (this.#rowsDone += rows),
    }
  }

  async #finish(book: Workbook, dataCopies: DataCopies, archive: Archive | null) {
    try {
      const files = await dataCopies.finish()
      const written = await book.finish()
      if (!archive) return { ...written, dataCopies: files }
      for (const figures of this.#inFirst) archive.add(archive.bookPath, written, figures)
      return { ...(await archive.pack(this.document.asOf, this.input.signal)), dataCopies: files }
    } catch (error) {
      await dataCopies.withdraw()
      throw error
    }
  }

  #figures() {
    const { sheets, totals, openingTenge } = this.document
    const counts = Object.entries(sheets).map(([key, { rows }]) => [key, rows])
    const rows = Object.fromEntries(counts) as Record<string, number>
    const files = fileCount(this.document)
    return { files, rows, totals, openingTenge, closingTenge: closingBalance(this.document) }
  }
}
