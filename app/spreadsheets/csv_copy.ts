import { UnwritableWorkbook, type CellKind, type CellValue } from '#spreadsheets/sheet_spec'
import { LineFile, type FinishedLines } from '#spreadsheets/line_file'
import { AtomicOutput } from '#spreadsheets/writing/atomic_output'
import { finiteNumber, UnwritableValue, wholeNumber } from '#spreadsheets/writing/cell_numbers'
import { safeText } from '#spreadsheets/writing/cell_text'
import { csvDay, csvMoment } from '#spreadsheets/writing/csv_times'

const BYTE_ORDER_MARK = '\uFEFF'
const SEPARATOR = ';'
const LINE_END = '\r\n'

export interface CsvColumn {
  /** The name for programs, which never changes. */
  key: string
  /** The name for people. */
  heading: string
  kind: Exclude<CellKind, 'formula'>
}

/**
 * Writes rows as CSV that Excel in Kazakhstan opens by a double click: UTF-8 with a byte order mark, `;`, CRLF, ids in
 * quotes, moments in UTC+5 with their offset, decimal commas, text guarded as in the workbook. The first line has the keys,
 * the second one the headings, unless they are the same.
 */
export class CsvCopy implements AsyncDisposable {
  readonly #file: LineFile

  constructor(
    path: string,
    private readonly columns: readonly CsvColumn[],
    signal?: AbortSignal
  ) {
    const output = new AtomicOutput(path)
    const start = BYTE_ORDER_MARK + headingLines(columns)
    this.#file = new LineFile(output, output.stream, start, signal)
  }

  /** Values in the columns' order; see `CellKind` for what each may be. */
  row(values: readonly CellValue[]): Promise<void> {
    return this.#file.line(() => this.#line(values))
  }

  finish(): Promise<FinishedLines> {
    return this.#file.finish()
  }

  abort(): Promise<void> {
    return this.#file.abort()
  }

  async [Symbol.asyncDispose]() {
    await this.#file.abort()
  }

  #line(values: readonly CellValue[]) {
    const cells = this.columns.map(({ kind, key }, index) => {
      try {
        return csvCell(values[index], kind)
      } catch (error) {
        if (!(error instanceof UnwritableValue)) throw error
        throw new UnwritableWorkbook(`Column ${key}: ${error.message}`, { cause: error })
      }
    })
    return cells.join(SEPARATOR) + LINE_END
  }
}

function headingLines(columns: readonly CsvColumn[]) {
  const keys = columns.map(({ key }) => csvText(key)).join(SEPARATOR)
  const headings = columns.map(({ heading }) => csvText(heading)).join(SEPARATOR)
  return keys === headings ? keys + LINE_END : keys + LINE_END + headings + LINE_END
}

function csvCell(value: CellValue, kind: CsvColumn['kind']): string {
  if (value === null || value === undefined) return ''
  switch (kind) {
    case 'text':
      return csvText(textOf(value))
    case 'id':
      return inQuotes(safeText(textOf(value)))
    case 'tenge':
    case 'count':
      return wholeNumber(value)
    case 'percent':
      return finiteNumber(value).replace('.', ',')
    case 'moment':
      return csvMoment(value)
    case 'date':
      return csvDay(value)
    case 'flag':
      return flagOf(value)
  }
}

function csvText(text: string) {
  const safe = safeText(text)
  return /[";\n\r]|^\s|\s$/.test(safe) ? inQuotes(safe) : safe
}

function inQuotes(text: string) {
  return `"${text.replaceAll('"', '""')}"`
}

function textOf(value: CellValue) {
  if (typeof value === 'string') return value
  throw new UnwritableValue(`a ${typeof value} is not text`)
}

function flagOf(value: CellValue) {
  if (typeof value === 'boolean') return value ? '1' : '0'
  throw new UnwritableValue(`a ${typeof value} is not true or false`)
}
