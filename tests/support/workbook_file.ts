import { zipOf, type Part } from '#tests/support/zip_file'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

interface Contents {
  /** What stands within `<sheetData>`. */
  rows?: string
  /** The whole sheet instead. */
  sheet?: string
  sharedStrings?: string[]
  /** Number formats; style n is the n-th of them. */
  formats?: string[]
  /** Numbers of built-in formats instead, which have no code in the file. */
  builtInFormats?: number[]
  workbookPr?: string
  /** Puts a hidden sheet before it. */
  hidesFirst?: boolean
  more?: Part[]
}

/** The smallest .xlsx of one sheet called «Реестр», written by hand: nothing of it comes from the code under test. */
export function workbookOf(contents: Contents) {
  const { rows = '', sheet, sharedStrings, workbookPr = '', more, hidesFirst } = contents
  const { formats = [], builtInFormats = [] } = contents
  return zipOf([
    part('_rels/.rels', relations(['officeDocument', 'xl/workbook.xml'])),
    part('xl/workbook.xml', book(workbookPr, hidesFirst)),
    part(
      'xl/_rels/workbook.xml.rels',
      relations(
        ['worksheet', 'worksheets/sheet1.xml'],
        ['styles', '/xl/styles.xml'],
        ['sharedStrings', 'sharedStrings.xml']
      )
    ),
    part('xl/worksheets/sheet1.xml', sheet ?? sheetOf(rows)),
    part('xl/styles.xml', stylesOf(formats, builtInFormats)),
    part('xl/sharedStrings.xml', stringsOf(sharedStrings ?? [])),
    ...(more ?? []),
  ])
}

/** Several sheets, each of lines as in a file with semicolons. */
export function bookOfSheets(sheets: Record<string, string[]>) {
  const names = Object.keys(sheets)
  const list = names.map(
    (name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`
  )
  const targets = names.map((_, i): [string, string] => [
    'worksheet',
    `worksheets/sheet${i + 1}.xml`,
  ])
  const opening = `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>`
  return zipOf([
    part('_rels/.rels', relations(['officeDocument', 'xl/workbook.xml'])),
    part('xl/workbook.xml', `${opening}${list.join('')}</sheets></workbook>`),
    part('xl/_rels/workbook.xml.rels', relations(...targets)),
    ...Object.values(sheets).map((lines, i) =>
      part(`xl/worksheets/sheet${i + 1}.xml`, sheetOf(lines.map(rowOf).join('')))
    ),
  ])
}

const rowOf = (line: string) =>
  `<row>${line
    .split(';')
    .map((text) => (text === '' ? '<c/>' : `<c t="inlineStr"><is><t>${text}</t></is></c>`))
    .join('')}</row>`

export function sheetOf(rows: string) {
  return `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`
}

function part(name: string, content: string): Part {
  return { name, content }
}

function book(workbookPr: string, hidesFirst = false) {
  const hidden = hidesFirst
    ? '<sheet name="Тайный" sheetId="9" state="veryHidden" r:id="rId1"/>'
    : ''
  return `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${workbookPr}<sheets>${hidden}<sheet name="Реестр" sheetId="1" r:id="rId1"/></sheets></workbook>`
}

function relations(...targets: [type: string, target: string][]) {
  const list = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`
  )
  return `<Relationships xmlns="${PACKAGE}">${list.join('')}</Relationships>`
}

function stylesOf(formats: string[], builtIn: number[]) {
  const codes = formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`)
  const numbers = [...formats.map((_, at) => 164 + at), ...builtIn]
  const styles = numbers.map((number) => `<xf numFmtId="${number}"/>`)
  return `<styleSheet xmlns="${MAIN}"><numFmts>${codes.join('')}</numFmts><cellXfs>${styles.join('')}</cellXfs></styleSheet>`
}

function stringsOf(strings: string[]) {
  return `<sst xmlns="${MAIN}">${strings.join('')}</sst>`
}
