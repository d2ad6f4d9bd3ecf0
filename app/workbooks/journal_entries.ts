/** What the journal records about workbooks, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    settlement_exported: { file: string; language: string; data_sha256: string }
  }
}

export {}
