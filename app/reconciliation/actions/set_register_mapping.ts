import { REGISTER_FIELDS, type RegisterField } from '#register_reading/header_words'
import { lockRegister, type PartnerRegister } from '#reconciliation/store/find_register'
import type { ColumnMapping } from '#register_reading/register_table'
import { rememberMapping } from '#register_reading/remembered_mapping'
import { lookInto, type LookOptions } from '#reconciliation/store/look_into'
import { assertSameColumns, partsOf } from '#reconciliation/store/register_parts'
import { storedRegisterPath } from '#reconciliation/store/register_file'
import { refuseUnreadable } from '#reconciliation/actions/upload_register'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

interface RegisterVersion {
  registerId: number
  version: number
  actor: Actor
}
export interface SetRegisterMappingInput extends RegisterVersion {
  mapping: ColumnMapping
}

const updateMapping = statement<object, { registerId: number; mapping: string }>(
  'register_set_mapping',
  `UPDATE partner_registers SET mapping = :mapping, state = 'mapped', control = NULL, problem = NULL, totals = NULL,
          read_at = NULL, matched_at = NULL, version = version + 1 WHERE id = :registerId`
)
const remember = statement<object, { partnerId: number; remembered: string }>(
  'register_remember_mapping',
  `INSERT INTO partner_register_habits (partner_id, mapping) VALUES (:partnerId, :remembered)
   ON CONFLICT (partner_id) DO UPDATE SET mapping = EXCLUDED.mapping`
)
const updateSheet = statement<
  object,
  { registerId: number; sheet: string | null; filledSheets: string[]; preview: string }
>(
  'register_set_sheet',
  `UPDATE partner_registers SET sheet = :sheet, filled_sheets = :filledSheets, preview = :preview, mapping = NULL, state = 'uploaded', control = NULL, problem = NULL,
          totals = NULL, read_at = NULL, matched_at = NULL, version = version + 1 WHERE id = :registerId`
)
// A sheet that is read is not left out.
const takeInSheet = statement<object, { registerId: number; sha256: string; sheet: string | null }>(
  'register_take_in_first_sheet',
  `DELETE FROM partner_register_left_out_sheets
    WHERE register_id = :registerId AND sha256 = :sha256 AND sheet = :sheet`
)
// Another sheet has another number of rows.
const forgetLines = [
  statement<object, { registerId: number }>(
    'register_forget_lines',
    'UPDATE partner_registers SET lines_given = 0 WHERE id = :registerId'
  ),
  statement<object, { registerId: number }>(
    'register_forget_lines_of_parts',
    'UPDATE partner_register_parts SET first_line = NULL WHERE register_id = :registerId'
  ),
]

/** Sets the mapping of a register, discards what was read by another one, and remembers it for the partner's next register. */
export default class SetRegisterMapping {
  async handle({ mapping, actor, ...seen }: SetRegisterMappingInput) {
    return transaction(async (trx) => {
      const found = await lockRegister(seen, 'map', trx)
      assertMapping(mapping, found)
      for (const part of await partsOf(found, trx)) assertSameColumns(found, part)
      await updateMapping({ registerId: found.id, mapping: JSON.stringify(mapping) }, trx)
      const remembered = rememberMapping(mapping, found.preview.headers)
      if (Object.keys(remembered).length > 0)
        await remember({ partnerId: found.partnerId, remembered: JSON.stringify(remembered) }, trx)
      const entry = { register_id: found.id, mapping: wordsOf(mapping, found) }
      await record('register_mapped', entry, { actor, partnerId: found.partnerId }, trx)
      return { registerId: found.id, version: found.version + 1 }
    })
  }
}

/** Chooses another sheet of the workbook or another line as the header; discards the mapping. */
export class LookAgain {
  async handle({ sheet, headerLine, ...seen }: Omit<RegisterVersion, 'actor'> & LookOptions) {
    return transaction(async (trx) => {
      const found = await lockRegister(seen, 'lookAgain', trx)
      if (sheet !== undefined && !found.sheets.includes(sheet))
        refuseField('sheet', 'exists', 'fields.not_one_of_these')
      const options = { sheet: sheet ?? found.sheet ?? undefined, headerLine }
      const path = await storedRegisterPath(found).catch(refuseUnreadable)
      const seenNow = await lookInto(path, found.partnerId, options).catch(refuseUnreadable)
      const { sheet: chosen, filledSheets } = seenNow
      const parts = await partsOf(found, trx)
      const isOther = chosen !== found.sheet
      if (isOther && parts.some((one) => one.sha256 === found.sha256 && one.sheet === chosen))
        refuse('PART_TWICE', { file: found.fileName, sheet: chosen })
      const preview = JSON.stringify(seenNow.preview)
      await updateSheet({ registerId: found.id, sheet: chosen, filledSheets, preview }, trx)
      await takeInSheet({ registerId: found.id, sha256: found.sha256, sheet: chosen }, trx)
      if (isOther) for (const forget of forgetLines) await forget({ registerId: found.id }, trx)
    })
  }
}

/** Without a number, rows are matched by day and amount. */
const MATCHED_BY: RegisterField[] = [
  'partnerOrderId',
  'orderId',
  'paymentId',
  'paidAt',
  'createdAt',
]

function assertMapping(mapping: ColumnMapping, { preview }: PartnerRegister) {
  const entries = Object.entries(mapping)
  const columns = entries.map(([, column]) => column)
  const isOfFile = entries.every(
    ([field, column]) =>
      REGISTER_FIELDS.includes(field as RegisterField) && column >= 0 && column < preview.width
  )
  if (!isOfFile) refuseField('mapping', 'exists', 'fields.not_one_of_these')
  if (new Set(columns).size < columns.length)
    refuseField('mapping', 'distinct', 'registers.column_twice')
  if (mapping.amount === undefined) refuseField('mapping', 'required', 'registers.amount_missing')
  if (MATCHED_BY.every((field) => mapping[field] === undefined))
    refuseField('mapping', 'required', 'registers.identifier_missing')
}

/** field → its header, or the number of its column. */
const wordsOf = (mapping: ColumnMapping, { preview }: PartnerRegister) =>
  Object.fromEntries(
    Object.entries(mapping).map(([field, column]) => [
      field,
      preview.headers[column] || `${column + 1}`,
    ])
  )
