import { netMovement, type Totals } from '#ledger/movements'
import type { SettlementStatement } from '#ledger/queries/find_statement'
import { statementNumber } from '#ledger/statement_status'
import type { TermsRow } from '#ledger/terms'
import type { SheetKey, Words } from '#workbooks/words/words'
import { formula } from '#spreadsheets/cells'

export interface WorkbookPartner {
  id: number
  code: string
  name: string
}

/** How many rows a sheet will have, and the sums of its named columns. */
export interface SheetTotals {
  rows: number
  sums: Record<string, bigint>
}

export interface MatrixRow {
  code: string
  cases: number
  defects: number
  attempts: number
  buyer: bigint
  platform: bigint
  partner: bigint
  open: number
  resolved: number
}

export interface Unsettled {
  count: number
  tenge: bigint
}

/** All that is known of the document before its first row is written, out of one snapshot. */
export interface Document {
  partner: WorkbookPartner
  /** Null for a draft of any range. */
  statement: SettlementStatement | null
  from: Date
  to: Date
  terms: TermsRow
  asOf: Date
  /** The rules in force when it was written. */
  ruleSetVersion: number
  openingTenge: bigint
  /** Null when there is no statement before. */
  previousClosing: bigint | null
  totals: Totals
  sheets: Record<string, SheetTotals>
  matrix: MatrixRow[]
  pending: Unsettled
  disputed: Unsettled
  late: Unsettled
  /** Of which a sheet goes on in another file. */
  rowsPerSheet: number
}

/** Where the files of a document that takes several are listed. */
export const MANIFEST = 'manifest.csv'

/** Grows when the book's sheets or columns change, or which of them it is proved by. */
export const WORKBOOK_VERSION = 3

/** How many files a sheet takes. */
export const partsOfSheet = ({ sheets, rowsPerSheet }: Document, sheet: SheetKey) =>
  Math.max(1, Math.ceil(sheets[sheet].rows / rowsPerSheet))

/** How many the whole takes: the first has a part of every sheet. */
export const filesOf = (document: Document) =>
  Object.keys(document.sheets).reduce(
    (files, sheet) => files + partsOfSheet(document, sheet as SheetKey) - 1,
    1
  )

/** A total over rows of a sheet: Excel calculates it where all of them stand in the same book. */
export const overRows = (document: Document, text: string, value: number | bigint) =>
  filesOf(document) === 1 ? formula(text, value) : value

export const closingOf = ({ openingTenge, totals }: Document) => openingTenge + netMovement(totals)

export const sumIn = ({ sheets }: Document, sheet: SheetKey, name: string) =>
  sheets[sheet].sums[name] ?? 0n

export const numberOf = ({ statement }: Document, words: Words) =>
  statement ? statementNumber(statement.number) : words.draft

export const titleOf = (document: Document, words: Words) =>
  document.statement
    ? `${words.title} ${numberOf(document, words)}`
    : `${words.draft} · ${words.title}`

export function footerOf(document: Document, words: Words) {
  const hash = document.statement ? ` · ${document.statement.sha256.slice(0, 16)}` : ''
  return {
    left: `${numberOf(document, words)} · v${WORKBOOK_VERSION}${hash}`,
    right: `${words.page} {page} ${words.of} {pages}`,
  }
}

const dayFirst = (day: string) => day.split('-').reverse().join('.')

/** `№ Д-17 от 15.01.2026`; empty while there is no contract. */
export function contractOf({ terms }: Document, words: Words) {
  if (!terms.contractNumber) return null
  const dated = terms.contractDate ? ` ${words.from} ${dayFirst(terms.contractDate)}` : ''
  return `№ ${terms.contractNumber}${dated}`
}
