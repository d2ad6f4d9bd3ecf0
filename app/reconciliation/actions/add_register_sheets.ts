import { lockRegister, type PartnerRegister } from '#reconciliation/store/find_register'
import { previewPart } from '#reconciliation/store/register_preview'
import { refuseUnreadable, storedRegisterPath } from '#reconciliation/store/register_file'
import { assertSameColumns, partsOf, type RegisterPart } from '#reconciliation/store/register_parts'
import { addPart, makeUnread, forgetLeftOut } from '#reconciliation/store/save_parts'
import { namesOfColumns } from '#register_reading/part_columns'
import type { RowsAre } from '#register_reading/register_part'
import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { transaction } from '#shared/transaction'
import { openTables, type TableFile } from '#spreadsheets/read_table'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface AddRegisterSheetsInput {
  registerId: number
  version: number
  sheets: { sha256: string; sheet: string; rowsAre: RowsAre }[]
  actor: Actor
}

/**
 * Makes further sheets of a register's files parts of it: all of them or none. Refuses PART_TWICE and PART_COLUMNS_DIFFER. Returns
 * whether the register has to be read again.
 */
export default class AddRegisterSheets {
  async handle({ sheets, actor, ...seen }: AddRegisterSheetsInput) {
    return transaction(async (trx) => {
      const register = await lockRegister(seen, 'changeParts', trx)
      const columns = namesOfColumns(register.preview)
      const opened = new Map<string, TableFile>()
      for (const { sha256, sheet, rowsAre } of sheets) {
        const { bytes, fileName, filledSheets } = await fileOf(register, sha256, sheet, trx)
        const file = opened.get(sha256) ?? (await openFile(register.id, sha256))
        opened.set(sha256, file)
        const found = await previewPart(file, sheet, columns).catch(refuseUnreadable)
        const part = { ...found, fileName, bytes, sha256, filledSheets, rowsAre }
        assertSameColumns(register, part)
        await forgetLeftOut({ registerId: register.id, sha256, sheet }, trx)
        const undeclared = { declaredRows: null, declaredTenge: null }
        await addPart(register, { ...part, ...undeclared }, actor, trx)
      }
      return makeUnread(register, trx)
    })
  }
}

/** The file of the register that has this sheet. */
async function fileOf(
  register: PartnerRegister,
  sha256: string,
  sheet: string,
  trx: TransactionClientContract
): Promise<RegisterPart> {
  const parts = await partsOf(register, trx)
  const file = parts.find((one) => one.sha256 === sha256)
  if (!file?.filledSheets.includes(sheet)) refuse('NO_SUCH', { what: 'sheet' })
  return file
}

async function openFile(id: number, sha256: string) {
  const path = await storedRegisterPath({ id, sha256 }).catch(refuseUnreadable)
  return openTables(path).catch(refuseUnreadable)
}
