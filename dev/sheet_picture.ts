import exceljs, { type Cell, type Worksheet } from 'exceljs'

const PIXELS_PER_CHARACTER = 7.2
const ROW_PIXELS = 21

/** A page that shows the first sheet of a workbook as a spreadsheet program does, with its letters, numbers and tabs. */
export async function renderFirstSheet(path: string, fontCss: string): Promise<string> {
  const workbook = new exceljs.Workbook()
  await workbook.xlsx.readFile(path)
  const [sheet] = workbook.worksheets
  const tabs = workbook.worksheets.map(({ name }) => `<span>${escape(name)}</span>`)
  return `<!doctype html><meta charset="utf-8"><style>${fontCss}${STYLE}</style>
    <table>${columns(sheet)}${rows(sheet)}</table><nav>${tabs.join('')}</nav>`
}

const STYLE = `
  body { margin: 0; zoom: 0.826; background: #fff; font: 14px/1.2 'Golos Text', sans-serif; overflow: hidden }
  table { border-collapse: collapse; table-layout: fixed; width: 0 }
  td { height: ${ROW_PIXELS}px; padding: 0 5px; white-space: nowrap; vertical-align: middle; box-sizing: border-box }
  td.text { position: relative; z-index: 1 }
  td.letter, td.number { background: #f3f4f6; border: 1px solid #d1d5db; color: #6b7280; font-size: 12px; text-align: center }
  nav { position: fixed; z-index: 2; bottom: 0; left: 0; right: 0; display: flex; background: #f3f4f6; border-top: 1px solid #d1d5db }
  nav span { padding: 8px 16px; border-right: 1px solid #d1d5db; color: #4b5563; white-space: nowrap }
  nav span:first-child { background: #fff; color: #0f766e; font-weight: 700; box-shadow: inset 0 -3px #0f766e }`

function columns({ columns: all }: Worksheet) {
  const widths = all.map(({ width = 9 }) => Math.round(width * PIXELS_PER_CHARACTER + 5))
  const letters = all.map(({ letter }) => `<td class="letter">${letter}</td>`)
  const cols = [38, ...widths].map((width) => `<col style="width:${width}px">`)
  return `<colgroup>${cols.join('')}</colgroup><tr><td class="letter"></td>${letters.join('')}</tr>`
}

function rows(sheet: Worksheet) {
  const numbers = Array.from({ length: sheet.rowCount }, (_, index) => index + 1)
  return numbers.map((number) => renderRow(sheet, number)).join('')
}

function renderRow(sheet: Worksheet, number: number) {
  const row = sheet.getRow(number)
  const cells = sheet.columns.map((_, index) => renderCell(row.getCell(index + 1)))
  const height = row.height ? ` style="height:${Math.round((row.height * 4) / 3)}px"` : ''
  return `<tr${height}><td class="number">${number}</td>${cells.join('')}</tr>`
}

function renderCell(cell: Cell) {
  const { font, fill, alignment, border } = cell.style
  const isNumber = typeof valueOf(cell) === 'number'
  const style: Record<string, string | undefined> = {
    'font-weight': font?.bold ? '700' : undefined,
    'font-style': font?.italic ? 'italic' : undefined,
    'text-decoration': font?.underline ? 'underline' : undefined,
    'font-size': font?.size ? `${Math.round(font.size * 1.27)}px` : undefined,
    'color': hex(font?.color?.argb),
    'background':
      fill?.type === 'pattern' && fill.pattern === 'solid' ? hex(fill.fgColor?.argb) : undefined,
    'text-align': alignment?.horizontal ?? (isNumber ? 'right' : 'left'),
    'white-space': alignment?.wrapText ? 'normal' : undefined,
    'padding-left': alignment?.indent ? `${5 + alignment.indent * 9}px` : undefined,
    'border-top': line(border?.top),
    'border-bottom': line(border?.bottom),
    'border-left': line(border?.left),
    'border-right': line(border?.right),
  }
  const css = Object.entries(style).map(([name, value]) => value && `${name}:${value}`)
  return `<td class="text" style="${css.filter(Boolean).join(';')}">${escape(shown(cell))}</td>`
}

function line(edge?: { style?: string; color?: { argb?: string } }) {
  if (!edge?.style) return undefined
  return `${edge.style === 'medium' ? 2 : 1}px solid ${hex(edge.color?.argb) ?? '#000'}`
}

const hex = (argb?: string) => argb && `#${argb.slice(-6)}`

/** A formula has the result that was written with it; exceljs leaves a zero out. */
const valueOf = ({ value }: Cell): unknown =>
  value && typeof value === 'object' && 'formula' in value ? (value.result ?? 0) : value

const NUMBERS = new Intl.NumberFormat('en')

/** The value as its number format shows it, for the formats of our workbooks: dates, moments, per cents, whole numbers. */
function shown(cell: Cell): string {
  const value = valueOf(cell)
  const numFmt = cell.numFmt ?? ''
  if (value instanceof Date) {
    const [year, month, day, ...time] = value.toISOString().split(/\D/)
    return `${day}.${month}.${year}${numFmt.includes('h') ? ` ${time.slice(0, 3).join(':')}` : ''}`
  }
  if (typeof value !== 'number') return String(value ?? '')
  return numFmt.includes('%') ? `${NUMBERS.format(value * 100)}%` : NUMBERS.format(value)
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
