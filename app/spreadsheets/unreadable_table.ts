/** Why a file cannot be read as a table. */
export type Problem =
  | 'empty'
  | 'too_large'
  | 'binary'
  | 'not_a_table'
  | 'not_a_workbook'
  | 'old_workbook'
  | 'encrypted'
  | 'macros'
  | 'zip_bomb'
  | 'broken_zip'
  | 'broken_xml'
  | 'doctype'
  | 'broken_text'
  | 'no_such_sheet'
  | 'too_many_rows'
  | 'too_many_columns'
  | 'cell_too_long'
  | 'row_too_long'
  | 'formula_without_result'
  | 'gone'

export interface Place {
  /** 1-based row of the sheet or line of the file. */
  line?: number
  /** 1-based. */
  column?: number
}

/** A file from outside that is refused: the sender's mistake, not the program's. */
export class UnreadableTable extends Error {
  override readonly name = 'UnreadableTable'

  constructor(
    readonly problem: Problem,
    readonly place: Place = {}
  ) {
    super(`The table cannot be read: ${problem}${placeText(place)}`)
  }
}

function placeText({ line, column }: Place) {
  if (line === undefined) return ''
  return column === undefined ? ` (line ${line})` : ` (line ${line}, column ${column})`
}
