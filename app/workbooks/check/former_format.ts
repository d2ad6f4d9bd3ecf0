import { defects } from '#workbooks/sheets/defects'
import { changeableColumn, type DataColumn, type DataSheet } from '#workbooks/sheets/sheet'
import type { ColumnKey } from '#workbooks/words/words'

/**
 * Books of format 3 are still with partners. Their sheet of defects has the amount of a case and whose it is; since format 4 each
 * party has an amount of its own, and a case shows what was charged, returned and bought. All other sheets are the same, so a book of format 3 is checked with these two layouts.
 */
export const FORMER_VERSION = 3

const SINCE_4: readonly ColumnKey[] = [
  'buyerExposure',
  'platformExposure',
  'partnerExposure',
  'caseCharged',
  'caseReturned',
  'caseBought',
]

const [rowNumber, ...others] = defects.columns
const shared = others.filter(({ key }) => !SINCE_4.includes(key))

/** The sheet as it was written, which its hash covers. */
export const formerDefects: DataSheet = {
  ...defects,
  columns: [rowNumber, ...shared.flatMap(withParty)],
}

function withParty(column: DataColumn) {
  return column.key === 'exposure' ? [column, changeableColumn('party', 'text', 11)] : [column]
}

/** The columns that mean the same in both formats. */
export const comparableDefects: DataSheet = {
  ...defects,
  columns: [rowNumber, ...shared.filter(({ key }) => key !== 'exposure')],
}
