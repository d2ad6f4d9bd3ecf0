import {
  findByFile,
  findRegister,
  lockRegister,
  type PartnerRegister,
} from '#reconciliation/store/find_register'
import { filledSheetsOf, previewPart } from '#reconciliation/store/register_preview'
import {
  nameOf,
  refuseUnreadable,
  registerPath,
  sha256Of,
} from '#reconciliation/store/register_file'
import { assertSameColumns } from '#reconciliation/store/register_parts'
import { takeTurnForSources } from '#reconciliation/store/register_source'
import { addPart, makeUnread } from '#reconciliation/store/save_parts'
import { compareColumns, namesOfColumns } from '#register_reading/part_columns'
import type { RowsAre } from '#register_reading/register_part'
import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { storable } from '#shared/storable'
import { transaction } from '#shared/transaction'
import { openTables, type TableFile } from '#spreadsheets/read_table'
import { rename, rm } from 'node:fs/promises'

export interface AddRegisterFileInput {
  registerId: number
  version: number
  actor: Actor
  /** The uploaded file; it is moved or deleted. */
  path: string
  fileName: string
  /** What rows of the file are that do not say it. */
  rowsAre: RowsAre
  /** What the cover letter states about this file. */
  declaredRows: number | null
  declaredTenge: bigint | null
}

/**
 * Adds a further file to a register that is not yet confirmed. Of a workbook its first sheet with the register's columns becomes
 * a part; people decide about the others. Refuses REGISTER_FILE_TAKEN, PART_COLUMNS_DIFFER and REGISTER_UNREADABLE, and keeps
 * nothing of such a file. Returns whether the register has to be read again.
 */
export default class AddRegisterFile {
  async handle({ path, ...input }: AddRegisterFileInput) {
    try {
      return await this.#add(path, input)
    } finally {
      await rm(path, { force: true })
    }
  }

  async #add(path: string, input: Omit<AddRegisterFileInput, 'path'>) {
    const { partnerId } = await findRegister(input.registerId)
    const { sha256, bytes } = await sha256Of(path)
    const file = await openTables(path).catch(refuseUnreadable)
    const filledSheets = await filledSheetsOf(file)
    return transaction(async (trx) => {
      // Nobody else uploads the same file meanwhile.
      await takeTurnForSources(partnerId, trx)
      const register = await lockRegister(input, 'changeParts', trx)
      const taken = await findByFile(partnerId, sha256, trx)
      if (taken) await refuseTaken(taken.id)
      const fileName = nameOf(input.fileName)
      const seen = await firstThatFits(register, fileName, file, filledSheets)
      const { rowsAre, declaredRows, declaredTenge } = input
      const part = { ...seen, fileName, bytes, sha256, filledSheets, rowsAre }
      await addPart(register, { ...part, declaredRows, declaredTenge }, input.actor, trx)
      await rename(path, await registerPath({ id: register.id, sha256 }))
      return makeUnread(register, trx)
    })
  }
}

/** The first sheet with the register's columns; where none has them, the refusal is about the first one. */
async function firstThatFits(
  register: PartnerRegister,
  fileName: string,
  file: TableFile,
  filledSheets: readonly string[]
) {
  const columns = namesOfColumns(register.preview)
  const sheets = file.sheets.filter((sheet) => filledSheets.includes(storable(sheet)))
  for (const sheet of sheets) {
    const seen = await previewPart(file, sheet, columns).catch(refuseUnreadable)
    if (compareColumns(columns, seen.headers).isSame) return seen
  }
  const first = await previewPart(file, sheets.at(0), columns).catch(refuseUnreadable)
  assertSameColumns(register, { ...first, fileName })
  return first
}

async function refuseTaken(id: number): Promise<never> {
  const { fileName } = await findRegister(id)
  return refuse('REGISTER_FILE_TAKEN', { register_id: id, file: fileName })
}
