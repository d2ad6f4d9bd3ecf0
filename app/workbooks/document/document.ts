import { netMovement, type Totals } from '#ledger/movements'
import type { Issuer } from '#ledger/issuer'
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

/** A sheet's number of rows and the sums of its named columns. */
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

/** Everything about a settlement document but its rows, read in one snapshot before the first row is written. */
export interface Document {
  partner: WorkbookPartner
  /** Null for a draft. */
  statement: SettlementStatement | null
  from: Date
  to: Date
  terms: TermsRow
  /** Our own details on the day of the document; null while nobody has set them. */
  issuer: Issuer | null
  asOf: Date
  /** The rule set in force when the document was written. */
  ruleSetVersion: number
  openingTenge: bigint
  /** Null without an earlier statement. */
  previousClosing: bigint | null
  totals: Totals
  sheets: Record<string, SheetTotals>
  matrix: MatrixRow[]
  pending: Unsettled
  disputed: Unsettled
  late: Unsettled
  /** How many rows of a sheet one file has; further rows go to further files. */
  rowsPerSheet: number
}

/** The list of files within an archive. */
export const MANIFEST = 'manifest.csv'

/** Increases when sheets, columns or what the hashes cover change. */
export const WORKBOOK_VERSION = 3

/** How many files a sheet takes: 450,000 rows at 200,000 per file take 3. */
export const partCount = ({ sheets, rowsPerSheet }: Document, sheet: SheetKey) =>
  Math.max(1, Math.ceil(sheets[sheet].rows / rowsPerSheet))

/** How many files the document takes: the first has every sheet, each further one a part of one sheet. */
export const fileCount = (document: Document) =>
  Object.keys(document.sheets).reduce(
    (files, sheet) => files + partCount(document, sheet as SheetKey) - 1,
    1
  )

/** A total over a sheet's rows: a formula when all rows are in one file, else the value. */
export const formulaOverRows = (document: Document, text: string, value: number | bigint) =>
  fileCount(document) === 1 ? formula(text, value) : value

/** The partner's balance at the end: positive when the partner owes us. */
export const closingBalance = ({ openingTenge, totals }: Document) =>
  openingTenge + netMovement(totals)

/** The sum of a named column of a sheet. */
export const columnSum = ({ sheets }: Document, sheet: SheetKey, name: string) =>
  sheets[sheet].sums[name] ?? 0n

export const documentNumber = ({ statement }: Document, words: Words) =>
  statement ? statementNumber(statement.number) : words.draft

export const documentTitle = (document: Document, words: Words) =>
  document.statement
    ? `${words.title} ${documentNumber(document, words)}`
    : `${words.draft} · ${words.title}`

export function documentFooter(document: Document, words: Words) {
  const hash = document.statement ? ` · ${document.statement.sha256.slice(0, 16)}` : ''
  return {
    left: `${documentNumber(document, words)} · v${WORKBOOK_VERSION}${hash}`,
    right: `${words.page} {page} ${words.of} {pages}`,
  }
}

const dayFirst = (day: string) => day.split('-').reverse().join('.')

/** `№ Д-17 от 15.01.2026`; null without a contract. */
export function contractOf({ terms }: Document, words: Words) {
  if (!terms.contractNumber) return null
  const dated = terms.contractDate ? ` ${words.from} ${dayFirst(terms.contractDate)}` : ''
  return `№ ${terms.contractNumber}${dated}`
}
