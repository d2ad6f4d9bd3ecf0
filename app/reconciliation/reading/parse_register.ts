import { ControlFigures, type ControlReport } from '#reconciliation/reading/control_figures'
import type { DeclaredTotals } from '#reconciliation/reading/declared_totals'
import { parseRow, type RegisterRow } from '#reconciliation/reading/parse_row'
import type { RawRow } from '#spreadsheets/read_table'
import { MomentStyles, type MomentStyle } from '#spreadsheets/read_moment'
import {
  RegisterTable,
  type ColumnMapping,
  type SkippedRows,
  type TableShape,
} from '#reconciliation/reading/register_table'

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
    const control = new ControlFigures()
    const rows = this.#raw.map((row) => {
      const parsed = parseRow(row, this.shape.mapping, momentStyle, this.shape.reading)
      control.add(parsed)
      return parsed
    })
    return {
      rows,
      momentStyle,
      control: control.report({
        count: declared.count ?? footer.count,
        sumTenge: declared.sumTenge ?? footer.sumTenge,
      }),
      skipped: this.#table.skipped,
      lines: { first: this.#table.firstLine, last: this.#table.lastLine },
    }
  }
}

/** The style of moments, from all rows of the file: 03.04 alone may be April or March. */
function styleOfMoments(raw: RawRow[], { paidAt, createdAt }: ColumnMapping): MomentStyle {
  const styles = new MomentStyles()
  for (const { cells } of raw)
    for (const column of [paidAt, createdAt]) if (column !== undefined) styles.add(cells[column])
  return styles.style()
}
