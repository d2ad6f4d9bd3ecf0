import { compareColumns, namesOfColumns } from '#register_reading/part_columns'
import type { RowsAre } from '#register_reading/register_part'
import type { PartnerRegister } from '#reconciliation/store/find_register'
import type { NumberedPart } from '#reconciliation/store/place_of_line'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** A sheet or file of a register. */
export interface RegisterPart extends NumberedPart {
  bytes: number
  sha256: string
  /** The sheets of its file that have rows. */
  filledSheets: string[]
  headerLine: number
  /** Names of its columns. */
  headers: string[]
  rowsAre: RowsAre
  declaredRows: number | null
  declaredTenge: bigint | null
  addedBy: string
  addedAt: Date
}
/** A sheet with rows of one of the register's files. */
export interface SheetOfFile {
  sha256: string
  file: string
  sheet: string
}
export interface LeftOutSheet {
  sha256: string
  sheet: string
  reason: string
  leftOutBy: string
}

const selectFurther = statement<RegisterPart, { registerId: number }>(
  'register_further_parts',
  `SELECT number, file_name AS "fileName", bytes, sha256, filled_sheets AS "filledSheets", sheet, header_line AS "headerLine",
          headers, rows_are AS "rowsAre", declared_rows AS "declaredRows", declared_tenge AS "declaredTenge",
          first_line AS "firstLine", added_by AS "addedBy", added_at AS "addedAt"
     FROM partner_register_parts WHERE register_id = :registerId ORDER BY number`
)
const selectLeftOut = statement<LeftOutSheet, { registerId: number }>(
  'register_left_out_sheets',
  `SELECT sha256, sheet, reason, left_out_by AS "leftOutBy" FROM partner_register_left_out_sheets
    WHERE register_id = :registerId ORDER BY left_out_at, sheet`
)

/** All parts of a register in their order; its own row has the first one. */
export async function partsOf(
  register: PartnerRegister,
  client?: QueryClientContract
): Promise<RegisterPart[]> {
  const first: RegisterPart = {
    number: 1,
    fileName: register.fileName,
    bytes: register.bytes,
    sha256: register.sha256,
    // Of a file that was uploaded before anybody looked, each sheet may have rows.
    filledSheets: register.filledSheets ?? register.sheets,
    sheet: register.sheet,
    headerLine: register.preview.headerLine,
    headers: namesOfColumns(register.preview),
    rowsAre: 'as_stated',
    declaredRows: null,
    declaredTenge: null,
    firstLine: 1,
    addedBy: register.uploadedBy,
    addedAt: register.uploadedAt,
  }
  return [first, ...(await selectFurther({ registerId: register.id }, client))]
}

export const leftOutSheetsOf = (registerId: number, client?: QueryClientContract) =>
  selectLeftOut({ registerId }, client)

/** Sheets with rows that nobody has decided about: each is a part, or is left out with a reason. */
export async function undecidedSheetsOf(
  register: PartnerRegister,
  client?: QueryClientContract
): Promise<SheetOfFile[]> {
  const parts = await partsOf(register, client)
  const leftOut = await leftOutSheetsOf(register.id, client)
  const isOf = (sha256: string, sheet: string) => (one: { sha256: string; sheet: string | null }) =>
    one.sha256 === sha256 && one.sheet === sheet
  return filesOf(parts).flatMap(({ sha256, fileName, filledSheets }) =>
    filledSheets
      .filter((sheet) => ![...parts, ...leftOut].some(isOf(sha256, sheet)))
      .map((sheet) => ({ sha256, file: fileName, sheet }))
  )
}

/** Each file once, although several of its sheets may be parts. */
export const filesOf = (parts: readonly RegisterPart[]): RegisterPart[] =>
  [...new Map(parts.toReversed().map((part) => [part.sha256, part])).values()].toReversed()

const selectPartsOf = statement<NumberedPart & { registerId: number }, { ids: number[] }>(
  'registers_with_several_parts',
  `SELECT id AS "registerId", 1 AS number, file_name AS "fileName", sheet, 1 AS "firstLine" FROM partner_registers
    WHERE id = ANY(:ids::integer[]) AND id IN (SELECT register_id FROM partner_register_parts)
   UNION ALL
   SELECT register_id, number, file_name, sheet, first_line FROM partner_register_parts WHERE register_id = ANY(:ids::integer[])
    ORDER BY 1, 2`
)

/** The parts of those registers that have several. */
export async function partsOfRegisters(ids: number[]): Promise<Record<number, NumberedPart[]>> {
  const found = ids.length === 0 ? [] : await selectPartsOf({ ids })
  return Object.fromEntries(Map.groupBy(found, ({ registerId }) => registerId))
}

/** Refuses PART_COLUMNS_DIFFER unless a part has the columns of its register. Returns their order in it. */
export function assertSameColumns(
  register: Pick<PartnerRegister, 'preview'>,
  { fileName: file, sheet, headers }: Pick<RegisterPart, 'fileName' | 'sheet' | 'headers'>
) {
  const compared = compareColumns(namesOfColumns(register.preview), headers)
  if (compared.isSame) return compared.order
  const { missing, unknown } = compared
  return refuse('PART_COLUMNS_DIFFER', { file, sheet, missing, unknown })
}
