import type { Contact } from '#reporting/mails/queries/contacts'

export type { Contact } from '#reporting/mails/queries/contacts'

/** Who receives the partner's statements, and whether this deployment sends mail at all. */
export interface Mailing {
  contacts: Contact[]
  isMailOn: boolean
}

/** A mail with a statement: waiting, sent or failed. */
export interface MailLine {
  id: number
  recipient: string
  language: string
  state: string
  attempts: number
  queuedAt: string
  nextAt: string
  sentAt: string | null
  endedAt: string | null
  failure: string | null
  /** Of the mail server, to the last attempt. */
  serverReply: string | null
  /** Whether the workbook was attached. */
  hasFile: boolean
  askedBy: string
  runId: number
}
