import { ControlFigures, type ControlReport } from '#register_reading/control_figures'
import type { DeclaredTotals } from '#register_reading/declared_totals'
import { parseRow, type RegisterRow } from '#register_reading/parse_row'
import { decimalSignOf, type Unit } from '#register_reading/read_amount'
import { PLAIN_READING, type RowReading } from '#register_reading/row_reading'
import type { RawRow } from '#spreadsheets/read_table'
import { MomentStyles, type MomentStyle } from '#spreadsheets/read_moment'
import {
  RegisterTable,
  type ColumnMapping,
  type SkippedRows,
  type TableShape,
} from '#register_reading/register_table'

export interface ParsedRegister {
  rows: RegisterRow[]
  control: ControlReport
  skipped: SkippedRows
  /** Lines of the first and the last payment. */
  lines: { first: number | null; last: number | null }
  momentStyle: MomentStyle
}

/** Takes the rows of a file one after another, and parses its payments once the file has ended. */
export class RegisterParser {
  readonly #table: RegisterTable
  readonly #raw: RawRow[] = []

  constructor(private readonly shape: TableShape) {
    this.#table = new RegisterTable(shape)
  }

  add(row: RawRow) {
    for (const payment of this.#table.take(row)) this.#raw.push(payment)
  }

  /** `declared` was typed by a person and takes precedence over the footer. */
  finish(declared: Partial<DeclaredTotals> = {}): ParsedRegister {
    const footer = this.#table.end()
    const momentStyle = styleOfMoments(this.#raw, this.shape.mapping)
    const reading = withDecimalSigns(this.#raw, this.shape)
    const control = new ControlFigures(reading.amountsAre)
    const rows = this.#raw.map((row) => {
      const parsed = parseRow(row, this.shape.mapping, momentStyle, reading)
      control.add(parsed)
      return parsed
    })
    return {
      rows,
      momentStyle,
      control: control.report({
        count: declared.count ?? footer.count,
        sumTenge: declared.sumTenge ?? inTenge(footer.sumTenge, reading.unit),
      }),
      skipped: this.#table.skipped,
      lines: { first: this.#table.firstLine, last: this.#table.lastLine },
    }
  }
}

/** The file's own total is in its unit. */
const inTenge = (sum: bigint | null, unit: Unit) =>
  sum !== null && unit === 'tiyn' ? sum / 100n : sum

/** Which decimal sign each column has, from all rows of the file: 1.234 alone may be 1,234 or 1 and a fraction. */
export function withDecimalSigns(
  raw: readonly RawRow[],
  { mapping, reading = PLAIN_READING }: Pick<TableShape, 'mapping' | 'reading'>
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
export function styleOfMoments(raw: RawRow[], { paidAt, createdAt }: ColumnMapping): MomentStyle {
  const styles = new MomentStyles()
  for (const { cells } of raw)
    for (const column of [paidAt, createdAt]) if (column !== undefined) styles.add(cells[column])
  return styles.style()
}
