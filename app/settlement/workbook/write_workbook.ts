import platform from '#config/platform'
import RefreshDefects from '#settlement/actions/refresh_defects'
import type { Totals } from '#settlement/movements'
import {
  closingOf,
  footerOf,
  numberOf,
  titleOf,
  WORKBOOK_VERSION,
  type Document,
} from '#settlement/workbook/document'
import { findScope, type ScopeInput, type WorkbookScope } from '#settlement/workbook/find_scope'
import { writeAct } from '#settlement/workbook/pages/act'
import { writeControl } from '#settlement/workbook/pages/control'
import { writeDictionary } from '#settlement/workbook/pages/dictionary'
import { writeSummary } from '#settlement/workbook/pages/summary'
import { readDocument } from '#settlement/workbook/read_document'
import { scopeSql } from '#settlement/workbook/scope_sql'
import { passportLine, sealOf } from '#settlement/workbook/passport'
import {
  cellsOf,
  solidColumns,
  specOf,
  type DataRow,
  type DataSheet,
} from '#settlement/workbook/sheet'
import { rowSum, SheetSum } from '#settlement/workbook/sheet_sum'
import { DATA_SHEETS } from '#settlement/workbook/sheets/all'
import { partsOf, Twins, type TwinFile } from '#settlement/workbook/twins'
import { WORDS, type Language, type Words } from '#settlement/workbook/words/words'
import { DataHash } from '#spreadsheets/canonical'
import { shownValue } from '#spreadsheets/shown_value'
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
  /** Of what has moved; the same data give the same in any language, and an issued statement for ever. */
  dataSha256: string
  /** Of how it is judged: defects, their cases and the confirms that prove them. */
  defectsSha256: string
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
function unlessRunning(error: unknown) {
  if (!(error instanceof Refusal) || error.refusalCode !== 'CHECK_IS_RUNNING') throw error
}

class WorkbookWriter {
  readonly #words: Words
  readonly #hash = new DataHash()
  readonly #defectsHash = new DataHash()
  readonly #sums: Record<string, string> = {}
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
    this.#sums.summary = await writeSummary(book, document, this.#words, this.#footer)
    for (const sheet of DATA_SHEETS) await this.#writeRows(book, sheet, twins)
    const hashes = { dataSha256: this.#hash.sha256, defectsSha256: this.#defectsHash.sha256 }
    this.#sums.act = await writeAct(book, document, this.#words, this.#footer)
    const proof = { ...hashes, ...this.#proof(hashes), footer: this.#footer }
    await writeControl(book, document, this.#words, proof)
    await writeDictionary(book, this.#words, this.#footer)
    const files = await this.#finish(book, twins)
    const partnerId = this.scope.partner.id
    return { ...this.#figures(), ...files, ...hashes, path: input.path, partnerId }
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
    const { partner, statement } = this.document
    const subject = [numberOf(this.document, this.#words), partner.name].join(' · ')
    const keywords = [partner.code, statement?.sha256.slice(0, 16)].filter(Boolean).join(' ')
    const creator = platform.legalName ?? this.#words.platform
    const properties = { title, subject, creator, keywords }
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
    const limits = { refundDays: this.document.terms.refundEvidenceDays }
    const target = await book.sheet(specOf(sheet, this.#words, this.#footer, limits))
    const beside = this.input.hasTwins ? twins.of(sheet) : []
    for (const hash of [this.#hash, this.#defectsHash]) hash.add({ sheet: sheet.key })
    const sum = new SheetSum()
    const sql = `${scopeSql(this.scope.statementId !== null)} SELECT * FROM (${sheet.sql}) all_rows ORDER BY ${sheet.order}`
    for await (const raw of streamRows<DataRow>(sql, this.scope.parameters, this.trx)) {
      const row = sheet.say?.(raw, this.#words) ?? raw
      const { frozen, mutable } = partsOf(sheet, row)
      if (frozen) this.#hash.add(frozen)
      if (mutable) this.#defectsHash.add(mutable)
      await target.row(cellsOf(sheet, row, this.#words))
      sum.add(rowSum(shownCells(sheet, row)))
      for (const twin of beside) await twin.write(row)
    }
    this.#sums[sheet.key] = sum.hex
    await target.close()
  }

  /** What the book can be checked by when it comes back. */
  #proof(hashes: { dataSha256: string; defectsSha256: string }) {
    const { partner, statement, from, to, asOf } = this.document
    const passport = passportLine({
      ...{ version: WORKBOOK_VERSION, language: this.input.language, partner: partner.code },
      ...{ statementId: statement?.id ?? null, from, to, asOf, ...hashes },
    })
    return { passport, seal: sealOf(passport, this.#sums) }
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

/** A row as its reader sees it, without what the partner fills in. */
const shownCells = (sheet: DataSheet, row: DataRow) =>
  solidColumns(sheet)
    .filter(({ isAnswer }) => !isAnswer)
    .map(({ key, kind }) => shownValue(row[key], kind))
