import { ControlFigures, type ControlReport } from '#reconciliation/reading/control_figures'
import type { DeclaredTotals } from '#reconciliation/reading/declared_totals'
import { parseRow, type RegisterRow } from '#reconciliation/reading/parse_row'
import type { RawRow } from '#reconciliation/reading/raw_row'
import { MomentStyles, type MomentStyle } from '#reconciliation/reading/read_moment'
import {
  RegisterTable,
  type ColumnMapping,
  type SkippedRows,
  type TableShape,
} from '#reconciliation/reading/register_table'
import { Breath, runInSlices, type Sliced } from '#reconciliation/reading/slices'

export interface ParsedRegister {
  rows: RegisterRow[]
  control: ControlReport
  skipped: SkippedRows
  /** The lines between which payments stand. */
  lines: { first: number | null; last: number | null }
  momentStyle: MomentStyle
}

/** A whole register, read in slices. `declared` is what a person typed and goes before the footer. */
export async function parseRegister(
  source: AsyncIterable<RawRow> | Iterable<RawRow>,
  shape: TableShape,
  declared: Partial<DeclaredTotals> = {}
): Promise<ParsedRegister> {
  const table = new RegisterTable(shape)
  const raw: RawRow[] = []
  const breath = new Breath()
  for await (const row of source) {
    for (const taken of table.take(row)) raw.push(taken)
    if (breath.isDue) await breath.taken()
  }
  const footer = table.end()
  const control = new ControlFigures()
  const { rows, momentStyle } = await runInSlices(parseAll(raw, shape.mapping, control))
  return {
    rows,
    momentStyle,
    control: control.report({
      count: declared.count ?? footer.count,
      sumTenge: declared.sumTenge ?? footer.sumTenge,
    }),
    skipped: table.skipped,
    lines: { first: table.firstLine, last: table.lastLine },
  }
}

function* parseAll(
  raw: RawRow[],
  mapping: ColumnMapping,
  control: ControlFigures
): Sliced<Pick<ParsedRegister, 'rows' | 'momentStyle'>> {
  const momentStyle = yield* styleOfMoments(raw, mapping)
  const rows: RegisterRow[] = []
  for (const row of raw) {
    const parsed = parseRow(row, mapping, momentStyle)
    control.add(parsed)
    rows.push(parsed)
    yield
  }
  return { rows, momentStyle }
}

/** The whole file is looked at before its first moment is read. */
function* styleOfMoments(raw: RawRow[], { paidAt, createdAt }: ColumnMapping): Sliced<MomentStyle> {
  const styles = new MomentStyles()
  for (const { cells } of raw) {
    for (const column of [paidAt, createdAt]) if (column !== undefined) styles.add(cells[column])
    yield
  }
  return styles.style()
}
