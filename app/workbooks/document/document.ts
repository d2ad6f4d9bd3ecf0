import type { Exposure } from '#defects/facts/exposure'
import { netMovement, type Totals } from '#ledger/movements'
import type { Period } from '#ledger/periods'
import type { Issuer } from '#ledger/issuer'
import type { SettlementStatement } from '#ledger/queries/find_statement'
import { statementNumber } from '#ledger/statement_status'
import type { TermsRow } from '#ledger/terms'
import type { ColumnKey, DataSheetKey, Words } from '#workbooks/words/words'
import { isMidnight, localDay, localTime } from '#shared/days'
import { formula } from '#spreadsheets/cells'

export interface WorkbookPartner {
  id: number
  code: string
  name: string
}

/** A sheet's number of rows and the sums of its summed columns. */
export interface SheetTotals {
  rows: number
  sums: Partial<Record<ColumnKey, bigint>>
}

/** A code of defects with its cases, its confirm attempts, the money at risk by party, and its open and resolved defects. */
export interface DefectsOfCode extends Exposure {
  code: string
  cases: number
  defects: number
  attempts: number
  open: number
  resolved: number
}

/** The open exposure and the defects of the document's open cases, read from the cases themselves. */
export interface OpenCases extends Exposure {
  defects: number
}

/** What is left of the cases' money, added up by purchase and by case: both are the same. */
export interface CaseSums {
  purchases: bigint
  cases: bigint
}

/** How many there are of something, and their tenge together. */
export interface CountAndSum {
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
  /** Until when movements are in it: for a statement the moment when it was issued. */
  asOf: Date
  /** As of when cases and payments are shown: when the document was read. */
  readAt: Date
  /** The rule set in force when the document was written. */
  ruleSetVersion: number
  openingTenge: bigint
  /** Null without an earlier statement. */
  previousClosing: bigint | null
  totals: Totals
  /** Without the register sheet when no register was confirmed. */
  sheets: Record<Exclude<DataSheetKey, 'register'>, SheetTotals> & { register?: SheetTotals }
  defectsByCode: DefectsOfCode[]
  openCases: OpenCases
  caseSums: CaseSums
  pending: CountAndSum
  disputed: CountAndSum
  late: CountAndSum
  /** How many rows of a sheet one file has; further rows go to further files. */
  rowsPerSheet: number
}

/** The list of files within an archive. */
export const MANIFEST = 'manifest.csv'

/**
 * Increases with a release in which sheets, columns or what the hashes cover have changed. Release 0.2.0 writes format 3; no release
 * has written format 4 so far, so it still changes.
 */
export const WORKBOOK_VERSION = 4

/** How many files a sheet takes: 450,000 rows at 200,000 per file take 3. */
export const partCount = ({ sheets, rowsPerSheet }: Document, sheet: DataSheetKey) =>
  Math.max(1, Math.ceil((sheets[sheet]?.rows ?? 0) / rowsPerSheet))

/** How many files the document takes: the first has every sheet, each further one a part of one sheet. */
export const fileCount = (document: Document) =>
  Object.keys(document.sheets).reduce(
    (files, sheet) => files + partCount(document, sheet as DataSheetKey) - 1,
    1
  )

/** A total over a sheet's rows: a formula when all rows are in one file, else the value. */
export const formulaOverRows = (document: Document, text: string, value: number | bigint) =>
  fileCount(document) === 1 ? formula(text, value) : value

/** The partner's balance at the end: positive when the partner owes us. */
export const closingBalance = ({
  openingTenge,
  totals,
}: Pick<Document, 'openingTenge' | 'totals'>) => openingTenge + netMovement(totals)

/** The sum of a column of a sheet. Throws for a column that is not summed, which would otherwise pass for 0. */
export function columnSum({ sheets }: Document, sheet: DataSheetKey, column: ColumnKey) {
  const sum = sheets[sheet]?.sums[column]
  if (sum === undefined) throw new Error(`The column ${column} of ${sheet} is not summed`)
  return sum
}

export const documentNumber = ({ statement }: Pick<Document, 'statement'>, words: Words) =>
  statement ? statementNumber(statement.number) : words.draft

export const documentTitle = (document: Document, words: Words) =>
  document.statement
    ? `${words.title} ${documentNumber(document, words)}`
    : `${words.draft} · ${words.title}`

export function documentFooter(document: Document, words: Words) {
  const hash = document.statement ? ` · ${document.statement.statementSha256.slice(0, 16)}` : ''
  return {
    left: `${documentNumber(document, words)} · v${WORKBOOK_VERSION}${hash}`,
    right: pageNumbers(words),
  }
}

/** `стр. 1 из 3`, numbered by the program that prints. */
export const pageNumbers = (words: Words) => `${words.page} {page} ${words.of} {pages}`

/** What one part of a printed head may have at most; all parts together have 255 letters. */
const MAX_HEADER_PART = 75

/** The title of every printed page of a data sheet: the sheet, whose document it is, and its period. */
export function documentHeader(document: Document, sheet: string, words: Words) {
  const name = document.terms.legalName ?? document.partner.name
  return {
    left: sheet,
    centre: cut(`${documentTitle(document, words)} · ${name}`),
    right: periodText(document, words),
  }
}

const cut = (text: string) =>
  text.length <= MAX_HEADER_PART ? text : `${text.slice(0, MAX_HEADER_PART - 1)}…`

/**
 * The first and the last day of a period in words, both included; a draft of parts of days has its moments, the last one excluded.
 *
 * Example: [2026-10-31T19:00Z, 2026-11-30T19:00Z) is `1 ноября 2026 г. – 30 ноября 2026 г.`.
 */
export function periodText({ from, to }: Period, words: Words) {
  const areDays = isMidnight(from) && isMidnight(to)
  const last = areDays ? new Date(to.getTime() - 1) : to
  const ends = [from, last].map((at) => {
    const day = longDay(localDay(at), words)
    return areDays ? day : `${day}, ${localTime(at)}`
  })
  return [...new Set(ends)].join(' – ')
}

/** `2026-11-30` → `30 ноября 2026 г.`. */
function longDay(date: string, words: Words) {
  const [year, month, day] = date.split('-')
  return words.longDay(String(Number(day)), words.months[Number(month) - 1], year)
}

/** `2026-11-30` → `30.11.2026`. */
export const dayFirst = (day: string) => day.split('-').reverse().join('.')

/** `№ Д-17 от 15.01.2026`, in Kazakh `15.01.2026 ж. № Д-17`; null without a contract. */
export function contractOf({ terms }: Pick<Document, 'terms'>, words: Words) {
  const { contractNumber, contractDate } = terms
  if (!contractNumber) return null
  return contractDate
    ? words.contractDated(contractNumber, dayFirst(contractDate))
    : `№ ${contractNumber}`
}
