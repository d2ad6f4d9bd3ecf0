/** What the journal records about a change of APP_KEY. */
declare module '#shared/journal' {
  interface JournalEntries {
    /** `reencrypted`: how many secrets were encrypted with another key before. */
    secrets_reencrypted: { reencrypted: number; unreadable: number }
  }
}

export {}
