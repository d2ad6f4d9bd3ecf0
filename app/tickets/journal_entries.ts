/** What the journal records about scans and gate devices, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    ticket_admitted: { ticket_id: string; number: string; offline_at?: string }
    gate_device_created: { name: string }
    gate_device_revoked: { name: string; reason: string }
  }
}

export {}
