import { UnwritableWorkbook, type ColumnSpec, type PageTexts } from '#spreadsheets/sheet_spec'
import { printable } from '#spreadsheets/writing/cell_text'

/** Rows that a sheet can have, the header among them. */
export const MAX_SHEET_ROWS = 1_048_576
const MAX_SHEET_COLUMNS = 16_384
const MAX_PAGE_LETTERS = 255
const MAX_CHOICE_LETTERS = 255
const NAME = /^[\p{L}_][\p{L}\p{N}_.]{0,254}$/u
const LIKE_CELL = /^([a-z]{1,3}\d+|r\d*c?\d*|c\d*)$/i

/** exceljs writes any name, and Excel then calls the file damaged. */
export function assertSheetName(name: string, taken: Iterable<string>) {
  const isSound =
    name !== '' && name.length <= 31 && !/[*?:/\\[\]'\n\t]/.test(name) && printable(name) === name
  if (!isSound) throw new UnwritableWorkbook(`«${name}» cannot be the name of a sheet`)
  for (const other of taken) {
    if (other.toLowerCase() === name.toLowerCase()) {
      throw new UnwritableWorkbook(`There is a sheet «${other}» already`)
    }
  }
}

export function assertColumns(sheet: string, columns: readonly ColumnSpec[]) {
  if (columns.length === 0 || columns.length > MAX_SHEET_COLUMNS) {
    throw new UnwritableWorkbook(`«${sheet}» cannot have ${columns.length} columns`)
  }
  if (new Set(columns.map(({ key }) => key)).size !== columns.length) {
    throw new UnwritableWorkbook(`«${sheet}» has two columns of one key`)
  }
  for (const { heading, choices } of columns) {
    const length = choices?.join(',').length ?? 0
    const isList = !choices?.some(
      (choice) => /[,"\n\t]/.test(choice) || choice === '' || printable(choice) !== choice
    )
    if (!isList || length > MAX_CHOICE_LETTERS) {
      throw new UnwritableWorkbook(`«${sheet}», «${heading}»: not choices of a list`)
    }
  }
}

/** A defined name. Excel ignores case in names, and refuses names that look like cell references. */
export function assertDefinedName(name: string, taken: Iterable<string>) {
  const isSound = NAME.test(name) && !LIKE_CELL.test(name)
  const isTaken = [...taken].some((other) => other.toLowerCase() === name.toLowerCase())
  if (!isSound || isTaken) {
    throw new UnwritableWorkbook(`${name} ${isSound ? 'is named already' : 'cannot be a name'}`)
  }
}

/** `A1:F40`, the top left corner first. */
export function assertRange(range: string) {
  if (!/^[A-Z]{1,3}[1-9]\d{0,6}(:[A-Z]{1,3}[1-9]\d{0,6})?$/.test(range)) {
    throw new UnwritableWorkbook(`${range} is not a range`)
  }
}

/** The head or foot of printed pages in Excel's codes. */
export function pageTextsCode({ left, centre, right }: PageTexts): string {
  const parts = [
    ['&L', left],
    ['&C', centre],
    ['&R', right],
  ].filter(([, text]) => text)
  const code = parts.map(([place, text]) => `${place}${coded(text ?? '')}`).join('')
  if (code.length > MAX_PAGE_LETTERS)
    throw new UnwritableWorkbook('The head or foot of a page is too long')
  return code
}

/** A number right after `&R` would be a size of letters. */
function coded(text: string) {
  const spaced = /^\d/.test(text) ? ` ${text}` : text
  const own = printable(spaced).replaceAll('&', '&&')
  return own.replaceAll('{pages}', '&N').replaceAll('{page}', '&P')
}
