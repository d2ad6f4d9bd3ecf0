import type { StoredWaiver } from '#reconciliation/store/confirmation_problems'
import type { StoredFeeRule } from '#reconciliation/store/stored_values'

/** What the journal records about partners' registers, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    register_uploaded: {
      register_id: number
      file: string
      sha256: string
      period_from: string
      period_to: string
      source_id: number
    }
    /** A register was given to another source. */
    register_source_set: { register_id: number; file: string; from: string; to: string }
    /** The set-up of a source. */
    register_source_changed: { source_id: number; source: string; changed: Changed }
    /** A further sheet or file became a part of a register, or is none any more. */
    register_part_added: {
      register_id: number
      file: string
      sheet: string | null
      sha256: string
      rows_are: string
    }
    register_part_removed: {
      register_id: number
      file: string
      sheet: string | null
      sha256: string
    }
    register_sheets_left_out: {
      register_id: number
      file: string
      sheets: string[]
      reason: string
    }
    register_mapped: { register_id: number; mapping: Record<string, string> }
    register_matches_decided: { register_id: number; cases: number } & Record<string, unknown>
    /** A fee rule that a register offered was accepted for its source, or is no longer. */
    register_fee_rule_decided: {
      register_id: number
      file: string
      rule: StoredFeeRule
      is_kept: boolean
    }
    register_confirmed: {
      register_id: number
      file: string
      sha256: string
      /** What was wrong with it, and why somebody confirmed it nevertheless. */
      waived: StoredWaiver | null
    }
    /** Another register of the source was confirmed for its days; it counts no more. */
    register_replaced: {
      register_id: number
      file: string
      sha256: string
      replaced_by: number
      replaced_by_file: string
      period_from: string
      period_to: string
    }
    register_dropped: {
      register_id: number
      file: string
      sha256: string
      was: string
      reason: string
    }
  }
}
