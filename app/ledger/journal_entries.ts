interface RequestEntry {
  act: string
  amount_tenge: string
  input: Record<string, unknown>
}

interface PaymentEntry {
  bank_reference: string
  direction: string
  amount_tenge: string
}

/** Items as allocations name them: `payment:3`, `statement:12`. */
interface AllocationEntry {
  credit: string
  debit: string
  amount_tenge: string
}

interface MemoEntry {
  kind: string
  amount_tenge: string
  reason: string
}

/** What the journal records about terms, statements, corrections and payments, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    settlement_terms_set: Record<string, unknown>
    /** Terms that had not begun; the reason is null when others replace them. */
    settlement_terms_withdrawn: Record<string, unknown>
    /** What waits for a second person, other than memos. */
    settlement_request_asked: RequestEntry
    settlement_request_declined: RequestEntry & { note: string }
    /** Our own details in documents of settlement. */
    issuer_set: {
      legalName: string
      bin: string
      address: string | null
      city: string | null
      signatory: string | null
    }
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
    /** `reverses` is the number of the memo that it takes back. */
    memo_approved: MemoEntry & { memo: string; reverses?: string }
    memo_declined: MemoEntry & { note: string | null }
    payment_recorded: PaymentEntry & { asked_by?: string }
    /** The bank took a payment back; `reverses` is that one's reference. */
    payment_reversed: PaymentEntry & { reverses: string; reason: string; asked_by?: string }
    credit_allocated: AllocationEntry
    allocation_undone: AllocationEntry & { reason: string }
    /** Written by migration 21: the same payment had been recorded before. */
    payment_booked_twice: PaymentEntry & { duplicate_of: string }
  }
}

export {}
