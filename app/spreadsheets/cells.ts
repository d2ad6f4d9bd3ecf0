import type { CellAs, CellKind, CellValue, FormulaCell, CellStyle } from '#spreadsheets/sheet_spec'

export { safeText } from '#spreadsheets/writing/cell_text'

/** A formula, in English with commas and without `=`, with the result that is shown until Excel calculates. */
export function formula(text: string, result: FormulaCell['result']): FormulaCell {
  return { formula: text, result }
}

/** A value in a cell that is not of its column's kind. */
export function cellAs(as: CellKind, value: CellValue | FormulaCell, look?: CellStyle): CellAs {
  return { as, value, look }
}

/**
 * A link to a cell of the same workbook. A formula, because exceljs writes inner links as outer ones. The text must
 * be ours, never a partner's: at most 255 letters.
 */
export function linkTo(sheet: string, cell: string, text: string): FormulaCell {
  const target = `#'${sheet.replaceAll("'", "''")}'!${cell}`
  return formula(`HYPERLINK(${quoted(target)},${quoted(text)})`, text)
}

/**
 * A link to the row that has this text in a named column of another sheet, wherever it was sorted to. Sheet, column and
 * text must be ours, and the text must be there.
 */
export function linkToRow(sheet: string, letter: string, column: string, text: string) {
  const start = quoted(`#'${sheet.replaceAll("'", "''")}'!${letter}`)
  return formula(`HYPERLINK(${start}&(MATCH(${quoted(text)},${column},0)+1),"→")`, '→')
}

/** A text as a literal within a formula. */
export function quoted(text: string) {
  return `"${text.replaceAll('"', '""')}"`
}

/** The letters of a column by its number from 1: 28 → `AB`. */
export function columnLetters(column: number): string {
  const rest = Math.floor((column - 1) / 26)
  const letter = String.fromCharCode(65 + ((column - 1) % 26))
  return rest === 0 ? letter : columnLetters(rest) + letter
}
