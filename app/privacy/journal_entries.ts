/** What the journal records about the erasure of buyers' personal data. None of it names the buyer. */
declare module '#shared/journal' {
  interface JournalEntries {
    /** On request. `found_by`: what the orders were chosen by. */
    buyer_erased: { found_by: string; reason: string }
    /** All buyers of an event, at the end of their retention. */
    event_buyers_erased: { retention_days: number; orders: number; bookings: number }
    /** E-mails in the rows of a partner's register, and its preview, at the end of their retention. */
    register_buyers_erased: { register_id: number; retention_days: number; rows: number }
  }
}

export {}
