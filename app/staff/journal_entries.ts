/** What the journal records about people of the staff, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    /** An approver was refused because a recent change of an account links them to the asker. */
    approval_refused: { asked_by: string; linked_by: string; linked_until: string }
    staff_created: { email: string; role: string }
    staff_role_changed: { email: string; from: string; to: string; reason: string }
    staff_disabled: { email: string; reason: string }
    staff_enabled: { email: string; reason: string | null }
    staff_password_reset: { email: string; reason: string }
    staff_password_changed: NoDetails
    staff_second_factor_set: NoDetails
    staff_second_factor_dropped: NoDetails
    staff_second_factor_reset: { email: string; reason: string }
    /** After too many wrong codes; only an administrator unlocks it. */
    staff_second_factor_locked: { email: string; failures: number }
    staff_sign_in_unlocked: { email: string; reason: string; failures: number }
    /** Wrong passwords and codes since the last such entry; `staff_id` is null when there is no such account. */
    staff_sign_in_failed: {
      staff_id: number | null
      email: string | null
      failures: number
      /** network → its failures */
      addresses: Record<string, number>
      more_addresses: number | null
    }
    staff_recovery_codes_renewed: NoDetails
    staff_recovery_code_used: { left: number }
    staff_sessions_ended: { sessions: number }
    staff_signed_in: { address: string }
    staff_signed_out: { address: string }
    view_saved: { list: string; name: string; is_shared: boolean; filters: Record<string, string> }
    view_changed: {
      list: string
      name: string
      made_by: string
      changed: Changed
      columns_changed: boolean | null
    }
    view_deleted: { list: string; name: string; made_by: string; filters: Record<string, string> }
  }
}

export {}
