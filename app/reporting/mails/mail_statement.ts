import { queueMail } from '#reporting/mails/queue_mail'
import { selectContacts, type Contact } from '#reporting/mails/queries/contacts'
import RequestDocument from '#workbooks/document/request_document'
import { statementNumber } from '#ledger/statement_status'
import { isMailOn } from '#mail/send'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

interface MailedStatement {
  id: number
  number: number
  partnerId: number
  partnerCode: string
}

/** A mail to each contact in its language, with the workbook of the statement; one run for each language. */
export async function mailStatement(
  { id: statementId, number, partnerId, partnerCode }: MailedStatement,
  contacts: Contact[],
  { actor, isAutomatic }: { actor: Actor; isAutomatic: boolean },
  trx: TransactionClientContract
) {
  for (const [language, those] of Map.groupBy(contacts, (contact) => contact.language)) {
    const params = { partnerCode, statementId, hasTwins: true }
    const asked = { kind: 'workbook', partnerCode, language, params, actor } as const
    const { runId } = await new RequestDocument().within(asked, trx)
    for (const { email: recipient } of those) {
      const about = { partnerId, statementId, runId }
      await queueMail({ ...about, recipient, language, askedBy: actor.name }, trx)
    }
  }
  const recipients = contacts.map(({ email }) => email)
  const told = { statement: statementNumber(number), recipients, automatic: isAutomatic }
  await record('statement_mailed', told, { actor, partnerId }, trx)
}

/** A statement that was just issued, to the contacts who get each; nobody while e-mail is off. */
export async function mailIssuedStatement(
  statement: MailedStatement,
  actor: Actor,
  trx: TransactionClientContract
) {
  if (!isMailOn()) return
  const contacts = await selectContacts({ partnerId: statement.partnerId }, trx)
  const those = contacts.filter(({ getsStatements }) => getsStatements)
  if (those.length > 0) await mailStatement(statement, those, { actor, isAutomatic: true }, trx)
}
