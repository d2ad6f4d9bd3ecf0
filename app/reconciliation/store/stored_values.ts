import type { FeeRule, FoundFeeRule } from '#reconciliation/matching/fee_rule'
import type { ControlReport } from '#register_reading/control_figures'
import type { MatchTotals } from '#reconciliation/matching/match_case'
import type { ReadWord, SetupProposal } from '#register_reading/propose_setup'
import type { ParsedRegister, PartReport } from '#register_reading/parse_register'
import type { SkippedText } from '#register_reading/register_table'
import type { RawCell } from '#spreadsheets/read_table'
import { storable } from '#shared/storable'

/** A cell as JSON, which has no dates. */
export type StoredCell = string | number | boolean | null | { at: string }

export const toStoredCell = (cell: RawCell): StoredCell => {
  if (typeof cell === 'string') return storable(cell)
  if (!(cell instanceof Date)) return cell
  return Number.isNaN(cell.getTime()) ? null : { at: cell.toISOString() }
}

export const fromStoredCell = (cell: StoredCell): RawCell =>
  typeof cell === 'object' && cell !== null ? new Date(cell.at) : cell

type Stored<Value> = {
  [Key in keyof Value]: Value[Key] extends bigint
    ? string
    : Value[Key] extends bigint | null
      ? string | null
      : Value[Key] extends object
        ? Stored<Value[Key]>
        : Value[Key]
}
export type StoredControl = Stored<ControlReport> &
  Pick<ParsedRegister, 'skipped' | 'lines'> & {
    /** Registers that were read before they could have several parts have none here. */
    parts?: StoredPartReport[]
    /** What the file suggests about its source; registers that were read before there were sources have none here. */
    proposals?: SetupProposal[]
    /** Registers that were read before these were kept have none here. */
    skippedTexts?: SkippedText[]
    /** What its words were read as; registers that were read before this was kept have none here. */
    words?: ReadWord[]
  }
export type StoredPartReport = Stored<PartReport>
export type StoredTotals = Stored<MatchTotals>
export type StoredFeeRule = Stored<FeeRule>
export type StoredFoundFeeRule = Stored<FoundFeeRule>

export const toFeeRule = (rule: StoredFeeRule): FeeRule =>
  rule.kind === 'sum' ? { ...rule, tenge: BigInt(rule.tenge) } : rule
