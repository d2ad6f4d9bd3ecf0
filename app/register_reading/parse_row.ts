import { MINUTE_MS } from '#shared/days'
import type { Precision } from '#shared/instants'
import type { RegisterField } from '#register_reading/header_words'
import { cellText, isBlank } from '#spreadsheets/cell_text'
import type { RawCell, RawRow } from '#spreadsheets/read_table'
import { isTenge, readMoney } from '#register_reading/read_amount'
import { readId } from '#register_reading/read_id'
import { isPartly, readKind, wordsIn, type RegisterKind } from '#register_reading/read_kind'
import { readMoment, type MomentStyle, type CellMoment } from '#spreadsheets/read_moment'
import type { Reading, ValueProblem } from '#register_reading/reading'
import { DEFAULT_READING, type RowReading } from '#register_reading/row_reading'
import type { ColumnMapping } from '#register_reading/register_table'
import { abs } from '#shared/tenge'

export interface RowProblem {
  field: RegisterField | null
  code: ValueProblem
  /** What stood in the cell. */
  found: string
}

/** One typed row of a register; pages show `raw` next to it. */
export interface ParsedRow {
  line: number
  raw: RawCell[]
  /** Identifiers as sent; matching repairs them. */
  orderKey: string | null
  orderId: string | null
  paymentId: string | null
  /** Negative for a refund; null when it could not be read. */
  amountTenge: bigint | null
  feeTenge: bigint | null
  /** What went back of the charge that the same row shows; nothing where rows are operations. */
  returnedTenge: bigint
  at: Date | null
  precision: Precision | null
  kind: 'sale' | 'refund'
  /** The register itself marks the row as unpaid, declined or no sale. */
  isNotPaid: boolean
  email: string | null
  event: string | null
  ticketNumber: string | null
  isUnparseable: boolean
  problems: RowProblem[]
}

/** Parses a row; unreadable values are problems of the row, never errors. */
export function parseRow(
  row: RawRow,
  mapping: ColumnMapping,
  style: MomentStyle,
  reading: RowReading = DEFAULT_READING
): ParsedRow {
  const cells = new RowCells(row, mapping, reading)
  const moment = cells.moment('paidAt', style) ?? cells.moment('createdAt', style)
  const values = {
    orderKey: cells.id('partnerOrderId'),
    orderId: cells.id('orderId'),
    paymentId: cells.id('paymentId'),
    ...cells.money(),
    at: moment?.at ?? null,
    precision: moment?.precision ?? null,
    email: cells.text('email')?.toLowerCase() ?? null,
    event: cells.text('event'),
    ticketNumber: cells.text('ticketNumber'),
  }
  const hasId = (values.orderKey ?? values.orderId ?? values.paymentId) !== null
  const hasMoment = values.at !== null
  if (!hasId && !hasMoment) cells.problem(null, 'NOTHING_TO_MATCH_BY', '')
  // A row of an unknown word may be a charge, a return or no money: its sign alone is no evidence.
  const isUnclear =
    cells.hasProblem('MOMENT_OUT_OF_RANGE') ||
    cells.hasProblem('KIND_UNKNOWN') ||
    (!hasMoment && cells.hasUnreadDate())
  const isUnparseable = values.amountTenge === null || isUnclear || (!hasId && !hasMoment)
  return { line: row.line, raw: row.cells, ...values, isUnparseable, problems: cells.problems }
}

/** Reads the cells of one row and collects their problems. */
class RowCells {
  readonly problems: RowProblem[] = []

  constructor(
    readonly row: RawRow,
    readonly mapping: ColumnMapping,
    readonly reading: RowReading
  ) {}

  id(field: RegisterField): string | null {
    return this.#value(field, readId(this.#cell(field)))
  }

  text(field: RegisterField): string | null {
    return cellText(this.#cell(field)) || null
  }

  moment(field: RegisterField, style: MomentStyle): CellMoment | null {
    const cell = this.#cell(field)
    const { possible, utcOffsetMinutes } = this.reading
    if (isBlank(cell)) return null
    const read = this.#value(field, readMoment(cell, style, utcOffsetMinutes))
    const moment = read && this.#ofItsDay(read)
    if (!moment || !possible) return moment
    if (moment.at >= possible.from && moment.at <= possible.to) return moment
    this.problem(field, 'MOMENT_OUT_OF_RANGE', cellText(cell))
    return null
  }

  /** A day without a time is a day of the source, which may begin after midnight. */
  #ofItsDay({ at, precision }: CellMoment): CellMoment {
    const { dayStartMinutes } = this.reading
    if (precision !== 'day' || dayStartMinutes <= 0) return { at, precision }
    return { at: new Date(at.getTime() + dayStartMinutes * MINUTE_MS), precision }
  }

  /**
   * A refund has a negative amount or a kind that says so. A negative amount counts more than the kind, except for a kind that
   * says that the operation was declined. Where rows show states, a state of refund is a charge that went back.
   */
  money() {
    const stated = this.#amount('amount')
    const feeTenge = this.#isBlank('fee') ? null : this.#amount('fee')
    const amount = stated === null ? null : this.#gross(stated, feeTenge)
    const said = this.#kind()
    const isNegative = amount !== null && amount < 0n
    if (said === 'sale' && isNegative)
      this.problem('kind', 'KIND_AGAINST_SIGN', wordsIn(this.#kindCells()))
    const isState = this.reading.rowsShow === 'states' && !isNegative
    const isRefund = isNegative || (said === 'refund' && !isState)
    return {
      amountTenge: isRefund && amount !== null && amount > 0n ? -amount : amount,
      feeTenge,
      returnedTenge: isState && amount !== null ? this.#returned(said, amount) : 0n,
      kind: isRefund ? ('refund' as const) : ('sale' as const),
      isNotPaid: said === 'declined' || (said === 'not_paid' && !isNegative),
    }
  }

  /** Tenge, unless the header, a column of currencies or the cell itself names another currency. */
  #amount(field: 'amount' | 'fee' | 'returned'): bigint | null {
    const cell = this.#cell(field)
    const currency = this.#cell('currency')
    const isOther = this.reading.isOtherCurrency || !isTenge(currency)
    const { unit, decimalSigns } = this.reading
    if (!isOther) return this.#value(field, readMoney(cell, unit, decimalSigns[field]))
    const found = isTenge(currency) ? cellText(cell) : `${cellText(cell)} (${cellText(currency)})`
    this.problem(field, 'AMOUNT_OTHER_CURRENCY', found)
    return null
  }

  /** What the buyer paid: of a net amount its fee was taken off, in either direction. */
  #gross(tenge: bigint, fee: bigint | null): bigint {
    if (this.reading.amountsAre === 'gross' || tenge === 0n) return tenge
    if (fee === null) this.problem('fee', 'FEE_UNKNOWN', cellText(this.#cell('amount')))
    const added = abs(fee ?? 0n)
    return tenge < 0n ? tenge - added : tenge + added
  }

  /** A part has to be named; without a sum of its own, all of a returned charge went back. */
  #returned(said: RegisterKind | null, charged: bigint): bigint {
    if (said === 'declined' || said === 'not_paid') return 0n
    const named = this.#isBlank('returned') ? 0n : this.#amount('returned')
    // Its problem says why it is not known.
    if (named === null) return 0n
    if (named !== 0n) return abs(named)
    if (said !== 'refund') return 0n
    const cells = this.#kindCells()
    if (!isPartly(cells, this.reading.words)) return charged
    this.problem('returned', 'RETURNED_UNKNOWN', wordsIn(cells))
    return 0n
  }

  /** Whether somebody has written a date that cannot be read; a dash or a word is none. */
  hasUnreadDate = () =>
    this.problems.some(({ code, found }) => code.startsWith('MOMENT_') && /\d/.test(found))

  hasProblem = (code: ValueProblem) => this.problems.some((one) => one.code === code)

  problem(field: RegisterField | null, code: ValueProblem, found: string) {
    this.problems.push({ field, code, found })
  }

  #kind(): RegisterKind | null {
    const cells = this.#kindCells()
    const { rowsShow, words, unstatedKind } = this.reading
    if (cells.every(isBlank)) return unstatedKind
    const kind = readKind(cells, words, rowsShow)
    if (kind === null) this.problem('kind', 'KIND_UNKNOWN', wordsIn(cells))
    return kind
  }

  #kindCells = () => [this.#cell('kind'), this.#cell('outcome')]

  #isBlank = (field: RegisterField) => isBlank(this.#cell(field))

  #cell(field: RegisterField): RawCell | undefined {
    const column = this.mapping[field]
    return column === undefined ? undefined : this.row.cells[column]
  }

  #value<T>(field: RegisterField, reading: Reading<T>): T | null {
    if (reading.isRead) return reading.value
    this.problem(field, reading.problem, reading.found)
    return null
  }
}
