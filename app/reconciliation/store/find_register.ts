import type { ColumnMapping } from '#register_reading/register_table'
import {
  REGISTER_TRANSITIONS,
  type RegisterState,
  type RegisterTrigger,
} from '#reconciliation/store/register_state'
import type { RegisterPreview } from '#reconciliation/store/register_preview'
import type { StoredWaiver } from '#reconciliation/store/confirmation_problems'
import type {
  StoredControl,
  StoredFoundFeeRule,
  StoredTotals,
} from '#reconciliation/store/stored_values'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface PartnerRegister {
  id: number
  partnerId: number
  partnerCode: string
  partnerName: string
  sourceId: number
  sourceName: string
  state: RegisterState
  from: Date
  to: Date
  fileName: string
  bytes: number
  sha256: string
  format: 'xlsx' | 'csv'
  encoding: string | null
  sheets: string[]
  /** Those with rows; null where nobody has looked. */
  filledSheets: string[] | null
  sheet: string | null
  preview: RegisterPreview
  mapping: ColumnMapping | null
  declaredRows: number | null
  declaredTenge: bigint | null
  control: StoredControl | null
  problem: {
    problem: string
    line: number | null
    column: number | null
    /** The number of the part that cannot be read; the first one when it is not named. */
    part?: number
  } | null
  totals: StoredTotals | null
  feeRules: StoredFoundFeeRule[]
  uploadedBy: string
  uploadedAt: Date
  readAt: Date | null
  matchedAt: Date | null
  decidedBy: string | null
  decidedAt: Date | null
  /** The register that was confirmed for its days instead. */
  replacedBy: number | null
  waiver: StoredWaiver | null
  /** The last line that was given to a part so far. */
  linesGiven: number
  /** How much later than midnight at the venues its days begin; `from` and `to` have this in them. */
  dayShiftMinutes: number
  version: number
}

const SELECT = `
  SELECT r.id, r.partner_id AS "partnerId", p.code AS "partnerCode", p.name AS "partnerName",
         r.source_id AS "sourceId", s.name AS "sourceName", r.state,
         r.period_from AS "from", r.period_to AS "to", r.file_name AS "fileName", r.bytes, r.sha256, r.format, r.encoding,
         r.sheets, r.filled_sheets AS "filledSheets", r.sheet, r.preview, r.mapping, r.declared_rows AS "declaredRows", r.declared_tenge AS "declaredTenge",
         r.control, r.problem, r.totals, r.fee_rules AS "feeRules", r.uploaded_by AS "uploadedBy",
         r.uploaded_at AS "uploadedAt", r.read_at AS "readAt", r.matched_at AS "matchedAt", r.decided_by AS "decidedBy",
         r.decided_at AS "decidedAt", r.replaced_by AS "replacedBy", r.waiver, r.lines_given AS "linesGiven", r.day_shift_minutes AS "dayShiftMinutes",
         r.version
    FROM partner_registers r JOIN partners p ON p.id = r.partner_id JOIN register_sources s ON s.id = r.source_id`

const selectById = statement<PartnerRegister, { id: number }>(
  'register_by_id',
  `${SELECT} WHERE r.id = :id`
)
const lockById = statement<PartnerRegister, { registerId: number }>(
  'register_lock',
  `${SELECT} WHERE r.id = :registerId FOR NO KEY UPDATE OF r`
)
const selectByFile = statement<{ id: number }, { partnerId: number; sha256: string }>(
  'register_by_file',
  `SELECT id FROM partner_registers WHERE partner_id = :partnerId AND sha256 = :sha256 AND state <> 'dropped'
    UNION
   SELECT r.id FROM partner_register_parts p JOIN partner_registers r ON r.id = p.register_id
    WHERE r.partner_id = :partnerId AND p.sha256 = :sha256 AND r.state <> 'dropped' LIMIT 1`
)

export async function findRegister(
  id: number,
  client?: QueryClientContract
): Promise<PartnerRegister> {
  return (await selectById.first({ id }, client)) ?? refuse('NO_SUCH', { what: 'register' })
}

/** Locks the register. Refuses NO_SUCH, STALE after a change since `version`, and STATUS_NOT_REACHABLE. */
export async function lockRegister(
  { registerId, version }: { registerId: number; version: number },
  trigger: RegisterTrigger,
  trx: TransactionClientContract
): Promise<PartnerRegister> {
  const found =
    (await lockById.first({ registerId }, trx)) ?? refuse('NO_SUCH', { what: 'register' })
  if (found.version !== version) refuse('STALE')
  assertReachable(found, trigger)
  return found
}

export function assertReachable({ state }: PartnerRegister, trigger: RegisterTrigger) {
  if (!REGISTER_TRANSITIONS[state][trigger])
    refuse('STATUS_NOT_REACHABLE', { from: state, to: trigger })
}

/** Names a version of the register, so that a run for it does not reuse one for an earlier version (`AskForRunInput.causedBy`). */
export const changeOf = ({ id, version }: Pick<PartnerRegister, 'id' | 'version'>) =>
  `register ${id}, ${version}`

/** The register that has the same file, unless it was dropped. */
export const findByFile = (partnerId: number, sha256: string, client?: QueryClientContract) =>
  selectByFile.first({ partnerId, sha256 }, client)
