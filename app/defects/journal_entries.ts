/** What the journal records about cases and rule sets, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    case_changed: {
      case_id: number
      from: string
      to: string
      owner: string | null
      due_on: string | null
      reason: string | null
      false_positive?: boolean
    }
    /** Its orders turned out to be those of another case. */
    case_merged: { case_id: number; into: number }
    case_answered: {
      case_id: number
      defect_id: number
      code: string
      answer: string
      refund_on: string | null
      refund_number: string | null
      comment: string | null
    }
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
