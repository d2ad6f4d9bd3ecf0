interface ContactEntry {
  email: string
  language: string
  gets_statements: boolean
}

interface MailEntry {
  mail: number
  purpose: string
  run: number | null
  recipient: string
}

interface ScheduleEntry {
  kind: string
  every: string
  day: number | null
  hour: number
  language: string
  recipients: string[]
}

/** What the journal records about contacts, mails and report schedules, and the details of each entry. */
declare module '#shared/journal' {
  interface JournalEntries {
    settlement_contact_set: ContactEntry & { was: Omit<ContactEntry, 'email'> | null }
    settlement_contact_removed: ContactEntry
    statement_mailed: { statement: string; recipients: string[]; automatic: boolean }
    mail_sent: MailEntry & { sha256: string | null }
    mail_failed: MailEntry & { failure: string }
    report_schedule_set: { schedule: number } & ScheduleEntry
    report_schedule_changed: { schedule: number; changed: Changed }
    report_schedule_paused: { schedule: number; kind: string }
    report_schedule_resumed: { schedule: number; kind: string }
    report_schedule_removed: { schedule: number } & ScheduleEntry
    report_schedule_run: { schedule: number; run: number; recipients: number }
  }
}

export {}
