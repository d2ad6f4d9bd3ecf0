/** What the journal records about invariants, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    invariant_broken: { invariant: string; found: number }
    invariant_restored: { invariant: string }
    invariant_run_asked: { invariant: string }
  }
}

export {}
