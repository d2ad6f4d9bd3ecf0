import { valueOf, type CellContext, type WrittenCell } from '#spreadsheets/reading/cell_value'
import { RichText } from '#spreadsheets/reading/strings'
import { parseXml } from '#spreadsheets/reading/xml'
import type { RawRow, TableLimits } from '#spreadsheets/table_source'
import { UnreadableTable, type Problem } from '#spreadsheets/unreadable_table'

const LETTER_A = 65
/** Excel's last row. */
const LAST_LINE = 1_048_576

/** Streams the rows of a sheet that have a value, while its XML is unpacked. Throws `UnreadableTable`. */
export async function* sheetRows(
  pieces: AsyncIterable<Buffer>,
  context: CellContext,
  limits: TableLimits
): AsyncGenerator<RawRow> {
  const reader = new SheetReader(context, limits)
  const handlers = {
    open: (name: string, attributes: Record<string, string>) => reader.open(name, attributes),
    close: (name: string) => reader.close(name),
    text: (text: string) => reader.text(text),
  }
  for await (const piece of parseXml(pieces, handlers)) {
    void piece
    yield* reader.takeRows()
  }
}

class SheetReader {
  #rows: RawRow[] = []
  #line = 0
  #column = 0
  #cells: RawRow['cells'] = []
  #cell: WrittenCell | null = null
  #isInValue = false
  #inline = new RichText()

  constructor(
    private readonly context: CellContext,
    private readonly limits: TableLimits
  ) {}

  takeRows() {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  open(name: string, attributes: Record<string, string>) {
    if (name === 'row') return this.#openRow(attributes.r)
    if (name === 'c') return this.#openCell(attributes)
    if (!this.#cell) return
    if (name === 'v') {
      this.#isInValue = true
      this.#cell.value ??= ''
    }
    if (name === 'is') this.#cell.inline = ''
    if (name === 'f') this.#cell.hasFormula = true
    this.#inline.open(name)
  }

  text(piece: string) {
    if (!this.#cell) return
    if (this.#isInValue) this.#cell.value += piece
    else this.#inline.add(piece)
  }

  close(name: string) {
    if (name === 'row') return this.#closeRow()
    if (!this.#cell) return
    if (name === 'c') return this.#closeCell(this.#cell)
    if (name === 'v') this.#isInValue = false
    this.#inline.close(name)
    if (name === 'is') this.#cell.inline = this.#inline.take()
  }

  /** Rows and cells may omit their place: then each follows the last. */
  #openRow(number: string | undefined) {
    const line = number === undefined ? this.#line + 1 : Number(number)
    if (!Number.isSafeInteger(line) || line <= this.#line || line > LAST_LINE)
      this.#refuse('broken_xml')
    this.#line = line
    this.#column = 0
    this.#cells = []
  }

  #openCell({ r, t = 'n', s = '0' }: Record<string, string>) {
    const column = r === undefined ? this.#column + 1 : columnOf(r)
    if (this.#line === 0 || column <= this.#column) this.#refuse('broken_xml')
    this.#column = column
    const style = Number(s)
    this.#cell = { type: t, style, value: undefined, inline: undefined, hasFormula: false }
  }

  #closeCell(cell: WrittenCell) {
    this.#cell = null
    this.#isInValue = false
    const value = this.#valueOf(cell)
    if (value === null) return
    if (this.#column > this.limits.columns) this.#refuse('too_many_columns')
    const isTooLong = typeof value === 'string' && value.length > this.limits.cellLetters
    if (isTooLong) this.#refuse('cell_too_long')
    while (this.#cells.length < this.#column - 1) this.#cells.push(null)
    this.#cells.push(value)
  }

  #valueOf(cell: WrittenCell) {
    try {
      return valueOf(cell, this.context)
    } catch (error) {
      if (error instanceof UnreadableTable) this.#refuse(error.problem)
      throw error
    }
  }

  #closeRow() {
    if (this.#cells.length > 0) this.#rows.push({ line: this.#line, cells: this.#cells })
    this.#cells = []
  }

  #refuse(problem: Problem): never {
    throw new UnreadableTable(problem, { line: this.#line, column: this.#column || undefined })
  }
}

/** `AB12` → 28; 0, which no cell may have, for anything else. */
function columnOf(reference: string) {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference)?.[1]
  if (!letters) return 0
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - LETTER_A + 1, 0)
}
