import { statement } from '#shared/statement'
import type { Language } from '#shared/languages'

export interface Contact {
  id: number
  email: string
  language: Language
  getsStatements: boolean
}

const COLUMNS = `id, email, language, gets_statements AS "getsStatements"`

export const selectContacts = statement<Contact, { partnerId: number }>(
  'settlement_contacts_of_partner',
  `SELECT ${COLUMNS} FROM settlement_contacts WHERE partner_id = :partnerId ORDER BY lower(email)`
)
/** Those of the partner; others are left out. */
export const selectChosenContacts = statement<Contact, { partnerId: number; chosen: number[] }>(
  'settlement_contacts_chosen',
  `SELECT ${COLUMNS} FROM settlement_contacts WHERE partner_id = :partnerId AND id = ANY (:chosen::int[]) ORDER BY lower(email)`
)
/** Nobody changes or removes it meanwhile. */
export const lockContact = statement<Contact & { partnerId: number }, { contactId: number }>(
  'settlement_contact_lock',
  `SELECT ${COLUMNS}, partner_id AS "partnerId" FROM settlement_contacts WHERE id = :contactId FOR UPDATE`
)
/** No row when the address is there already. */
export const insertContact = statement<
  { id: number },
  { partnerId: number; email: string; language: string; getsStatements: boolean; addedBy: string }
>(
  'settlement_contact_insert',
  `INSERT INTO settlement_contacts (partner_id, email, language, gets_statements, added_by) VALUES (:partnerId, :email, :language, :getsStatements, :addedBy)
   ON CONFLICT (partner_id, lower(email)) DO NOTHING RETURNING id`
)
export const updateContact = statement<
  object,
  { contactId: number; language: string; getsStatements: boolean }
>(
  'settlement_contact_update',
  'UPDATE settlement_contacts SET language = :language, gets_statements = :getsStatements WHERE id = :contactId'
)
export const deleteContact = statement<object, { contactId: number }>(
  'settlement_contact_delete',
  'DELETE FROM settlement_contacts WHERE id = :contactId'
)
