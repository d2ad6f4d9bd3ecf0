/** What the journal records about workbooks, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    /** `data_sha256`: the workbook's hash of fixed data (`proof.ts`), not the hash of a statement. */
    settlement_exported: { file: string; language: string; data_sha256: string }
  }
}

export {}
