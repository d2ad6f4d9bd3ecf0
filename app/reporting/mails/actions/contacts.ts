import {
  deleteContact,
  insertContact,
  lockContact,
  selectContacts,
  updateContact,
  type Contact,
} from '#reporting/mails/queries/contacts'
import { lockAccount } from '#ledger/accounts'
import type { Language } from '#shared/languages'
import { isAddress } from '#mail/address'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

interface AddContactInput {
  partnerCode: string
  email: string
  language: Language
  getsStatements: boolean
  actor: Actor
}
interface ChangeContactInput {
  contactId: number
  language: Language
  getsStatements: boolean
  /** As it was when the change was asked for. */
  was: Pick<Contact, 'language' | 'getsStatements'>
  actor: Actor
}
interface RemoveContactInput {
  contactId: number
  actor: Actor
}

const MOST_CONTACTS = 20

type Standing = Pick<Contact, 'language' | 'getsStatements'>
const told = ({ language, getsStatements }: Standing) => ({
  language,
  gets_statements: getsStatements,
})

/** Somebody of a partner who gets its statements. Refuses ALREADY_EXISTS. */
export class AddContact {
  async handle({ partnerCode, email, actor, ...standing }: AddContactInput) {
    if (!isAddress(email)) refuseField('email', 'email', 'is not an address')
    return transaction(async (trx) => {
      const { partnerId } = await lockAccount(partnerCode, trx)
      const known = await selectContacts({ partnerId }, trx)
      if (known.length >= MOST_CONTACTS)
        refuseField('email', 'most', `there are ${MOST_CONTACTS} already`)
      const { language, getsStatements } = standing
      const added = await insertContact.first(
        { partnerId, email, language, getsStatements, addedBy: actor.name },
        trx
      )
      if (!added) refuse('ALREADY_EXISTS', { what: 'contact of that address' })
      const change = { email, ...told(standing), was: null }
      await record('settlement_contact_set', change, { actor, partnerId }, trx)
      return { contactId: added.id }
    })
  }
}

/** What somebody gets, and in which language. Refuses NO_SUCH and STALE. */
export class ChangeContact {
  async handle({ contactId, was, actor, ...standing }: ChangeContactInput) {
    await transaction(async (trx) => {
      const contact = await take(contactId, trx)
      const isAsSeen =
        contact.language === was.language && contact.getsStatements === was.getsStatements
      if (!isAsSeen) refuse('STALE')
      await updateContact(
        { contactId, language: standing.language, getsStatements: standing.getsStatements },
        trx
      )
      const { email, partnerId } = contact
      const change = { email, ...told(standing), was: told(contact) }
      await record('settlement_contact_set', change, { actor, partnerId }, trx)
    })
  }
}

/** Nothing is sent there any more; what is on its way still arrives. Refuses NO_SUCH. */
export class RemoveContact {
  async handle({ contactId, actor }: RemoveContactInput) {
    await transaction(async (trx) => {
      const contact = await take(contactId, trx)
      await deleteContact({ contactId }, trx)
      const { email, partnerId } = contact
      const change = { email, ...told(contact) }
      await record('settlement_contact_removed', change, { actor, partnerId }, trx)
    })
  }
}

const take = async (contactId: number, trx: TransactionClientContract) =>
  (await lockContact.first({ contactId }, trx)) ?? refuse('NO_SUCH', { what: 'contact' })
