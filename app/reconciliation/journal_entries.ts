/** What the journal records about partners' registers, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    register_uploaded: {
      register_id: number
      file: string
      sha256: string
      period_from: string
      period_to: string
    }
    register_mapped: { register_id: number; mapping: Record<string, string> }
    register_matches_decided: { register_id: number; cases: number } & Record<string, unknown>
    register_confirmed: {
      register_id: number
      file: string
      sha256: string
      fee_rules_kept: boolean
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

export {}
