/** What the journal records about its own months, and those of other tables. */
declare module '#shared/journal' {
  interface JournalEntries {
    /** A month was moved to the schema `archive`. */
    month_archived: { table: string; retention_months: number }
  }
}

export {}
