import type { Precision } from '#shared/instants'
import type { RegisterField } from '#reconciliation/reading/header_words'
import { cellText, isBlank } from '#spreadsheets/cell_text'
import type { RawCell, RawRow } from '#spreadsheets/read_table'
import { readAmount } from '#reconciliation/reading/read_amount'
import { readId } from '#reconciliation/reading/read_id'
import { readKind, type KnownWords, type RegisterKind } from '#reconciliation/reading/read_kind'
import { readMoment, type MomentStyle, type CellMoment } from '#spreadsheets/read_moment'
import type { Reading, ValueProblem } from '#reconciliation/reading/reading'
import type { ColumnMapping } from '#reconciliation/reading/register_table'

export interface RowProblem {
  field: RegisterField | null
  code: ValueProblem
  /** What stood in the cell. */
  found: string
}

/** One typed row of a register; pages show `raw` next to it. */
export interface RegisterRow {
  line: number
  raw: RawCell[]
  /** Identifiers as sent; matching repairs them. */
  orderKey: string | null
  orderId: string | null
  paymentId: string | null
  /** Negative for a refund; null when it could not be read. */
  amountTenge: bigint | null
  feeTenge: bigint | null
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
  words: KnownWords = {}
): RegisterRow {
  const cells = new RowCells(row, mapping, words)
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
  const isUnparseable = values.amountTenge === null || (!hasId && !hasMoment)
  return { line: row.line, raw: row.cells, ...values, isUnparseable, problems: cells.problems }
}

/** Reads the cells of one row and collects their problems. */
class RowCells {
  readonly problems: RowProblem[] = []

  constructor(
    readonly row: RawRow,
    readonly mapping: ColumnMapping,
    readonly words: KnownWords
  ) {}

  id(field: RegisterField): string | null {
    return this.#value(field, readId(this.#cell(field)))
  }

  text(field: RegisterField): string | null {
    return cellText(this.#cell(field)) || null
  }

  moment(field: RegisterField, style: MomentStyle): CellMoment | null {
    const cell = this.#cell(field)
    return isBlank(cell) ? null : this.#value(field, readMoment(cell, style))
  }

  /**
   * A refund has a negative amount or a kind that says so. A negative amount counts more than the kind, except for a kind that
   * says that the operation was declined.
   */
  money() {
    const amount = this.#value('amount', readAmount(this.#cell('amount')))
    const fee = this.#cell('fee')
    const feeTenge = isBlank(fee) ? null : this.#value('fee', readAmount(fee))
    const said = this.#kind()
    const isNegative = amount !== null && amount < 0n
    if (said === 'sale' && isNegative) this.problem('kind', 'KIND_AGAINST_SIGN', this.text('kind')!)
    const isRefund = isNegative || said === 'refund'
    return {
      amountTenge: isRefund && amount !== null && amount > 0n ? -amount : amount,
      feeTenge,
      kind: isRefund ? ('refund' as const) : ('sale' as const),
      isNotPaid: said === 'declined' || (said === 'not_paid' && !isNegative),
    }
  }

  problem(field: RegisterField | null, code: ValueProblem, found: string) {
    this.problems.push({ field, code, found })
  }

  #kind(): RegisterKind | null {
    const cell = this.#cell('kind')
    const kind = readKind(cell, this.words)
    if (kind === null && !isBlank(cell)) this.problem('kind', 'KIND_UNKNOWN', cellText(cell))
    return kind
  }

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
