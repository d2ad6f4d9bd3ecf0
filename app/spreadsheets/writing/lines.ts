import type { Cell, CellStyle, ColumnSpec } from '#spreadsheets/sheet_spec'

/** Bold and capital letters are wider than digits, the unit of column widths. */
const WIDER = 1.1
/** The width without letters: the indent; in headings also the filter button. */
const PADDING = 2
const HEADING_PADDING = 4

const capacityOf = (width: number, padding: number) =>
  Math.max(1, Math.floor((width - padding) / WIDER))

export const linesOfHeading = ({ heading, width }: Pick<ColumnSpec, 'heading' | 'width'>) =>
  linesIn(heading, capacityOf(width, HEADING_PADDING))

/** The smallest width in which no word of a heading is broken. */
export function minColumnWidth(heading: string) {
  const longest = Math.max(...heading.split(' ').map(({ length }) => length))
  return Math.ceil(longest * WIDER) + HEADING_PADDING
}

/**
 * Greedy word wrap: how many lines a paragraph takes; a word longer than a line is broken.
 *
 * Example, room for 10 characters: "Payment window until" takes 3 lines: Payment / window / until.
 */
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
  const isTyped = typeof cell === 'object' && cell !== null && 'as' in cell
  const text = isTyped ? cell.value : cell
  if (typeof text !== 'string') return 1
  if (isTyped && HEADINGS.has(cell.look)) return linesOfHeading({ heading: text, width })
  if (!wrap) return 1
  const room = capacityOf(width, PADDING)
  return text.split('\n').reduce((sum, paragraph) => sum + linesIn(paragraph, room), 0)
}

const HEADINGS = new Set<CellStyle | undefined>(['heading', 'figureHeading'])
