import { columnLetters, quoted } from '#spreadsheets/cells'
import type { ColumnSpec, SheetSpec } from '#spreadsheets/sheet_spec'
import type { ExcelSheet } from '#spreadsheets/writing/exceljs_parts'
import { footerCode } from '#spreadsheets/writing/guards'
import { fillOf, RED_LETTERS } from '#spreadsheets/writing/styles'

const A4 = 9

/** What exceljs must be told when a sheet is opened; later it is too late. */
export function openingOptions(spec: SheetSpec) {
  const hasHeader = spec.hasHeader ?? true
  const xSplit = spec.frozenColumns ?? 0
  const ySplit = hasHeader ? 1 : 0
  const isFrozen = xSplit + ySplit > 0
  return {
    views: [isFrozen ? { state: 'frozen', xSplit, ySplit } : { showGridLines: false }],
    properties: spec.tabColor ? { tabColor: { argb: `FF${spec.tabColor}` } } : {},
    pageSetup: {
      paperSize: A4,
      orientation: spec.isPortrait ? 'portrait' : 'landscape',
      fitToPage: true,
      fitToWidth: 1,
      fitToHeight: 0,
      margins: { left: 0.4, right: 0.4, top: 0.5, bottom: 0.6, header: 0.3, footer: 0.3 },
      ...(hasHeader ? { printTitlesRow: '1:1' } : {}),
    },
    headerFooter: { oddFooter: footerCode(spec.footer ?? {}) || null },
  }
}

/** Rows of data, from the first to the last; one empty row when there are none. */
export interface DataRows {
  first: number
  last: number
}

/** What depends on how many rows there are: filter, protection, conditional formats, lists of choices. */
export function addExtras(sheet: ExcelSheet, spec: SheetSpec, rows: DataRows) {
  if (spec.hasHeader ?? true) {
    sheet.autoFilter = `A1:${columnLetters(spec.columns.length)}${rows.last}`
  }
  if (spec.isProtected) {
    sheet.sheetProtection = { sheet: true, formatColumns: true, sort: true, autoFilter: true }
  }
  for (const [index, column] of spec.columns.entries()) {
    const range = columnRange(index, rows)
    addChoices(sheet, column, range)
    const rules = rulesOf(column)
    if (rules.length > 0) sheet.conditionalFormatting.push({ ref: range, rules })
  }
}

/** `B2:B40`, of the column with this index from 0. */
export function columnRange(index: number, { first, last }: DataRows) {
  const letters = columnLetters(index + 1)
  return `${letters}${first}:${letters}${last}`
}

/** `'Сводка'!$B$2:$B$40`, as names of ranges are kept. */
export function absoluteRange(sheet: string, range: string) {
  const places = range.split(':').map((place) => place.replace(/([A-Z]+)(\d+)/, '$$$1$$$2'))
  return `'${sheet}'!${places.join(':')}`
}

/** Ids are numbers kept as text on purpose: without this Excel marks each with a green corner. */
export function ignoredErrorsXml(spec: SheetSpec, rows: DataRows) {
  const range = `A1:${columnLetters(spec.columns.length)}${rows.last}`
  return `<ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/></ignoredErrors>`
}

function addChoices(sheet: ExcelSheet, { choices }: ColumnSpec, range: string) {
  if (!choices) return
  sheet.dataValidations.add(range, {
    type: 'list',
    allowBlank: true,
    showErrorMessage: true,
    formulae: [quoted(choices.join(','))],
  })
}

function rulesOf({ fills, redNegative, paintWhen }: ColumnSpec) {
  const rules: object[] = Object.entries(fills ?? {}).map(([text, rgb]) => ({
    type: 'cellIs',
    operator: 'equal',
    formulae: [quoted(text)],
    style: fillOf(rgb),
  }))
  if (redNegative) {
    rules.push({ type: 'cellIs', operator: 'lessThan', formulae: ['0'], style: RED_LETTERS })
  }
  if (paintWhen) {
    const { formula, fill } = paintWhen
    rules.push({ type: 'expression', formulae: [formula], style: fillOf(fill) })
  }
  return rules
}
