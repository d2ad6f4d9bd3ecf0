import { isMidnight, MINUTE_MS } from '#shared/days'
import { type Period } from '#ledger/periods'
import { findByFile } from '#reconciliation/store/find_register'
import { previewFile } from '#reconciliation/store/register_preview'
import {
  nameOf,
  refuseUnreadable,
  registerPath,
  sha256Of,
} from '#reconciliation/store/register_file'
import {
  chosenSource,
  createSourceFor,
  sourceByHeaders,
  type SourceChoice,
} from '#reconciliation/store/choose_source'
import {
  dayShiftOf,
  findSource,
  takeTurnForSources,
  type RegisterSource,
} from '#reconciliation/store/register_source'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DEFAULT_LIMITS } from '#spreadsheets/read_table'
import { rename, rm } from 'node:fs/promises'

export interface UploadRegisterInput extends Period, SourceChoice {
  partnerCode: string
  /** The uploaded file; it is moved or deleted. */
  path: string
  fileName: string
  /** Number of rows and sum that the cover letter states. */
  declaredRows: number | null
  declaredTenge: bigint | null
  actor: Actor
}

/** Largest file. */
export const MAX_REGISTER_BYTES = DEFAULT_LIMITS.bytes

const findPartner = statement<{ id: number }, { partnerCode: string }>(
  'register_partner',
  'SELECT id FROM partners WHERE code = :partnerCode'
)
interface NewRegister extends Period {
  partnerId: number
  sourceId: number
  dayShiftMinutes: number
  fileName: string
  bytes: number
  sha256: string
  format: string
  encoding: string | null
  sheets: string[]
  filledSheets: string[]
  sheet: string | null
  preview: string
  declaredRows: number | null
  declaredTenge: bigint | null
  uploadedBy: string
}
const insertRegister = statement<{ id: number }, NewRegister>(
  'register_insert',
  `INSERT INTO partner_registers
     (partner_id, source_id, day_shift_minutes, period_from, period_to, file_name, bytes, sha256, format, encoding, sheets, filled_sheets, sheet, preview,
      declared_rows, declared_tenge, uploaded_by)
   VALUES (:partnerId, :sourceId, :dayShiftMinutes, :from, :to, :fileName, :bytes, :sha256, :format, :encoding, :sheets, :filledSheets, :sheet, :preview,
           :declaredRows, :declaredTenge, :uploadedBy)
   RETURNING id`
)

/**
 * Stores a partner's register with a preview of its first rows. The same file again returns the register that has it. Without a
 * chosen source it is of the one whose registers have the same headers, else of a new one. Refuses REGISTER_UNREADABLE with
 * the reason and keeps nothing of such a file.
 */
export default class UploadRegister {
  async handle({ path, ...input }: UploadRegisterInput) {
    try {
      return await this.#store(path, input)
    } finally {
      await rm(path, { force: true })
    }
  }

  async #store(path: string, input: Omit<UploadRegisterInput, 'path'>) {
    const partner = await findPartner.first({ partnerCode: input.partnerCode })
    if (!partner) refuse('NO_SUCH', { what: 'partner' })
    assertPeriod(input)
    const file = await sha256Of(path)
    const known = await findByFile(partner.id, file.sha256)
    if (known) return { registerId: known.id, isNew: false }
    const owner = { partnerId: partner.id, sourceId: input.sourceId }
    const seen = await previewFile(path, owner).catch(refuseUnreadable)
    return transaction(async (trx) => {
      // Simultaneous uploads of one file, or of like files, agree on one source.
      await takeTurnForSources(partner.id, trx)
      const uploaded = await findByFile(partner.id, file.sha256, trx)
      if (uploaded) return { registerId: uploaded.id, isNew: false }
      const source = await sourceOf(
        input,
        { partnerId: partner.id, headers: seen.preview.headers },
        trx
      )
      const kept = await insertRegister.one(
        {
          partnerId: partner.id,
          sourceId: source.id,
          ...periodOf(source, input),
          fileName: nameOf(input.fileName),
          bytes: file.bytes,
          sha256: file.sha256,
          format: seen.format,
          encoding: seen.encoding,
          sheets: seen.sheets,
          filledSheets: seen.filledSheets,
          sheet: seen.sheet,
          preview: JSON.stringify(seen.preview),
          declaredRows: input.declaredRows,
          declaredTenge: input.declaredTenge,
          uploadedBy: input.actor.name,
        },
        trx
      )
      await rename(path, await registerPath({ id: kept.id, sha256: file.sha256 }))
      const entry = { register_id: kept.id, file: nameOf(input.fileName), sha256: file.sha256 }
      const period = { period_from: input.from.toISOString(), period_to: input.to.toISOString() }
      const subjects = { actor: input.actor, partnerId: partner.id }
      const change = { ...entry, ...period, source_id: source.id }
      await record('register_uploaded', change, subjects, trx)
      return { registerId: kept.id, isNew: true }
    })
  }
}

/** The chosen source, or the one with the same headers, or a new one. */
async function sourceOf(
  {
    sourceId,
    sourceName,
    fileName,
    actor,
  }: Pick<UploadRegisterInput, 'fileName' | 'actor'> & SourceChoice,
  { partnerId, headers }: { partnerId: number; headers: string[] },
  trx: TransactionClientContract
) {
  const owner = { partnerId, createdBy: actor.name }
  const chosen = await chosenSource({ sourceId, sourceName }, owner, trx)
  if (chosen) return chosen
  const fitting = await sourceByHeaders(partnerId, headers, trx)
  if (fitting !== null) return findSource(fitting, trx)
  return createSourceFor(nameOf(fileName), owner, trx)
}

/** The days that a person has named, as they begin by the source. */
function periodOf(source: RegisterSource, { from, to }: Period) {
  const dayShiftMinutes = dayShiftOf(source)
  const shifted = (midnight: Date) => new Date(midnight.getTime() + dayShiftMinutes * MINUTE_MS)
  return { from: shifted(from), to: shifted(to), dayShiftMinutes }
}

function assertPeriod({ from, to }: Period) {
  if (!isMidnight(from)) refuseField('from', 'midnight', 'fields.not_a_date')
  if (!isMidnight(to) || to <= from) refuseField('to', 'after', 'registers.period_ends_before')
  if (from > new Date()) refuseField('from', 'not_future', 'fields.in_future')
}
