/** Letters that one cell can hold. */
export const MAX_CELL_LETTERS = 32_767

const RAW_ID = /^(?!-)[A-Za-z0-9_.:-]{1,64}$/
/** What spreadsheets take for the beginning of a formula, ordinary or full-width, and what hides one. */
const LIKE_FORMULA = /^[=+\-@\t\n＝＋－＠]/
/** Halves of letters match too: `u` sees whole ones. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu
const WRITTEN_OUT = /_(?=x[0-9A-Fa-f]{4}_)/g

/**
 * Text of others as it may stand in a cell: what would come alive as a formula after an edit or a save as CSV gets a
 * leading apostrophe (ASVS 1.2.10); control characters and halves of letters are left out; text that is too long is cut
 * and ends with `…`.
 */
export function safeText(text: string) {
  if (RAW_ID.test(text)) return text
  const clean = printable(text.replace(/\r\n?/g, '\n'))
  const guarded = LIKE_FORMULA.test(clean) ? `'${clean}` : clean
  return guarded.length <= MAX_CELL_LETTERS ? guarded : cut(guarded)
}

/** Text without control characters and halves of letters, which no XML may hold. */
export function printable(text: string) {
  return text.replace(UNPRINTABLE, '')
}

/** The same text within XML; Excel would read `_x0041_` as the letter A. */
export function xmlText(text: string) {
  const written = text.includes('_x') ? text.replace(WRITTEN_OUT, '_x005F_') : text
  if (!/[&<>"]/.test(written)) return written
  return written
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function cut(text: string) {
  const start = text.slice(0, MAX_CELL_LETTERS - 1)
  return `${start.isWellFormed() ? start : start.slice(0, -1)}…`
}
