import { compareColumns } from '#register_reading/part_columns'
import {
  findSource,
  SOURCE_COLUMNS,
  type RegisterSource,
} from '#reconciliation/store/register_source'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { storable } from '#shared/storable'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * Which source a file is of: one that a person chooses or names, else the one that its headers fit.
 *
 * Example: sources 1 with Order, Total; 2 with Payment, Sum
 *   file with Total, Order       → source 1, the order of columns does not matter
 *   file with Order, Total, Fee  → none of them: a new source, named after the file
 *   file with Order, Total $     → none of them: other amounts
 *   file without headers         → none of them: nothing says whose columns they are
 */

/** An existing source of the partner, or the name of a new one; neither: the one that fits the file. */
export interface SourceChoice {
  sourceId?: number
  sourceName?: string
}

export const LONGEST_SOURCE_NAME = 100

const selectByName = statement<RegisterSource, { partnerId: number; name: string }>(
  'register_source_by_name',
  `SELECT ${SOURCE_COLUMNS} FROM register_sources WHERE partner_id = :partnerId AND lower(name) = lower(:name)`
)
const insertSource = statement<
  RegisterSource,
  { partnerId: number; name: string; createdBy: string }
>(
  'register_source_insert',
  `INSERT INTO register_sources (partner_id, name, created_by) VALUES (:partnerId, :name, :createdBy)
   ON CONFLICT (partner_id, lower(name)) DO NOTHING RETURNING ${SOURCE_COLUMNS}`
)
// The newest registers of each source have its present headers.
const selectHeaders = statement<{ sourceId: number; headers: string[] }, { partnerId: number }>(
  'register_source_headers',
  `SELECT source_id AS "sourceId", preview -> 'headers' AS headers FROM partner_registers
    WHERE partner_id = :partnerId AND state <> 'dropped' ORDER BY id DESC LIMIT 200`
)

/** The chosen source of a partner; a new name makes a new source. Refuses NO_SUCH for a source of somebody else. */
export async function chosenSource(
  { sourceId, sourceName }: SourceChoice,
  { partnerId, createdBy }: { partnerId: number; createdBy: string },
  trx: TransactionClientContract
): Promise<RegisterSource | null> {
  if (sourceId !== undefined) {
    const found = await findSource(sourceId, trx)
    return found.partnerId === partnerId ? found : refuse('NO_SUCH', { what: 'source' })
  }
  if (sourceName === undefined) return null
  return ensureSource(partnerId, assertName(sourceName), createdBy, trx)
}

/** The source of this name, whatever the letter case, or a new one. */
async function ensureSource(
  partnerId: number,
  name: string,
  createdBy: string,
  trx: TransactionClientContract
) {
  const created = await insertSource.first({ partnerId, name, createdBy }, trx)
  return created ?? (await selectByName.one({ partnerId, name }, trx))
}

/** A name as it is stored; refuses one without letters or digits, and one that is too long. */
export function assertName(sent: string) {
  const name = storable(sent.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim())
  if (!/[\p{L}\p{N}]/u.test(name)) refuseField('sourceName', 'required', 'fields.required')
  if ([...name].length > LONGEST_SOURCE_NAME)
    refuseField('sourceName', 'maxLength', 'fields.too_long')
  return name
}

/** The source whose registers have the same headers, if there is exactly one; none for a file without headers. */
export async function sourceByHeaders(
  partnerId: number,
  headers: readonly string[],
  client?: QueryClientContract
): Promise<number | null> {
  if (headers.every((header) => header.trim() === '')) return null
  const known = await selectHeaders({ partnerId }, client)
  const fitting = known.filter((one) => compareColumns(one.headers, headers).isSame)
  const ids = new Set(fitting.map(({ sourceId }) => sourceId))
  return ids.size === 1 ? [...ids][0] : null
}

/** A new source with the file's name, or with a number behind it where that is taken. */
export async function createSourceFor(
  fileName: string,
  { partnerId, createdBy }: { partnerId: number; createdBy: string },
  trx: TransactionClientContract
) {
  const base = nameOfFile(fileName)
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base} (${number})`
    const created = await insertSource.first({ partnerId, name, createdBy }, trx)
    if (created) return created
  }
}

/** `C:\реестр.ноябрь.xlsx` → `реестр.ноябрь`, with room for a number. */
function nameOfFile(fileName: string) {
  const plain = fileName.replace(/\.[a-z]{1,4}$/i, '').trim()
  return (
    [...plain]
      .slice(0, LONGEST_SOURCE_NAME - 10)
      .join('')
      .trim() || '?'
  )
}
