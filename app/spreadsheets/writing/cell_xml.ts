import type { Cell, CellKind, CellValue, FormulaCell, CellStyle } from '#spreadsheets/sheet_spec'
import {
  dateNumber,
  finiteNumber,
  momentNumber,
  describe,
  UnwritableValue,
  wholeNumber,
} from '#spreadsheets/writing/cell_numbers'
import { printable, safeText, xmlText } from '#spreadsheets/writing/cell_text'

/** A cell's style number by its kind and style. */
export type StyleOf = (kind: CellKind, look?: CellStyle) => number

const MAX_FORMULA_LETTERS = 8_192

/**
 * One cell as XML. `reference` is its place, as `B7`. Empty cells are left out unless `keepsEmpty`: on a protected sheet
 * an empty cell must exist to be editable. Throws `UnwritableValue` for what Excel would call damaged.
 */
export function cellXml(
  cell: Cell,
  kind: CellKind,
  reference: string,
  styleOf: StyleOf,
  keepsEmpty: boolean
): string {
  if (isObject(cell) && 'as' in cell) {
    const style = styleOf(cell.as, cell.look)
    const keeps = keepsEmpty || cell.look !== undefined
    return valueXml(cell.value, cell.as, `<c r="${reference}" s="${style}"`, keeps)
  }
  const start = `<c r="${reference}" s="${styleOf(kind)}"`
  return valueXml(cell, kind, start, keepsEmpty)
}

function valueXml(value: CellValue | FormulaCell, kind: CellKind, start: string, keeps: boolean) {
  if (value === null || value === undefined) return keeps ? `${start}/>` : ''
  if (isObject(value)) return formulaXml(value, kind, start)
  if (kind === 'formula') throw new UnwritableValue(`${describe(value)} is not a formula`)
  if (kind === 'text' || kind === 'id') return textXml(value, start, keeps)
  return `${start}><v>${numberOf(value, kind)}</v></c>`
}

function textXml(value: CellValue, start: string, keeps: boolean) {
  if (typeof value !== 'string') throw new UnwritableValue(`${describe(value)} is not text`)
  const text = safeText(value)
  if (text === '') return keeps ? `${start}/>` : ''
  return `${start} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`
}

function formulaXml({ formula, result }: FormulaCell, kind: CellKind, start: string) {
  const isSound = typeof formula === 'string' && formula !== '' && !/^[=\s]/.test(formula)
  if (!isSound) throw new UnwritableValue('not a formula, which is written without "="')
  const isLong = formula.length > MAX_FORMULA_LETTERS
  if (isLong) throw new UnwritableValue('the formula is too long')
  if (printable(formula) !== formula) throw new UnwritableValue('the formula cannot be printed')
  const { type, text } = resultXml(result, kind)
  return `${start}${type}><f>${xmlText(formula)}</f><v>${text}</v></c>`
}

/** A link's text is ours and is not guarded: it must equal the text in the formula. */
function resultXml(result: FormulaCell['result'], kind: CellKind) {
  if (typeof result === 'string') return { type: ' t="str"', text: xmlText(ownText(result)) }
  if (typeof result === 'boolean') return { type: ' t="b"', text: result ? '1' : '0' }
  if (kind === 'formula' || kind === 'text' || kind === 'id') {
    return { type: '', text: plainNumber(result) }
  }
  return { type: '', text: numberOf(result, kind) }
}

function ownText(text: string) {
  if (text.length > 255) throw new UnwritableValue('the result of a formula is too long')
  return safeText(text) === `'${text}` ? text : safeText(text)
}

function plainNumber(result: FormulaCell['result']) {
  if (result === null || result === undefined) {
    throw new UnwritableValue('a formula needs its result: a file from the net opens uncalculated')
  }
  if (result instanceof Date) return momentNumber(result)
  return typeof result === 'bigint' ? wholeNumber(result) : finiteNumber(result)
}

function numberOf(value: CellValue, kind: Exclude<CellKind, 'text' | 'id' | 'formula'>) {
  switch (kind) {
    case 'tenge':
    case 'count':
      return wholeNumber(value)
    case 'percent':
      return finiteNumber(value)
    case 'moment':
      return momentNumber(value)
    case 'date':
      return dateNumber(value)
    case 'flag':
      return flagNumber(value)
  }
}

function flagNumber(value: CellValue) {
  if (typeof value === 'boolean') return value ? '1' : '0'
  throw new UnwritableValue(`${describe(value)} is not true or false`)
}

function isObject(cell: Cell): cell is Exclude<Cell, CellValue> {
  const isPlain = typeof cell === 'object' && cell !== null && !(cell instanceof Date)
  if (isPlain && !('formula' in cell) && !('as' in cell)) {
    throw new UnwritableValue('an object is not a cell')
  }
  return isPlain
}
