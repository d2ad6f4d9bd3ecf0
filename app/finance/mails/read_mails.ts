import type { MailLine, Mailing } from '#finance/mails/mails_props'
import type { ServerProps, WithDates } from '#staff_area/page_props'
import { selectContacts } from '#reporting/mails/queries/contacts'
import { isMailOn } from '#mail/send'
import { statement } from '#shared/statement'

const selectMails = statement<
  WithDates<MailLine, 'queuedAt' | 'nextAt' | 'sentAt' | 'endedAt'>,
  { statementId: number }
>(
  'back_office_statement_mails',
  `SELECT id, recipient, language, state, attempts, queued_at AS "queuedAt", next_at AS "nextAt", sent_at AS "sentAt",
          ended_at AS "endedAt", failure, failure_words AS "serverReply", attached_sha256 IS NOT NULL AS "hasFile",
          asked_by AS "askedBy", run_id AS "runId"
     FROM mails WHERE statement_id = :statementId ORDER BY id DESC LIMIT 100`
)

/** Who receives the partner's statements, and whether this deployment sends mail at all. */
export const mailingOf = (partnerId: number) =>
  ({
    contacts: () => selectContacts({ partnerId }),
    isMailOn: isMailOn(),
  }) satisfies ServerProps<Mailing>

/** Mails with a statement, the newest first. */
export const readMails = (statementId: number) => selectMails({ statementId })
