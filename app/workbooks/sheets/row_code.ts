import { isKeyedHash, keyedHash } from '#workbooks/keyed_hash'
import { safeText } from '#spreadsheets/cells'

const LETTERS = 16
const PURPOSE = 'settlement-row'

/** The fields of a defect's row that its code protects. */
export interface CodedRow {
  defectId?: unknown
  caseId?: unknown
  code?: unknown
  orderId?: unknown
  exposure?: unknown
}

/**
 * The row code of a defect: HMAC-SHA256 under our key, 16 hexadecimal digits. A row that comes back with an answer is
 * accepted only with its code, so none of these fields was changed.
 *
 * Example: defect 7, case 3, CONFIRM_AMOUNT_MISMATCH, order ord_1, exposure 12,000.
 * HMAC of `settlement-row|7|3|CONFIRM_AMOUNT_MISMATCH|ord_1|12000`, first 16 digits in upper case.
 */
export const rowCodeOf = (row: CodedRow) =>
  keyedHash(PURPOSE, codedText(row)).slice(0, LETTERS).toUpperCase()

/** Whether the code is the row's, also one of a workbook that was written before our key was changed. */
export const isRowCode = (row: CodedRow, code: string) =>
  code.length === LETTERS && isKeyedHash(PURPOSE, codedText(row), code.toLowerCase())

function codedText({ defectId, caseId, code, orderId, exposure }: CodedRow) {
  // The order id as the cell shows it, which may have a guarding apostrophe.
  const order = safeText(String(orderId))
  return [defectId, caseId, code, order, exposure].map(String).join('|')
}
