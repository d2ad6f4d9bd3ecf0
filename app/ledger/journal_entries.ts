interface MemoEntry {
  kind: string
  amount_tenge: string
  reason: string
}

/** What the journal records about terms, statements, corrections and payments, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    settlement_terms_set: Record<string, unknown>
    statement_issued: {
      statement: string
      period_from: string
      period_to: string
      closing_tenge: string
      data_sha256: string
    }
    statement_status_changed: { statement: string; from: string; to: string; note: string | null }
    statement_superseded: { statement: string; lines: number; reason: string }
    memo_asked: MemoEntry
    memo_approved: MemoEntry & { memo: string }
    memo_declined: MemoEntry & { note: string | null }
    payment_recorded: { bank_reference: string; direction: string; amount_tenge: string }
  }
}

export {}
