import { statementNumber } from '#ledger/statement_status'
import { isMailOn } from '#mail/send'
import { queueMailsOfStatement, type MailedStatement } from '#reporting/mails/mails_of_statement'
import { selectContacts } from '#reporting/mails/queries/contacts'
import type { Actor } from '#shared/actor'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import logger from '@adonisjs/core/services/logger'

interface UndecidedStatement {
  id: number
  number: number
}

interface IssuedStatement extends MailedStatement {
  /** The actor of the statement's journal entry `statement_issued`; null when it is missing. */
  issuedBy: Actor | null
}

/** Statements whose mailing is not decided yet. Without a limit, so that those that cannot be mailed leave no other out. */
const selectUndecided = statement<UndecidedStatement>(
  'statement_mailings_undecided',
  `SELECT s.id, s.number FROM settlement_statements s
    WHERE NOT EXISTS (SELECT 1 FROM statement_mailings m WHERE m.statement_id = s.id) ORDER BY s.id`
)

/**
 * Marks the mailing of a statement as decided and returns the statement. No row when another worker has decided, or when the
 * statement was withdrawn before. `statementNumber` is the number as the journal has it: SET-000001.
 */
const decideMailing = statement<IssuedStatement, { id: number; statementNumber: string }>(
  'statement_mailing_decide',
  `WITH decided AS (
     INSERT INTO statement_mailings (statement_id) VALUES (:id) ON CONFLICT DO NOTHING RETURNING statement_id)
   SELECT s.id, s.number, s.partner_id AS "partnerId", p.code AS "partnerCode", issue.actor AS "issuedBy"
     FROM decided JOIN settlement_statements s ON s.id = decided.statement_id AND s.status <> 'superseded'
     JOIN partners p ON p.id = s.partner_id
     LEFT JOIN LATERAL (SELECT jsonb_build_object('kind', actor_kind, 'name', actor, 'requestId', request_id) AS actor
                          FROM journal
                         WHERE partner_id = s.partner_id AND name = 'statement_issued'
                           AND change ->> 'statement' = :statementNumber
                         ORDER BY partner_id DESC, id DESC LIMIT 1) issue ON true`
)

/** Queues mails with each issued statement to the contacts who receive every statement. */
export default async function queueIssuedStatementMails(): Promise<void> {
  for (const undecided of await selectUndecided({})) {
    // One that cannot be mailed must not block the others.
    await decideOne(undecided).catch((error: unknown) =>
      logger.error({ err: error, statement: undecided.id }, 'an issued statement was not mailed')
    )
  }
}

/** The decision and the mails are one transaction; after an error the mailing stays undecided. */
const decideOne = ({ id, number }: UndecidedStatement) =>
  transaction(async (trx) => {
    const issued = await decideMailing.first({ id, statementNumber: statementNumber(number) }, trx)
    if (!issued) return
    const { issuedBy } = issued
    if (!issuedBy) throw new Error(`The journal has no entry of the issue of statement ${number}`)
    await queueMails(issued, issuedBy, trx)
  })

/** To nobody while e-mail is off. */
async function queueMails(issued: MailedStatement, actor: Actor, trx: TransactionClientContract) {
  if (!isMailOn()) return
  const contacts = await selectContacts({ partnerId: issued.partnerId }, trx)
  const receivers = contacts.filter(({ getsStatements }) => getsStatements)
  if (receivers.length > 0)
    await queueMailsOfStatement(issued, receivers, { actor, isAutomatic: true }, trx)
}
