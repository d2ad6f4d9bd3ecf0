import { filledSheetsOf, lookIntoPart } from '#reconciliation/store/look_into'
import {
  findByFile,
  findRegister,
  lockRegister,
  type PartnerRegister,
} from '#reconciliation/store/find_register'
import { registerPath, sha256Of, storedRegisterPath } from '#reconciliation/store/register_file'
import {
  assertSameColumns,
  partsOf,
  undecidedSheetsOf,
  type RegisterPart,
} from '#reconciliation/store/register_parts'
import { takeTurnForSources } from '#reconciliation/store/register_source'
import { nameOf, refuseUnreadable } from '#reconciliation/actions/upload_register'
import type { RowsAre } from '#register_reading/register_part'
import { compareColumns, namesOfColumns } from '#register_reading/part_columns'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { storable } from '#shared/storable'
import { transaction } from '#shared/transaction'
import { openTables, type TableFile } from '#spreadsheets/read_table'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { rename, rm } from 'node:fs/promises'

interface PartsChange {
  registerId: number
  version: number
  actor: Actor
}
/** More than a sheet for each day of a quarter. */
const MOST_PARTS = 100

interface PartRow {
  registerId: number
  number: number
  fileName: string
  bytes: number
  sha256: string
  format: string
  encoding: string | null
  filledSheets: string[]
  sheet: string | null
  headerLine: number
  headers: string
  rowsAre: RowsAre
  declaredRows: number | null
  declaredTenge: bigint | null
  addedBy: string
}
const insertPart = statement<object, PartRow>(
  'register_part_insert',
  `INSERT INTO partner_register_parts
     (register_id, number, file_name, bytes, sha256, format, encoding, filled_sheets, sheet, header_line, headers, rows_are,
      declared_rows, declared_tenge, added_by)
   VALUES (:registerId, :number, :fileName, :bytes, :sha256, :format, :encoding, :filledSheets, :sheet, :headerLine, :headers,
           :rowsAre, :declaredRows, :declaredTenge, :addedBy)`
)
const deletePart = statement<object, { registerId: number; number: number }>(
  'register_part_delete',
  'DELETE FROM partner_register_parts WHERE register_id = :registerId AND number = :number'
)
const insertLeftOut = statement<
  object,
  { registerId: number; sha256: string; sheet: string; reason: string; leftOutBy: string }
>(
  'register_sheet_leave_out',
  `INSERT INTO partner_register_left_out_sheets (register_id, sha256, sheet, reason, left_out_by)
   VALUES (:registerId, :sha256, :sheet, :reason, :leftOutBy)`
)
const deleteLeftOut = statement<
  object,
  { registerId: number; sha256: string; sheet: string | null }
>(
  'register_sheet_take_in',
  `DELETE FROM partner_register_left_out_sheets
    WHERE register_id = :registerId AND sha256 = :sha256 AND (:sheet::text IS NULL OR sheet = :sheet)`
)
// What was read before has not all parts, or too many.
const makeUnread = statement<object, { registerId: number }>(
  'register_parts_changed',
  `UPDATE partner_registers
      SET version = version + 1, control = NULL, problem = NULL, totals = NULL, read_at = NULL, matched_at = NULL,
          state = CASE WHEN state = 'uploaded' THEN state ELSE 'mapped' END
    WHERE id = :registerId`
)

export interface AddRegisterFileInput extends PartsChange {
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
 * nothing of such a file.
 */
export class AddRegisterFile {
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
      const seen = await this.#firstThatFits(register, fileName, file, filledSheets)
      const { rowsAre, declaredRows, declaredTenge } = input
      const part = { ...seen, fileName, bytes, sha256, filledSheets, rowsAre }
      await addPart(register, { ...part, declaredRows, declaredTenge }, input.actor, trx)
      await rename(path, await registerPath({ id: register.id, sha256 }))
      return changed(register, trx)
    })
  }

  async #firstThatFits(
    register: PartnerRegister,
    fileName: string,
    file: TableFile,
    filledSheets: readonly string[]
  ) {
    const columns = namesOfColumns(register.preview)
    const sheets = file.sheets.filter((sheet) => filledSheets.includes(storable(sheet)))
    const first = await lookIntoPart(file, sheets.at(0), columns).catch(refuseUnreadable)
    const seen = [first]
    for (const sheet of sheets.slice(1)) {
      const isFitting = fits(register, seen.at(-1)!)
      if (isFitting) break
      seen.push(await lookIntoPart(file, sheet, columns).catch(refuseUnreadable))
    }
    const found = seen.find((one) => fits(register, one))
    if (!found) assertSameColumns(register, { ...first, fileName })
    return found!
  }
}

export interface AddRegisterSheetsInput extends PartsChange {
  sheets: { sha256: string; sheet: string; rowsAre: RowsAre }[]
}

/** Makes further sheets of a register's files parts of it: all of them or none. Refuses PART_TWICE and PART_COLUMNS_DIFFER. */
export class AddRegisterSheets {
  async handle({ sheets, actor, ...seen }: AddRegisterSheetsInput) {
    return transaction(async (trx) => {
      const register = await lockRegister(seen, 'changeParts', trx)
      const columns = namesOfColumns(register.preview)
      const opened = new Map<string, TableFile>()
      for (const { sha256, sheet, rowsAre } of sheets) {
        const { bytes, fileName, filledSheets } = await fileOf(register, sha256, sheet, trx)
        const file = opened.get(sha256) ?? (await openFile(register.id, sha256))
        opened.set(sha256, file)
        const found = await lookIntoPart(file, sheet, columns).catch(refuseUnreadable)
        const part = { ...found, fileName, bytes, sha256, filledSheets, rowsAre }
        assertSameColumns(register, part)
        await deleteLeftOut({ registerId: register.id, sha256, sheet }, trx)
        const undeclared = { declaredRows: null, declaredTenge: null }
        await addPart(register, { ...part, ...undeclared }, actor, trx)
      }
      return changed(register, trx)
    })
  }
}

export interface LeaveOutSheetsInput extends PartsChange {
  sheets: { sha256: string; sheet: string }[]
  reason: string
}

/** Leaves sheets with rows out of a register, with a reason. */
export class LeaveOutSheets {
  async handle({ sheets, reason, actor, ...seen }: LeaveOutSheetsInput) {
    return transaction(async (trx) => {
      const register = await lockRegister(seen, 'changeParts', trx)
      const undecided = await undecidedSheetsOf(register, trx)
      for (const { sha256, sheet } of sheets) {
        const isUndecided = undecided.some((one) => one.sha256 === sha256 && one.sheet === sheet)
        if (!isUndecided) refuse('NO_SUCH', { what: 'undecided sheet' })
        const row = { registerId: register.id, sha256, sheet, reason, leftOutBy: actor.name }
        await insertLeftOut(row, trx)
      }
      const names = sheets.map(({ sheet }) => sheet)
      const entry = { register_id: register.id, file: register.fileName, sheets: names, reason }
      await record('register_sheets_left_out', entry, { actor, partnerId: register.partnerId }, trx)
      await raiseVersion({ registerId: register.id }, trx)
    })
  }
}
// Nothing that was read changes.
const raiseVersion = statement<object, { registerId: number }>(
  'register_sheets_left_out',
  'UPDATE partner_registers SET version = version + 1 WHERE id = :registerId'
)

export interface RemoveRegisterPartInput extends PartsChange {
  number: number
}

/** Takes a part away from a register that is not yet confirmed; the first part is the register itself and stays. */
export class RemoveRegisterPart {
  async handle({ number, actor, ...seen }: RemoveRegisterPartInput) {
    const { isUnread, unusedFile } = await transaction(async (trx) => {
      const register = await lockRegister(seen, 'changeParts', trx)
      const parts = await partsOf(register, trx)
      const part = parts.find((one) => one.number === number && number > 1)
      if (!part) refuse('NO_SUCH', { what: 'part' })
      const { sha256, fileName, sheet } = part
      const isLastOfFile = parts.every((one) => one === part || one.sha256 !== sha256)
      await deletePart({ registerId: register.id, number }, trx)
      if (isLastOfFile) await deleteLeftOut({ registerId: register.id, sha256, sheet: null }, trx)
      const entry = { register_id: register.id, file: fileName, sheet, sha256 }
      const subjects = { actor, partnerId: register.partnerId }
      await record('register_part_removed', entry, subjects, trx)
      const unread = await changed(register, trx)
      return { ...unread, unusedFile: isLastOfFile ? { id: register.id, sha256 } : null }
    })
    if (unusedFile) await rm(await registerPath(unusedFile), { force: true })
    return { isUnread }
  }
}

type NewPart = Omit<PartRow, 'registerId' | 'number' | 'headers' | 'addedBy'> & {
  headers: string[]
}

async function addPart(
  register: PartnerRegister,
  { headers, ...part }: NewPart,
  actor: Actor,
  trx: TransactionClientContract
) {
  const { fileName, sheet, sha256 } = part
  const parts = await partsOf(register, trx)
  if (parts.some((one) => one.sha256 === sha256 && one.sheet === sheet))
    refuse('PART_TWICE', { file: fileName, sheet })
  if (parts.length >= MOST_PARTS) refuseField('parts', 'maxLength', 'registers.too_many_parts')
  await insertPart(
    {
      ...part,
      registerId: register.id,
      number: parts.at(-1)!.number + 1,
      headers: JSON.stringify(headers),
      addedBy: actor.name,
    },
    trx
  )
  const entry = { register_id: register.id, file: fileName, sheet, sha256, rows_are: part.rowsAre }
  await record('register_part_added', entry, { actor, partnerId: register.partnerId }, trx)
}

/** Returns whether the register has to be read again. */
async function changed(register: PartnerRegister, trx: TransactionClientContract) {
  await makeUnread({ registerId: register.id }, trx)
  return { isUnread: register.state !== 'uploaded' }
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

function fits(register: PartnerRegister, part: { headers: string[] }) {
  return compareColumns(namesOfColumns(register.preview), part.headers).isSame
}

async function refuseTaken(id: number): Promise<never> {
  const { fileName } = await findRegister(id)
  return refuse('REGISTER_FILE_TAKEN', { register_id: id, file: fileName })
}
