import { ALL_SHEETS } from '#workbooks/sheets/all'
import { balances } from '#workbooks/sheets/balances'
import { defects } from '#workbooks/sheets/defects'
import {
  changeableColumn,
  rowNumber,
  type DataColumn,
  type DataSheet,
} from '#workbooks/sheets/sheet'
import type { ColumnKey } from '#workbooks/words/words'

/**
 * Books of format 3, which release 0.2.0 wrote, are still with partners. What format 4 has, and format 3 has not:
 *   a sheet of balances
 *   defects   an amount for each party, not an amount and its party; the sums of a case's balance; the probable sum (`probable`)
 *   all data  words in the printed columns, the codes further right
 *   summary   names of defects, their codes in a column of their own; the period in words
 *   act       the period in words, and more lines
 * Other data is the same under other names (`formerWords`). So a book of format 3 is checked with these layouts, and of its pages
 * only the hashes count.
 */
export const FORMER_VERSION = 3

/** The columns of format 3 in its order, which its hash depends on. Without links and the partner's answers. */
// prettier-ignore
const FORMER_COLUMNS = [
  'defectId', 'caseId', 'code', 'severity', 'subclass', 'state', 'fault', 'orderId', 'partnerOrderId', 'occurredAt',
  'exposure', 'party', 'seatsResold', 'dueOn', 'name', 'foundAt', 'attempts', 'payments', 'claimed', 'total',
  'isStrictBreach', 'hint', 'paymentId', 'eventTitle', 'createdAt', 'windowEndsAt', 'paidAtRaw', 'paidAt', 'deviation',
  'linkedOrders', 'resolution', 'stateBy', 'stateAt', 'rowCode',
] as const satisfies readonly ColumnKey[]

/** The sheet with codes where it has their words now. */
function withCodesInPlace(sheet: DataSheet): DataSheet {
  const [no, ...columns] = sheet.columns
  const codes = new Set(columns.map(({ wordsFor }) => wordsFor))
  const former = columns
    .filter(({ key }) => !codes.has(key))
    .map((column) => columns.find(({ key }) => key === column.wordsFor) ?? column)
  return { ...sheet, columns: [no, ...former] }
}

/** The sheets of format 3; that of defects has layouts of its own below. */
export const FORMER_SHEETS = ALL_SHEETS.filter(({ key }) => key !== balances.key).map(
  withCodesInPlace
)

/** What format 4 has not, or means otherwise. */
const NOT_COMPARABLE: readonly ColumnKey[] = ['exposure', 'party']

const columnOf = (key: ColumnKey): DataColumn =>
  defects.columns.find((column) => column.key === key) ?? changeableColumn(key, 'text', 11)

const sheetOf = (keys: readonly ColumnKey[]): DataSheet => ({
  ...defects,
  columns: [rowNumber('def_no', 'changeable'), ...keys.map(columnOf)],
})

/** The sheet as it was written, which its hash covers. */
export const formerDefects = sheetOf(FORMER_COLUMNS)

/** The columns that mean the same in both formats. */
export const comparableDefects = sheetOf(
  FORMER_COLUMNS.filter((key) => !NOT_COMPARABLE.includes(key))
)
