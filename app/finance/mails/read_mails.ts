import { selectContacts } from '#reporting/mails/queries/contacts'
import { isMailOn } from '#mail/send'
import { statement } from '#shared/statement'

type MailLine = {
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
  failureWords: string | null
  hasFile: boolean
  askedBy: string
  runId: number
}

const selectMails = statement<MailLine, { statementId: number }>(
  'back_office_statement_mails',
  `SELECT id, recipient, language, state, attempts, queued_at AS "queuedAt", next_at AS "nextAt", sent_at AS "sentAt",
          ended_at AS "endedAt", failure, failure_words AS "failureWords", attached_sha256 IS NOT NULL AS "hasFile",
          asked_by AS "askedBy", run_id AS "runId"
     FROM mails WHERE statement_id = :statementId ORDER BY id DESC LIMIT 100`
)

/** Who gets the partner's statements, and whether anything can be sent at all. */
export async function readContacts(partnerId: number) {
  return { contacts: await selectContacts({ partnerId }), isMailOn: isMailOn() }
}

/** Of a statement, the newest first. */
export const readMails = (statementId: number) => selectMails({ statementId })
