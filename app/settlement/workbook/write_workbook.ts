import RefreshDefects from '#settlement/actions/refresh_defects'
import type { Totals } from '#settlement/movements'
import { closingOf, footerOf, titleOf, type Document } from '#settlement/workbook/document'
import { findScope, type ScopeInput, type WorkbookScope } from '#settlement/workbook/find_scope'
import { writeAct } from '#settlement/workbook/pages/act'
import { writeControl } from '#settlement/workbook/pages/control'
import { writeDictionary } from '#settlement/workbook/pages/dictionary'
import { writeSummary } from '#settlement/workbook/pages/summary'
import { readDocument } from '#settlement/workbook/read_document'
import { scopeSql } from '#settlement/workbook/scope_sql'
import { specOf, type DataRow, type DataSheet } from '#settlement/workbook/sheet'
import { DATA_SHEETS } from '#settlement/workbook/sheets/all'
import { dataOf, Twins, type TwinFile } from '#settlement/workbook/twins'
import { WORDS, type Language, type Words } from '#settlement/workbook/words/words'
import { DataHash } from '#spreadsheets/canonical'
import { createWorkbook, type Workbook } from '#spreadsheets/workbook'
import { takeTime } from '#shared/patience'
import { Refusal } from '#shared/refusals'
import { streamRows } from '#shared/stream_rows'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface WorkbookProgress {
  sheet: string
  rowsDone: number
  /** Of all sheets together. */
  rowsTotal: number
}

export interface WriteWorkbookInput {
  partnerCode: string
  scope: ScopeInput
  path: string
  language: Language
  /** Files of lines beside the book, of the same rows. */
  hasTwins?: boolean
  signal?: AbortSignal
  onProgress?: (progress: WorkbookProgress) => void
}

export interface WrittenWorkbook {
  path: string
  partnerId: number
  bytes: number
  /** Of the file; no two writings are alike. */
  sha256: string
  /** Of what the file says; the same data give the same, in any language. */
  dataSha256: string
  rows: Record<string, number>
  totals: Totals
  openingTenge: bigint
  closingTenge: bigint
  twins: TwinFile[]
}

/**
 * Writes the settlement workbook of a statement or of a range, all out of one snapshot and row by row; nothing is left
 * behind when it fails or is aborted. Defects are judged anew first. Refuses NO_SUCH, and more rows than a sheet holds.
 */
export async function writeSettlementWorkbook(input: WriteWorkbookInput): Promise<WrittenWorkbook> {
  const scope = await findScope(input.partnerCode, input.scope, input.language)
  input.signal?.throwIfAborted()
  const { partner, from, to } = scope
  await new RefreshDefects().handle({ partnerId: partner.id, from, to }).catch(unlessRunning)
  return transaction(async (trx) => {
    await trx.rawQuery('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    await takeTime(trx)
    const document = await readDocument(scope, trx, input.signal)
    return new WorkbookWriter(input, scope, document, trx).write()
  })
}

/** Somebody has them judged this very moment: what stands there is as new. */
export function unlessRunning(error: unknown) {
  if (!(error instanceof Refusal) || error.refusalCode !== 'CHECK_IS_RUNNING') throw error
}

class WorkbookWriter {
  readonly #words: Words
  readonly #hash = new DataHash()
  readonly #footer: ReturnType<typeof footerOf>

  constructor(
    private readonly input: WriteWorkbookInput,
    private readonly scope: WorkbookScope,
    private readonly document: Document,
    private readonly trx: TransactionClientContract
  ) {
    this.#words = WORDS[input.language]
    this.#footer = footerOf(document, this.#words)
  }

  async write(): Promise<WrittenWorkbook> {
    const { document, input } = this
    await using book = this.#createBook()
    await using twins = new Twins(input.path, this.#words, input.signal)
    this.#hash.add(this.#head())
    await writeSummary(book, document, this.#words, this.#footer)
    for (const sheet of DATA_SHEETS) await this.#writeRows(book, sheet, twins)
    const dataSha256 = this.#hash.sha256
    await writeAct(book, document, this.#words, this.#footer)
    await writeControl(book, document, this.#words, { footer: this.#footer, dataSha256 })
    await writeDictionary(book, this.#words, this.#footer)
    const files = await this.#finish(book, twins)
    const partnerId = this.scope.partner.id
    return { ...this.#figures(), ...files, dataSha256, path: input.path, partnerId }
  }

  #createBook() {
    const { signal, path, onProgress } = this.input
    const { sheets } = this.document
    const counts = DATA_SHEETS.map(
      ({ key }) => [this.#words.sheets[key], sheets[key].rows] as const
    )
    const rowsTotal = counts.reduce((sum, [, rows]) => sum + rows, 0)
    const tell = ({ sheet, rows }: { sheet: string; rows: number }) => {
      const at = counts.findIndex(([name]) => name === sheet)
      if (at === -1) return
      const before = counts.slice(0, at).reduce((sum, [, found]) => sum + found, 0)
      onProgress?.({ sheet, rowsDone: before + rows, rowsTotal })
    }
    const title = titleOf(this.document, this.#words)
    const subject = this.document.partner.name
    const properties = { title, subject, creator: this.#words.platform }
    return createWorkbook(path, properties, { signal, onProgress: tell })
  }

  /** What the rows are about, so that it cannot be changed unseen either. */
  #head() {
    const { partner, statement, from, to, openingTenge, terms } = this.document
    return {
      ...{ partner: partner.code, number: statement?.number ?? null, from, to },
      ...{ opening: openingTenge, closing: closingOf(this.document), terms: terms.id },
    }
  }

  async #writeRows(book: Workbook, sheet: DataSheet, twins: Twins) {
    const target = await book.sheet(specOf(sheet, this.#words, this.#footer))
    const beside = this.input.hasTwins ? twins.of(sheet) : []
    this.#hash.add({ sheet: sheet.key })
    const sql = `${scopeSql(this.scope.statementId !== null)} SELECT * FROM (${sheet.sql}) all_rows ORDER BY ${sheet.order}`
    for await (const raw of streamRows<DataRow>(sql, this.scope.parameters, this.trx)) {
      const row = sheet.say?.(raw, this.#words) ?? raw
      this.#hash.add(dataOf(sheet, row))
      await target.row(sheet.columns.map(({ key }) => row[key]))
      for (const twin of beside) await twin.write(row)
    }
    await target.close()
  }

  async #finish(book: Workbook, twins: Twins) {
    try {
      const files = await twins.finish()
      return { ...(await book.finish()), twins: files }
    } catch (error) {
      await twins.withdraw()
      throw error
    }
  }

  #figures() {
    const { sheets, totals, openingTenge } = this.document
    const rows = Object.fromEntries(DATA_SHEETS.map(({ key }) => [key, sheets[key].rows]))
    return { rows, totals, openingTenge, closingTenge: closingOf(this.document) }
  }
}
