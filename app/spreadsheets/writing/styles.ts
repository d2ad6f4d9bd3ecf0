import ExcelJS from 'exceljs'
import type { CellKind, ColumnSpec, CellStyle } from '#spreadsheets/sheet_spec'
import type { ExcelBook } from '#spreadsheets/writing/exceljs_parts'

// prettier-ignore
const FORMATS: Record<CellKind, string> = {
  text:    '@',
  id:      '@',
  tenge:   '#,##0',
  count:   '#,##0',
  moment:  'dd.mm.yyyy hh:mm:ss',
  date:    'dd.mm.yyyy',
  percent: '0.00%',
  flag:    '0',
  formula: 'General',
}
/** Text keeps its distance from the number before it. */
const ALIGNMENTS: Partial<Record<CellKind, object>> = {
  text: { horizontal: 'left', indent: 1 },
  id: { horizontal: 'left', indent: 1 },
  flag: { horizontal: 'center' },
  formula: { horizontal: 'left', indent: 1 },
}
/** Where somebody is to write. */
const INPUT = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFFFBE6' } }
const GREY = 'FFE7E9ED'
const HEADING = {
  font: { name: 'Calibri', size: 11, bold: true },
  alignment: { vertical: 'middle', horizontal: 'left', indent: 1, wrapText: true },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: GREY } },
  border: { bottom: { style: 'thin', color: { argb: 'FF9AA1AC' } } },
}
const LOOKS: Record<CellStyle, object> = {
  title: { font: { name: 'Calibri', size: 16, bold: true } },
  strong: { font: { name: 'Calibri', size: 11, bold: true } },
  muted: { font: { name: 'Calibri', size: 11, color: { argb: 'FF6B7280' } } },
  heading: HEADING,
  figureHeading: {
    ...HEADING,
    alignment: { ...HEADING.alignment, horizontal: 'right', indent: 0 },
  },
  fact: { alignment: { vertical: 'top', horizontal: 'left', indent: 1 } },
  link: { font: { name: 'Calibri', size: 11, underline: true, color: { argb: 'FF1F5FBF' } } },
}

type Appearance = Pick<ColumnSpec, 'kind' | 'format' | 'wrap' | 'isUnlocked'> & { look?: CellStyle }

/** The styles of a book, each once: styles per cell make a book slow, and Excel takes only 65,490. */
export class Styles {
  #numbers = new Map<string, number>()

  constructor(private readonly book: ExcelBook) {}

  /** The number that a cell names its style by. */
  numberOf({ kind, format, wrap, isUnlocked, look }: Appearance): number {
    const key = [kind, format, wrap, isUnlocked, look].join('|')
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const wrapping = wrap ? { wrapText: true } : {}
    const style = {
      numFmt: format ?? FORMATS[kind],
      alignment: { vertical: 'top', ...ALIGNMENTS[kind], ...wrapping },
      ...(isUnlocked ? { protection: { locked: false }, fill: INPUT } : {}),
      ...(look ? LOOKS[look] : {}),
    }
    const number = this.book.styles.addStyleModel(style, ExcelJS.ValueType.Number)
    this.#numbers.set(key, number)
    return number
  }
}

/** A fill of conditional formats, which take the colour from the other end. */
export function fillOf(rgb: string) {
  return { fill: { type: 'pattern', pattern: 'solid', bgColor: { argb: `FF${rgb}` } } }
}

export const RED_LETTERS = { font: { color: { argb: 'FFC00000' } } }
