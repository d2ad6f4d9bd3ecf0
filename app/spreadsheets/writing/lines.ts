import type { Cell, ColumnSpec } from '#spreadsheets/sheet_spec'

/** Bold letters and capitals are wider than figures, by which widths are told. */
const WIDER = 1.1
/** Of a column's width, what is no letter: the indent, and in headings the filter's button. */
const EDGE = 2
const EDGE_OF_HEADING = 4

const roomOf = (width: number, edge: number) => Math.max(1, Math.floor((width - edge) / WIDER))

export const linesOfHeading = ({ heading, width }: Pick<ColumnSpec, 'heading' | 'width'>) =>
  linesIn(heading, roomOf(width, EDGE_OF_HEADING))

/** The width in which no word of a heading is broken. */
export function minColumnWidth(heading: string) {
  const longest = Math.max(...heading.split(' ').map(({ length }) => length))
  return Math.ceil(longest * WIDER) + EDGE_OF_HEADING
}

/** Words stay whole, as long as a line has room for one. */
function linesIn(paragraph: string, room: number) {
  if (paragraph.length <= room) return 1
  let [lines, used] = [1, 0]
  for (const { length } of paragraph.split(' ')) {
    const isFitting = used === 0 || used + 1 + length <= room
    if (!isFitting) [lines, used] = [lines + 1, 0]
    // A word that is longer than a line is broken.
    lines += Math.ceil(length / room) - 1
    used += (used === 0 ? 0 : 1) + length
  }
  return lines
}

/** How many lines a cell takes; only headings and columns that wrap have more than one. */
export function linesOf(cell: Cell, { wrap, width }: ColumnSpec) {
  const heading = headingIn(cell)
  if (heading !== null) return linesOfHeading({ heading, width })
  if (!wrap || typeof cell !== 'string') return 1
  const room = roomOf(width, EDGE)
  return cell.split('\n').reduce((sum, paragraph) => sum + linesIn(paragraph, room), 0)
}

function headingIn(cell: Cell): string | null {
  const isTyped = typeof cell === 'object' && cell !== null && 'as' in cell
  if (!isTyped || typeof cell.value !== 'string') return null
  return cell.look === 'heading' || cell.look === 'figureHeading' ? cell.value : null
}
