/** What the journal records about partners, their keys and grants, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    partner_created: { code: string }
    partner_changed: {
      changed: Changed
      reason: string | null
    }
    partner_key_issued: { api_key: string }
    partner_key_rotated: { api_key: string; replaced_by: string; expires_at: string }
    partner_key_revoked: { api_key: string }
    partner_suspended: { reason: string | null }
    partner_resumed: { reason: string | null }
    grant_given: { reason: string | null }
    grant_revoked: { reason: string | null }
  }
}

export {}
