/** What the journal records about webhook endpoints, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    webhook_endpoint_set: { url: string; was: string | null }
    webhook_endpoint_failing: { url: string; since: string }
    webhook_endpoint_disabled: { url: string; cause: string }
    webhooks_replayed: { deliveries: number }
    webhook_pushed: { webhook_id: string }
  }
}

export {}
