/**
 * Lines of a register are numbered on through all of its parts; people know a part and a row in it.
 *
 * Example: sheet «Продажи» with 40 rows and sheet «Возвраты», which begins at line 41.
 *   line 12  row 12 of «Продажи»
 *   line 52  row 12 of «Возвраты»
 */
export interface NumberedPart {
  number: number
  fileName: string
  sheet: string | null
  /** The line of the register that its first row has; null until it is read. */
  firstLine: number | null
}

/** The only place that turns a line into a part and a row. */
export function placeOfLine<Part extends NumberedPart>(
  parts: readonly Part[],
  line: number
): { part: Part; row: number } {
  const part = parts.findLast(({ firstLine }) => firstLine !== null && firstLine <= line)!
  return { part, row: line - part.firstLine! + 1 }
}
