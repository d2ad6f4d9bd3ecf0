import { queueMail } from '#reporting/mails/queue_mail'
import type { Contact } from '#reporting/mails/queries/contacts'
import RequestDocument from '#workbooks/document/request_document'
import { statementNumber } from '#ledger/statement_status'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface MailedStatement {
  id: number
  number: number
  partnerId: number
  partnerCode: string
}

/** Queues a mail with the statement's workbook to each contact, in the contact's language; one run per language. */
export async function queueMailsOfStatement(
  { id: statementId, number, partnerId, partnerCode }: MailedStatement,
  contacts: Contact[],
  { actor, isAutomatic }: { actor: Actor; isAutomatic: boolean },
  trx: TransactionClientContract
) {
  for (const [language, recipientsOfLanguage] of Map.groupBy(
    contacts,
    (contact) => contact.language
  )) {
    const params = { partnerCode, statementId, hasTwins: true }
    const asked = { kind: 'workbook', partnerCode, language, params, actor } as const
    const { runId } = await new RequestDocument().within(asked, trx)
    for (const { email: recipient } of recipientsOfLanguage) {
      const about = { partnerId, statementId, runId }
      await queueMail({ ...about, recipient, language, askedBy: actor.name }, trx)
    }
  }
  const recipients = contacts.map(({ email }) => email)
  const entry = { statement: statementNumber(number), recipients, automatic: isAutomatic }
  await record('statement_mailed', entry, { actor, partnerId }, trx)
}
