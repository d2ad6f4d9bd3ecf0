/**
 * Finds the delimiter of a CSV file by consistency: the sign that most of the first lines contain equally often.
 *
 * Example: `id;name;price` / `1;Ann;12,5` / `2;Bob;7`.
 *   ; twice in 3 lines: score 3      , once in 1 line: score 1      result ;
 */

/** In the order in which a tie is decided; the comma is last, because it may be a decimal one. */
const DELIMITERS = [';', '\t', '|', ',']
const LINES_TO_LOOK_AT = 30
/** Excel's hint line, which is no row. */
const HINT = /^sep=(.)\r?\n/i

/** Returns the delimiter, and how many characters of a hint line to skip. */
export function findDelimiter(start: string): { delimiter: string; skip: number } {
  const hint = HINT.exec(start)
  if (hint) return { delimiter: hint[1], skip: hint[0].length }
  const lines = withoutQuoted(start)
    .split(/\r\n|\n|\r/)
    .filter(Boolean)
  const looked = lines.slice(0, LINES_TO_LOOK_AT)
  const scores = DELIMITERS.map((delimiter) => agreement(looked, delimiter))
  const best = Math.max(...scores)
  return { delimiter: best === 0 ? ',' : DELIMITERS[scores.indexOf(best)], skip: 0 }
}

function withoutQuoted(text: string) {
  return text.replace(/"(?:[^"]|"")*"/g, '')
}

/** How many lines have the sign as often as most lines that have it. */
function agreement(lines: string[], sign: string) {
  const lineCounts = new Map<number, number>()
  for (const line of lines) {
    const count = line.split(sign).length - 1
    if (count > 0) lineCounts.set(count, (lineCounts.get(count) ?? 0) + 1)
  }
  return Math.max(0, ...lineCounts.values())
}
