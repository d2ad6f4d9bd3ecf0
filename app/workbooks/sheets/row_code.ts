import platform from '#config/platform'
import { safeText } from '#spreadsheets/cells'
import { createHmac } from 'node:crypto'

const LETTERS = 16

/** What a row of a defect is known by. */
export interface CodedRow {
  defectId?: unknown
  caseId?: unknown
  code?: unknown
  orderId?: unknown
  exposure?: unknown
}

/** Only we can make it: a row that comes back with an answer is ours and nothing that matters was changed in it. */
export function rowCodeOf({ defectId, caseId, code, orderId, exposure }: CodedRow) {
  // As it is shown: what somebody else has named may stand in the cell with an apostrophe.
  const order = safeText(String(orderId))
  const said = [defectId, caseId, code, order, exposure].map(String).join('|')
  return keyed('settlement-row', said).slice(0, LETTERS).toUpperCase()
}

/** A sum under a key of ours; each purpose has its own. */
export const keyed = (purpose: string, said: string) =>
  createHmac('sha256', platform.linkKey.release()).update(`${purpose}|${said}`).digest('hex')
