import { CONTACT_COLUMNS, selectContacts, type Contact } from '#reporting/mails/queries/contacts'
import { lockAccount } from '#ledger/accounts'
import type { Language } from '#shared/languages'
import { isAddress } from '#mail/address'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
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
  /** The settings that the person who changes them saw. */
  was: Pick<Contact, 'language' | 'getsStatements'>
  actor: Actor
}
interface RemoveContactInput {
  contactId: number
  actor: Actor
}

const MOST_CONTACTS = 20

const lockContact = statement<Contact & { partnerId: number }, { contactId: number }>(
  'settlement_contact_lock',
  `SELECT ${CONTACT_COLUMNS}, partner_id AS "partnerId" FROM settlement_contacts WHERE id = :contactId FOR UPDATE`
)
/** No row when the partner has a contact with this address. */
const insertContact = statement<
  { id: number },
  { partnerId: number; email: string; language: string; getsStatements: boolean; addedBy: string }
>(
  'settlement_contact_insert',
  `INSERT INTO settlement_contacts (partner_id, email, language, gets_statements, added_by) VALUES (:partnerId, :email, :language, :getsStatements, :addedBy)
   ON CONFLICT (partner_id, lower(email)) DO NOTHING RETURNING id`
)
const updateContact = statement<
  object,
  { contactId: number; language: string; getsStatements: boolean }
>(
  'settlement_contact_update',
  'UPDATE settlement_contacts SET language = :language, gets_statements = :getsStatements WHERE id = :contactId'
)
const deleteContact = statement<object, { contactId: number }>(
  'settlement_contact_delete',
  'DELETE FROM settlement_contacts WHERE id = :contactId'
)

type Settings = Pick<Contact, 'language' | 'getsStatements'>
const settingsEntry = ({ language, getsStatements }: Settings) => ({
  language,
  gets_statements: getsStatements,
})

/** Adds a person of a partner who receives mails. Refuses ALREADY_EXISTS. */
export class AddContact {
  async handle({ partnerCode, email, actor, ...settings }: AddContactInput) {
    if (!isAddress(email)) refuseField('email', 'email', 'is not an address')
    return transaction(async (trx) => {
      const { partnerId } = await lockAccount(partnerCode, trx)
      const known = await selectContacts({ partnerId }, trx)
      if (known.length >= MOST_CONTACTS)
        refuseField('email', 'most', `there are ${MOST_CONTACTS} already`)
      const { language, getsStatements } = settings
      const added = await insertContact.first(
        { partnerId, email, language, getsStatements, addedBy: actor.name },
        trx
      )
      if (!added) refuse('ALREADY_EXISTS', { what: 'contact of that address' })
      const change = { email, ...settingsEntry(settings), was: null }
      await record('settlement_contact_set', change, { actor, partnerId }, trx)
      return { contactId: added.id }
    })
  }
}

/** Changes what a contact receives, and in which language. Refuses NO_SUCH, and STALE when it differs from `was`. */
export class ChangeContact {
  async handle({ contactId, was, actor, ...settings }: ChangeContactInput) {
    await transaction(async (trx) => {
      const contact = await lock(contactId, trx)
      const isAsSeen =
        contact.language === was.language && contact.getsStatements === was.getsStatements
      if (!isAsSeen) refuse('STALE')
      await updateContact(
        { contactId, language: settings.language, getsStatements: settings.getsStatements },
        trx
      )
      const { email, partnerId } = contact
      const change = { email, ...settingsEntry(settings), was: settingsEntry(contact) }
      await record('settlement_contact_set', change, { actor, partnerId }, trx)
    })
  }
}

/** Removes a contact; mails that are queued are still sent. Refuses NO_SUCH. */
export class RemoveContact {
  async handle({ contactId, actor }: RemoveContactInput) {
    await transaction(async (trx) => {
      const contact = await lock(contactId, trx)
      await deleteContact({ contactId }, trx)
      const { email, partnerId } = contact
      const change = { email, ...settingsEntry(contact) }
      await record('settlement_contact_removed', change, { actor, partnerId }, trx)
    })
  }
}

const lock = async (contactId: number, trx: TransactionClientContract) =>
  (await lockContact.first({ contactId }, trx)) ?? refuse('NO_SUCH', { what: 'contact' })
