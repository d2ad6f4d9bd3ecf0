/** Letters that one cell can hold. */
export const MAX_CELL_LETTERS = 32_767

const RAW_ID = /^(?!-)[A-Za-z0-9_.:-]{1,64}$/
/** Beginnings that spreadsheets take for a formula, full-width ones included. */
const LIKE_FORMULA = /^[=+\-@\t\n＝＋－＠]/
/** Control characters, lone surrogates and noncharacters. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu
const WRITTEN_OUT = /_(?=x[0-9A-Fa-f]{4}_)/g

/**
 * Guards text against formula injection (ASVS 1.2.10): text that a spreadsheet could take for a formula gets a leading
 * apostrophe. Control characters and lone surrogates are removed; longer text is cut and ends with `…`.
 *
 * Example: `=1+1` becomes `'=1+1`; `-5` becomes `'-5`; `A-5` stays.
 */
export function safeText(text: string) {
  if (RAW_ID.test(text)) return text
  const clean = printable(text.replace(/\r\n?/g, '\n'))
  const guarded = LIKE_FORMULA.test(clean) ? `'${clean}` : clean
  return guarded.length <= MAX_CELL_LETTERS ? guarded : cut(guarded)
}

/** Text without control characters and lone surrogates, which XML cannot hold. */
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
