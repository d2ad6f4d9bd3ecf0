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
 * a moment nor an identifier.
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

const TOTALS =
  /^(итого|итог|всего|общ(ая|ий) (сумма|итог)|grand total|totals?|sum total|барлығы|жиыны|жалпы|қорытынды)(?![\p{L}\p{N}_-])/iu
/** A name under an identifier's header; a total may have a count there, which is shorter. */
const IS_NAME = /\p{L}|-|\d{6}/u
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
  firstLine: number | null = null
  lastLine: number | null = null
  /** Rows of a footer, or payments without a readable value: the following rows decide. */
  #doubtful: { row: RawRow; isTotals: boolean }[] = []
  readonly #header: string[]
  /** Amounts of the payments so far, as they are written, and of the positive ones alone. */
  readonly #sums = { all: 0n, positive: 0n }
  #payments = 0

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

  /** Ends the file: doubtful rows are the footer. Returns the totals declared in it. */
  end(): DeclaredTotals {
    this.skipped.footer += this.#doubtful.length
    const { mapping } = this.shape
    return declaredIn(this.#doubtful, [mapping.amount, mapping.fee, mapping.returned])
  }

  #data(row: RawRow): RawRow[] {
    const before = this.#doubtful.filter(({ isTotals }) => !isTotals).map((held) => held.row)
    this.skipped.subtotals += this.#doubtful.length - before.length
    this.#doubtful = []
    this.firstLine ??= (before[0] ?? row).line
    this.lastLine = row.line
    const payments = [...before, row]
    this.#payments += payments.length
    for (const payment of payments) this.#addAmount(payment)
    return payments
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
    return this.#isPayment(row.cells) ? 'data' : 'doubtful'
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
    const hasId = this.#ids(cells).some(({ text }) => !text.includes(' '))
    const hasValue = this.#amount(cells) !== null || this.#hasMoment(cells)
    if (filled > 2 ? hasId || hasValue : hasId && hasValue) return true
    return this.#hasFigure(cells) && (this.#hasMoment(cells) || !this.#hasSentence(cells))
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

const isText = (cell: RawCell | undefined, header: string) =>
  normaliseHeader(cellText(cell)) === header
