import { ControlFigures, type ControlReport } from '#register_reading/control_figures'
import { reportControl } from '#register_reading/control_of_parts'
import type { DeclaredTotals } from '#register_reading/declared_totals'
import { parseRow, type ParsedRow } from '#register_reading/parse_row'
import { decimalSignOf, type Unit } from '#register_reading/read_amount'
import { readingOfPart, type PartShape } from '#register_reading/register_part'
import { DEFAULT_READING, type RowReading } from '#register_reading/row_reading'
import type { RawRow } from '#spreadsheets/read_table'
import { MomentStyles, type MomentStyle } from '#spreadsheets/read_moment'
import {
  MOST_TEXTS,
  RegisterTable,
  type SkippedRows,
  type SkippedText,
  type TableShape,
} from '#register_reading/register_table'

export interface ParsedRegister {
  rows: ParsedRow[]
  control: ControlReport
  parts: PartReport[]
  skipped: SkippedRows
  /** Subtotals and rows of the footer, the first ones. */
  skippedTexts: SkippedText[]
  /** Lines of the first and the last payment. */
  lines: { first: number | null; last: number | null }
}

/** What was read of one part. */
export interface PartReport {
  number: number
  /** Lines of the register that its rows have, from the first row of the sheet to the last. */
  firstLine: number
  lastLine: number
  control: ControlReport
}

/** A part while its rows arrive. */
interface OpenPart {
  part: PartShape
  firstLine: number
  lastLine: number
  table: RegisterTable
  payments: RawRow[]
}

/**
 * Takes the rows of a register one after another, part by part, and parses its payments once all parts have ended: how moments
 * and sums are written is decided by all of them together.
 *
 * Example, of a file with 40 rows and a second one: line 7 of the second is line 47 of the register.
 */
export class RegisterParser {
  readonly #parts: OpenPart[] = []

  /** `linesGiven`: the last line that was given to a part when the register was read before. */
  constructor(
    private readonly shape: TableShape,
    private linesGiven = 0
  ) {}

  startPart(part: PartShape) {
    const { headerLine } = part
    const firstLine = part.firstLine ?? this.linesGiven + 1
    const table = new RegisterTable({ ...this.shape, headerLine })
    this.#parts.push({ part, firstLine, lastLine: firstLine, table, payments: [] })
  }

  add(row: RawRow) {
    const open = this.#parts.at(-1)!
    const { part, firstLine, table, payments } = open
    open.lastLine = firstLine - 1 + row.line
    this.linesGiven = Math.max(this.linesGiven, open.lastLine)
    for (const payment of table.take(inOrder(row, part.columnOrder))) payments.push(payment)
  }

  /** `declared` was typed by a person about the whole register and takes precedence over footers. */
  finish(declared: Partial<DeclaredTotals> = {}): ParsedRegister {
    const { mapping } = this.shape
    const footers = this.#parts.map(({ table, payments }) => {
      const end = table.end()
      for (const payment of end.payments) payments.push(payment)
      return end.declared
    })
    const raw = this.#parts.flatMap(({ payments }) => payments)
    const momentStyle = styleOfMoments(raw, this.shape)
    const reading = withDecimalSigns(raw, this.shape)
    const rows: ParsedRow[] = []
    const whole = new ControlFigures(reading.amountsAre)
    const parts = this.#parts.map(({ part, firstLine, lastLine, payments }, i) => {
      const ownReading = readingOfPart(reading, part.rowsAre)
      const figures = new ControlFigures(reading.amountsAre)
      for (const payment of payments) {
        const parsed = parseRow(payment, mapping, momentStyle, ownReading)
        const row = { ...parsed, line: firstLine - 1 + parsed.line }
        figures.add(row)
        whole.add(row)
        rows.push(row)
      }
      const footer = footers[i]
      const inFooter = { ...footer, sumTenge: inTenge(footer.sumTenge, reading.unit) }
      return { number: part.number, firstLine, lastLine, figures, inFooter, typed: part.declared }
    })
    return {
      rows,
      ...reportControl(whole, parts, declared),
      skipped: skippedIn(this.#parts),
      skippedTexts: this.#parts.flatMap(textsOf).slice(0, MOST_TEXTS),
      lines: { first: rows.at(0)?.line ?? null, last: rows.at(-1)?.line ?? null },
    }
  }
}

function inOrder(row: RawRow, columnOrder: PartShape['columnOrder']): RawRow {
  if (columnOrder === null) return row
  return { line: row.line, cells: columnOrder.map((column) => row.cells[column] ?? null) }
}

function skippedIn(parts: readonly OpenPart[]): SkippedRows {
  const sum = { above: 0, blank: 0, repeatedHeaders: 0, subtotals: 0, footer: 0 }
  for (const { table } of parts)
    for (const kind of Object.keys(sum) as (keyof SkippedRows)[]) sum[kind] += table.skipped[kind]
  return sum
}

const textsOf = ({ firstLine, table }: OpenPart): SkippedText[] =>
  table.skippedTexts.map(({ line, text }) => ({ line: firstLine - 1 + line, text }))

/** The file's own total is in its unit. */
const inTenge = (sum: bigint | null, unit: Unit) =>
  sum !== null && unit === 'tiyn' ? sum / 100n : sum

/** Which decimal sign each column has, from all rows of the file: 1.234 alone may be 1,234 or 1 and a fraction. */
function withDecimalSigns(
  raw: readonly RawRow[],
  { mapping, reading = DEFAULT_READING }: Pick<TableShape, 'mapping' | 'reading'>
): RowReading {
  const decimalSigns: RowReading['decimalSigns'] = {}
  for (const field of ['amount', 'fee', 'returned'] as const) {
    const column = mapping[field]
    if (column === undefined) continue
    const signs = raw.map(({ cells }) => decimalSignOf(cells[column]))
    decimalSigns[field] = new Set(signs.filter((sign) => sign !== null))
  }
  return { ...reading, decimalSigns }
}

/** The style of moments, from all rows of the file: 03.04 alone may be April or March. */
function styleOfMoments(
  raw: readonly RawRow[],
  { mapping, reading = DEFAULT_READING }: Pick<TableShape, 'mapping' | 'reading'>
): MomentStyle {
  const { paidAt, createdAt } = mapping
  const styles = new MomentStyles(reading.days)
  for (const { cells } of raw)
    for (const column of [paidAt, createdAt]) if (column !== undefined) styles.add(cells[column])
  return styles.style()
}
