import { columnLetters, quoted } from '#spreadsheets/cells'
import { UnwritableWorkbook, type ColumnSpec, type SheetSpec } from '#spreadsheets/sheet_spec'
import type { ExcelSheet } from '#spreadsheets/writing/exceljs_parts'
import { pageTextsCode } from '#spreadsheets/writing/guards'
import { fillOf, RED_LETTERS } from '#spreadsheets/writing/styles'

const A4 = 9
/** In inches. A printed head takes room above the rows. */
const TOP_MARGIN = { withHeader: 0.75, withoutHeader: 0.5 }
/** Validation of date cells that the partner fills in. */
const ANY_DAY = {
  type: 'date',
  operator: 'greaterThan',
  allowBlank: true,
  showErrorMessage: true,
  formulae: [new Date('2020-01-01T00:00:00Z')],
}

/** The options that exceljs takes only when a sheet is opened. */
export function openingOptions(spec: SheetSpec) {
  const hasHeader = spec.hasHeader ?? true
  const xSplit = spec.paneColumns ?? 0
  const ySplit = hasHeader ? 1 : 0
  const hasPanes = xSplit + ySplit > 0
  return {
    views: [hasPanes ? { state: 'frozen', xSplit, ySplit } : { showGridLines: false }],
    properties: spec.tabColor ? { tabColor: { argb: `FF${spec.tabColor}` } } : {},
    pageSetup: {
      paperSize: A4,
      orientation: 'landscape',
      fitToPage: true,
      fitToWidth: 1,
      fitToHeight: spec.isOnePage ? 1 : 0,
      margins: {
        left: 0.4,
        right: 0.4,
        top: spec.header ? TOP_MARGIN.withHeader : TOP_MARGIN.withoutHeader,
        bottom: 0.6,
        header: 0.3,
        footer: 0.3,
      },
      ...(hasHeader ? { printTitlesRow: '1:1' } : {}),
    },
    headerFooter: {
      oddHeader: pageTextsCode(spec.header ?? {}) || null,
      oddFooter: pageTextsCode(spec.footer ?? {}) || null,
    },
  }
}

/** Rows of data, from the first to the last; one empty row when there are none. */
export interface DataRows {
  first: number
  last: number
}

/** The bottom right corner of what was written, by numbers from 1. */
export interface LastCell {
  row: number
  column: number
}

/** Adds what depends on the number of rows: filter, protection, print area, conditional formats, lists of choices. */
export function addExtras(sheet: ExcelSheet, spec: SheetSpec, rows: DataRows, last: LastCell) {
  if (spec.hasHeader ?? true) {
    sheet.autoFilter = `A1:${columnLetters(spec.columns.length)}${rows.last}`
  }
  if (spec.isProtected) {
    sheet.sheetProtection = { sheet: true, formatColumns: true, sort: true, autoFilter: true }
  }
  // Without an area some programs print empty pages of columns that only have a width.
  const printed = columnLetters(spec.printedColumns ?? last.column)
  // exceljs puts a dollar before each corner, and none before its row.
  sheet.pageSetup.printArea = `A$1:${printed}$${last.row}`
  for (const [index, column] of spec.columns.entries()) {
    addChoices(sheet, column, columnRange(index, rows))
  }
  sheet.conditionalFormatting.push(...formatsOf(spec, rows))
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

function addChoices(sheet: ExcelSheet, { choices, kind, isUnlocked }: ColumnSpec, range: string) {
  if (isUnlocked && kind === 'date') sheet.dataValidations.add(range, ANY_DAY)
  if (!choices) return
  sheet.dataValidations.add(range, {
    type: 'list',
    allowBlank: true,
    showErrorMessage: true,
    formulae: [quoted(choices.join(','))],
  })
}

/** One rule for all its columns; a rule per cell makes a large sheet slow. */
function formatsOf({ columns, conditionalFills = [] }: SheetSpec, rows: DataRows) {
  const formats = columns.flatMap(({ fills }, index) =>
    fills ? [{ ref: columnRange(index, rows), rules: fillRules(fills) }] : []
  )
  const red = columns.flatMap(({ redNegative }, index) => (redNegative ? [index] : []))
  const negative = { type: 'cellIs', operator: 'lessThan', formulae: ['0'], style: RED_LETTERS }
  if (red.length > 0) formats.push({ ref: rangesOf(red, rows), rules: [negative] })
  const place = new Map(columns.map(({ key }, index) => [key, index]))
  const placeOf = (key: string) => {
    const index = place.get(key)
    if (index === undefined) throw new UnwritableWorkbook(`There is no column ${key} to fill`)
    return index
  }
  for (const fill of conditionalFills) {
    const formula = fill.when.replace(/\{(\w+)\}/g, (_, key: string) => {
      return `$${columnLetters(placeOf(key) + 1)}${rows.first}`
    })
    const rule = { type: 'expression', formulae: [formula], style: fillOf(fill.fill) }
    formats.push({ ref: rangesOf(fill.columns.map(placeOf), rows), rules: [rule] })
  }
  return formats
}

function fillRules(fills: Readonly<Record<string, string>>): object[] {
  return Object.entries(fills).map(([text, rgb]) => ({
    type: 'cellIs',
    operator: 'equal',
    formulae: [quoted(text)],
    style: fillOf(rgb),
  }))
}

/** `B2:D40 F2:F40`: columns that lie side by side are one range. */
function rangesOf(indexes: readonly number[], { first, last }: DataRows) {
  const runs: { from: number; to: number }[] = []
  for (const index of indexes.toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run?.to === index - 1) run.to = index
    else runs.push({ from: index, to: index })
  }
  const place = ({ from, to }: { from: number; to: number }) =>
    `${columnLetters(from + 1)}${first}:${columnLetters(to + 1)}${last}`
  return runs.map(place).join(' ')
}
