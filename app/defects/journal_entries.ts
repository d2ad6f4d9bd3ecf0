/** What the journal records about cases and rule sets, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    /** Its orders turned out to be those of another case. */
    case_merged: { case_id: number; into: number }
    rule_set_activated: { from: number; to: number; reason: string }
    /** A confirm that was answered 5xx or, with nulls, not at all: the buyer may have paid for nothing. */
    confirm_failed: {
      received_at: string
      http_status: number | null
      code: string | null
      amount_tenge: string | null
      window_ends_at: string
    }
  }
}

export {}
