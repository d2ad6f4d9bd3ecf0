import { queueMailsOfStatement } from '#reporting/mails/mails_of_statement'
import { selectChosenContacts } from '#reporting/mails/queries/contacts'
import { findStatement } from '#ledger/queries/find_statement'
import { isMailOn } from '#mail/send'
import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { transaction } from '#shared/transaction'

interface QueueStatementMailsInput {
  statementId: number
  /** Contacts of the statement's partner. */
  contactIds: number[]
  actor: Actor
}

/**
 * Queues mails with an issued statement to chosen contacts of its partner, each in the contact's language. Refuses NO_SUCH,
 * STALE when the statement was withdrawn or a contact was removed, and MAIL_IS_OFF.
 */
export default class QueueStatementMails {
  async handle({ statementId, contactIds, actor }: QueueStatementMailsInput) {
    if (!isMailOn()) refuse('MAIL_IS_OFF')
    return transaction(async (trx) => {
      const found = await findStatement(statementId, trx)
      if (found.status === 'superseded') refuse('STALE')
      const chosen = [...new Set(contactIds)]
      const contacts = await selectChosenContacts({ partnerId: found.partnerId, chosen }, trx)
      if (contacts.length === 0 || contacts.length < chosen.length) refuse('STALE')
      await queueMailsOfStatement(found, contacts, { actor, isAutomatic: false }, trx)
      return { recipients: contacts.length }
    })
  }
}
