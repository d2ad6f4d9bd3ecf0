/** What the journal records about lists that somebody took away, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    list_exported: { list: string; filters: Record<string, string | null> }
  }
}

export {}
