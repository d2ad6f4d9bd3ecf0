/** What the journal records about long work, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    run_asked: { run: number; kind: string; params: Record<string, unknown> }
    run_cancelled: { run: number; kind: string }
    run_file_downloaded: { run: number; file: string; sha256: string }
  }
}

export {}
