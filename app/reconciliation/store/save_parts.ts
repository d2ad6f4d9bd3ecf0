import type { PartnerRegister } from '#reconciliation/store/find_register'
import { partsOf } from '#reconciliation/store/register_parts'
import { MAKE_UNREAD } from '#reconciliation/store/register_state'
import type { RowsAre } from '#register_reading/register_part'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

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
export type NewPart = Omit<PartRow, 'registerId' | 'number' | 'headers' | 'addedBy'> & {
  headers: string[]
}
const insertPart = statement<object, PartRow>(
  'register_part_insert',
  `INSERT INTO partner_register_parts
     (register_id, number, file_name, bytes, sha256, format, encoding, filled_sheets, sheet, header_line, headers, rows_are,
      declared_rows, declared_tenge, added_by)
   VALUES (:registerId, :number, :fileName, :bytes, :sha256, :format, :encoding, :filledSheets, :sheet, :headerLine, :headers,
           :rowsAre, :declaredRows, :declaredTenge, :addedBy)`
)
const updateRegister = statement<object, { registerId: number }>(
  'register_parts_changed',
  `UPDATE partner_registers SET ${MAKE_UNREAD} WHERE id = :registerId`
)
/** A sheet that is read is not left out; null for all sheets of a file. */
export const forgetLeftOut = statement<
  object,
  { registerId: number; sha256: string; sheet: string | null }
>(
  'register_sheet_take_in',
  `DELETE FROM partner_register_left_out_sheets
    WHERE register_id = :registerId AND sha256 = :sha256 AND (:sheet::text IS NULL OR sheet = :sheet)`
)

/** Adds a part after the last one. Refuses PART_TWICE. */
export async function addPart(
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

/** What was read lacks a part, or has one too many: it is discarded. Returns whether the register has to be read again. */
export async function makeUnread(register: PartnerRegister, trx: TransactionClientContract) {
  await updateRegister({ registerId: register.id }, trx)
  return { isUnread: register.state !== 'uploaded' }
}
