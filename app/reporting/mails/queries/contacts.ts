import { statement } from '#shared/statement'
import type { Language } from '#shared/languages'

export interface Contact {
  id: number
  email: string
  language: Language
  getsStatements: boolean
}

const COLUMNS = `id, email, language, gets_statements AS "getsStatements"`

export const selectContacts = statement<Contact>(
  'settlement_contacts_of_partner',
  `SELECT ${COLUMNS} FROM settlement_contacts WHERE partner_id = $1 ORDER BY lower(email)`
)
/** Those of the partner; others are left out. */
export const selectChosenContacts = statement<Contact>(
  'settlement_contacts_chosen',
  `SELECT ${COLUMNS} FROM settlement_contacts WHERE partner_id = $1 AND id = ANY ($2::int[]) ORDER BY lower(email)`
)
/** Nobody changes or removes it meanwhile. */
export const lockContact = statement<Contact & { partnerId: number }>(
  'settlement_contact_lock',
  `SELECT ${COLUMNS}, partner_id AS "partnerId" FROM settlement_contacts WHERE id = $1 FOR UPDATE`
)
/** No row when the address is there already. */
export const insertContact = statement<{ id: number }>(
  'settlement_contact_insert',
  `INSERT INTO settlement_contacts (partner_id, email, language, gets_statements, added_by) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (partner_id, lower(email)) DO NOTHING RETURNING id`
)
export const updateContact = statement(
  'settlement_contact_update',
  'UPDATE settlement_contacts SET language = $2, gets_statements = $3 WHERE id = $1'
)
export const deleteContact = statement(
  'settlement_contact_delete',
  'DELETE FROM settlement_contacts WHERE id = $1'
)
