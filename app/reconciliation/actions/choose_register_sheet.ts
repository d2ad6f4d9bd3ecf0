import { lockRegister } from '#reconciliation/store/find_register'
import { previewFile, type PreviewOptions } from '#reconciliation/store/register_preview'
import { refuseUnreadable, storedRegisterPath } from '#reconciliation/store/register_file'
import { partsOf } from '#reconciliation/store/register_parts'
import { DISCARD_READING } from '#reconciliation/store/register_state'
import { forgetLeftOut } from '#reconciliation/store/save_parts'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

/** What is omitted stays: the present sheet, and the line that is found to be its header. */
export interface ChooseRegisterSheetInput extends PreviewOptions {
  registerId: number
  version: number
}

const updateSheet = statement<
  object,
  { registerId: number; sheet: string | null; filledSheets: string[]; preview: string }
>(
  'register_set_sheet',
  `UPDATE partner_registers SET sheet = :sheet, filled_sheets = :filledSheets, preview = :preview, mapping = NULL, state = 'uploaded',
          ${DISCARD_READING} WHERE id = :registerId`
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

/** Chooses the sheet of a workbook that is the first part of a register, and the line of its header; discards the mapping. Refuses PART_TWICE. */
export default class ChooseRegisterSheet {
  async handle({ sheet, headerLine, ...seen }: ChooseRegisterSheetInput) {
    return transaction(async (trx) => {
      const found = await lockRegister(seen, 'chooseSheet', trx)
      if (sheet !== undefined && !found.sheets.includes(sheet))
        refuseField('sheet', 'exists', 'fields.not_one_of_these')
      const options = { sheet: sheet ?? found.sheet ?? undefined, headerLine }
      const path = await storedRegisterPath(found).catch(refuseUnreadable)
      const seenNow = await previewFile(path, found, options).catch(refuseUnreadable)
      const { sheet: chosen, filledSheets } = seenNow
      const parts = await partsOf(found, trx)
      const isOther = chosen !== found.sheet
      if (isOther && parts.some((one) => one.sha256 === found.sha256 && one.sheet === chosen))
        refuse('PART_TWICE', { file: found.fileName, sheet: chosen })
      const preview = JSON.stringify(seenNow.preview)
      await updateSheet({ registerId: found.id, sheet: chosen, filledSheets, preview }, trx)
      await forgetLeftOut({ registerId: found.id, sha256: found.sha256, sheet: chosen }, trx)
      if (isOther) for (const forget of forgetLines) await forget({ registerId: found.id }, trx)
    })
  }
}
