import { declaredIn, type DeclaredTotals } from '#register_reading/declared_totals'
import { normaliseHeader, type RegisterField } from '#register_reading/header_words'
import { cellText, isBlank } from '#spreadsheets/cell_text'
import type { RawCell, RawRow } from '#spreadsheets/read_table'
import type { RowReading } from '#register_reading/row_reading'
import { readAmount } from '#register_reading/read_amount'
import { readMoment } from '#spreadsheets/read_moment'

/**
 * Separates payments from titles, subtotals, totals and signatures, row by row. A row that may be part of the footer is kept
 * until the next payment or the end of the file decides. Totals have a word for it, or the sum of the rows above them and neither
 * a moment nor an identifier. At the end, a row with an identifier or a figure is a payment, unless it declares a total in words
 * or totals stand above it.
 *
 * Example, with the header on line 1:
 *   2 | P-101 | 2026-09-30 14:05 | 10 000     payment
 *   3 | Total |                  | 10 000     subtotal, as a payment follows
 *   4 | P-102 | 2026-09-30 14:20 | 25 000     payment
 *   5 |       |                  |            blank
 *   6 | Total | 2                | 35 000     footer: declares 2 rows and 35 000 ₸
 *   7 | Director: A. Akhmetov                 footer
 */

/** field → its column, from 0. */
export type ColumnMapping = Partial<Record<RegisterField, number>>

export interface TableShape {
  /** Line of the header; 0 when the file has none. */
  headerLine: number
  headers: readonly string[]
  mapping: ColumnMapping
  /** How the source writes its rows. */
  reading?: RowReading
}

/** Counts of rows that are no payments; with the payments they are all rows of the file. */
export interface SkippedRows {
  above: number
  blank: number
  repeatedHeaders: number
  subtotals: number
  footer: number
}

/** A row that was taken for a total or a part of the footer, with its line in the part. */
export interface SkippedText {
  line: number
  text: string
}

/** The file's own totals, and the rows at its end that are payments after all. */
export interface EndOfTable {
  declared: DeclaredTotals
  payments: RawRow[]
}

interface DoubtfulRow {
  row: RawRow
  isTotals: boolean
}

const TOTALS =
  /^(итого|итог|всего|общ(ая|ий) (сумма|итог)|grand total|totals?|sum total|барлығы|жиыны|жалпы|қорытынды)(?![\p{L}\p{N}_-])/iu
/** What stands below payments without totals: what is kept back, and what is passed on. */
const BELOW_PAYMENTS =
  /^(к (перечислению|выплате|оплате|возврату)|комиссия|вознаграждение|удержан[оаы]|ндс|сальдо|остаток|fee|commission|vat|payable|net payout|аударуға|төлеуге|сыйақы|ққс)(?![\p{L}\p{N}_-])/iu
/** A name under an identifier's header; a total may have a count there, which is shorter. */
const IS_NAME = /\p{L}|-|\d{6}/u
/** Skipped texts that are shown. */
export const MOST_TEXTS = 20
const LONGEST_TEXT = 200
const IDS = ['partnerOrderId', 'orderId', 'paymentId', 'ticketNumber'] as const

/** Takes the rows of a register one by one and returns its payments. */
export class RegisterTable {
  readonly skipped: SkippedRows = {
    above: 0,
    blank: 0,
    repeatedHeaders: 0,
    subtotals: 0,
    footer: 0,
  }
  /** The first subtotals and rows of the footer. */
  readonly skippedTexts: SkippedText[] = []
  firstLine: number | null = null
  lastLine: number | null = null
  /** Rows of a footer, or payments without a readable value: the following rows decide. */
  #doubtful: DoubtfulRow[] = []
  readonly #header: string[]
  /** Amounts of the payments so far, as they are written, and of the positive ones alone. */
  readonly #sums = { all: 0n, positive: 0n }
  #payments = 0
  /** Forms of identifiers of several words: `заказ #`. */
  readonly #forms = new Set<string>()

  constructor(readonly shape: TableShape) {
    this.#header = shape.headers.map(normaliseHeader)
  }

  /** Returns rows that are now known to be payments: none, this one, or doubtful ones before it as well. */
  take(row: RawRow): RawRow[] {
    const kind = this.#kindOf(row)
    if (kind === 'totals' || kind === 'doubtful') {
      this.#doubtful.push({ row, isTotals: kind === 'totals' })
    } else if (kind !== 'data') {
      this.skipped[kind]++
    }
    return kind === 'data' ? this.#data(row) : []
  }

  /** Ends the file: doubtful rows that cannot be payments are the footer. */
  end(): EndOfTable {
    const footer: DoubtfulRow[] = []
    const payments: RawRow[] = []
    let isBelowTotals = false
    for (const held of this.#doubtful) {
      const { row, isTotals } = held
      const isPayment = isBelowTotals
        ? this.#hasIdAndAmount(row)
        : this.#mayBePayment(row) && !this.#isBelowPayments(row)
      if (isTotals || !isPayment) footer.push(held)
      else payments.push(row)
      isBelowTotals ||= isTotals
    }
    this.#skip('footer', footer)
    this.#doubtful = []
    this.#add(payments)
    const { mapping } = this.shape
    const declared = declaredIn(footer, [mapping.amount, mapping.fee, mapping.returned])
    return { declared, payments }
  }

  #data(row: RawRow): RawRow[] {
    const [totals, before] = [true, false].map((is) =>
      this.#doubtful.filter(({ isTotals }) => isTotals === is)
    )
    this.#skip('subtotals', totals)
    this.#doubtful = []
    const payments = [...before.map((held) => held.row), row]
    this.#add(payments)
    return payments
  }

  #skip(kind: 'subtotals' | 'footer', rows: readonly DoubtfulRow[]) {
    this.skipped[kind] += rows.length
    for (const { row } of rows.slice(0, MOST_TEXTS - this.skippedTexts.length)) {
      const text = row.cells.map(cellText).filter(Boolean).join(' | ').slice(0, LONGEST_TEXT)
      this.skippedTexts.push({ line: row.line, text })
    }
  }

  #add(payments: readonly RawRow[]) {
    for (const payment of payments) {
      this.firstLine ??= payment.line
      this.lastLine = payment.line
      this.#payments++
      this.#addAmount(payment)
      for (const { text } of this.#ids(payment.cells))
        if (text.includes(' ')) this.#forms.add(formOf(text))
    }
  }

  #addAmount({ cells }: RawRow) {
    const amount = this.#amount(cells) ?? 0n
    this.#sums.all += amount
    if (amount > 0n) this.#sums.positive += amount
  }

  #kindOf(row: RawRow): keyof SkippedRows | 'totals' | 'doubtful' | 'data' {
    if (row.line <= this.shape.headerLine) return 'above'
    if (row.cells.every(isBlank)) return 'blank'
    if (this.#isHeaderAgain(row.cells)) return 'repeatedHeaders'
    if (this.#isTotals(row.cells) || this.#isSumOfRowsAbove(row.cells)) return 'totals'
    return this.#isPayment(row.cells) || this.#isFirstPayment(row) ? 'data' : 'doubtful'
  }

  /** A footer comes after payments, or after totals where there are none. */
  #isFirstPayment(row: RawRow) {
    if (this.#payments > 0 || !this.#mayBePayment(row)) return false
    return !this.#doubtful.some(({ isTotals }) => isTotals)
  }

  /** The header repeated on a printed page, or a line under it that numbers the columns. */
  #isHeaderAgain(cells: readonly RawCell[]) {
    const [header] = this.#header
    const isAgain =
      header !== undefined && this.#header.every((text, column) => isText(cells[column], text))
    if (isAgain || this.firstLine !== null) return isAgain
    const filled = cells.filter((cell) => !isBlank(cell)).map(cellText)
    return filled.length > 2 && filled.every((text, i) => text === String(i + 1))
  }

  #isTotals(cells: readonly RawCell[]) {
    const at = cells.findIndex((cell) => typeof cell === 'string' && TOTALS.test(cellText(cell)))
    if (at === -1) return false
    // An event's title may begin like a total; but a total has neither a moment nor an identifier.
    const isNamed = this.#ids(cells).some(({ column, text }) => column !== at && IS_NAME.test(text))
    return !isNamed && !this.#hasMoment(cells)
  }

  #isSumOfRowsAbove(cells: readonly RawCell[]) {
    const amount = this.#amount(cells)
    const { all, positive } = this.#sums
    if (amount === null || this.#payments === 0) return false
    if (amount !== all && amount !== positive) return false
    const isNumbersOnly = cells.every((cell) => isBlank(cell) || readAmount(cell).isRead)
    // Under the header of an identifier, a total may only have the count of the payments above it.
    const count = String(this.#payments)
    const isNamed = this.#ids(cells).some(({ text }) => text !== count)
    return isNumbersOnly && !isNamed && !this.#hasMoment(cells)
  }

  #isPayment(cells: readonly RawCell[]) {
    const filled = cells.filter((cell) => !isBlank(cell)).length
    const hasId = this.#ids(cells).some(({ text }) => this.#isName(text))
    const hasValue = this.#amount(cells) !== null || this.#hasMoment(cells)
    if (filled > 2 ? hasId || hasValue : hasId && hasValue) return true
    return this.#hasFigure(cells) && (this.#hasMoment(cells) || !this.#hasSentence(cells))
  }

  /** One word, or several that earlier payments have but for their digits: «Заказ 105», «Заказ 106». */
  #isName(text: string) {
    return !text.includes(' ') || (/\d/.test(text) && this.#forms.has(formOf(text)))
  }

  /** Of rows that no totals stand above. */
  #mayBePayment(row: RawRow) {
    const { count, sumTenge } = declaredIn([{ row, isTotals: false }], [])
    const isDeclaration = count !== null || sumTenge !== null
    return !isDeclaration && (this.#hasFigure(row.cells) || this.#hasIdWithDigit(row.cells))
  }

  /** A sum in words, without a moment or an identifier: what the payments above come to, a fee, or what is passed on. */
  #isBelowPayments({ cells }: RawRow) {
    if (this.#hasMoment(cells) || this.#hasIdWithDigit(cells)) return false
    const texts = cells.filter((cell) => typeof cell === 'string').map(cellText)
    const amount = this.#amount(cells)
    const isOfAll = amount === this.#sums.all || amount === this.#sums.positive
    return isOfAll || texts.some((text) => BELOW_PAYMENTS.test(text))
  }

  /** Below totals, fees and sums to be transferred have figures, too: these rows need an identifier. */
  #hasIdAndAmount({ cells }: RawRow) {
    const { amount } = this.shape.mapping
    return amount !== undefined && !isBlank(cells[amount]) && this.#hasIdWithDigit(cells)
  }

  #hasIdWithDigit(cells: readonly RawCell[]) {
    return this.#ids(cells).some(({ text }) => /\d/.test(text) && this.#isName(text))
  }

  /** Whether there is something like an amount, readable or not. */
  #hasFigure(cells: readonly RawCell[]) {
    const { amount } = this.shape.mapping
    return amount !== undefined && /\d/.test(cellText(cells[amount]))
  }

  /** A text where a payment has none, such as «Сумма к перечислению» (to be transferred). */
  #hasSentence(cells: readonly RawCell[]) {
    const { kind, outcome, amount, currency } = this.shape.mapping
    const ofPayments = [kind, outcome, amount, currency]
    return cells.some(
      (cell, column) =>
        typeof cell === 'string' && /\p{L}/u.test(cell) && !ofPayments.includes(column)
    )
  }

  #amount(cells: readonly RawCell[]): bigint | null {
    const { amount } = this.shape.mapping
    const read = amount === undefined ? null : readAmount(cells[amount])
    return read?.isRead ? read.value : null
  }

  #hasMoment(cells: readonly RawCell[]) {
    const { paidAt, createdAt } = this.shape.mapping
    return [paidAt, createdAt].some(
      (column) => column !== undefined && readMoment(cells[column]).isRead
    )
  }

  #ids(cells: readonly RawCell[]) {
    return IDS.flatMap((field) => {
      const column = this.shape.mapping[field]
      const text = column === undefined ? '' : cellText(cells[column])
      return column === undefined || text === '' ? [] : [{ column, text }]
    })
  }
}

const formOf = (name: string) => name.replace(/\d+/g, '#').toLowerCase()

const isText = (cell: RawCell | undefined, header: string) =>
  normaliseHeader(cellText(cell)) === header
