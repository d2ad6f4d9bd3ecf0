/** What the journal records about halls and events, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    hall_imported: { hall_id: number; seats: number }
    event_created: { title: string }
    event_status_changed: { from: string; to: string; reason: string | null }
    event_edited: { changed: Changed; reason?: string }
    event_rescheduled: { from: string; to: string; changed?: Changed; reason?: string }
    /** The lowest price, which partners see, has changed; `category_prices_set` has the prices behind it. */
    event_prices_set: { price_from_tenge: string | null }
    category_prices_set: { changed: Changed }
  }
}

export {}
