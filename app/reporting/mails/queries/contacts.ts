import { statement } from '#shared/statement'
import type { Language } from '#shared/languages'

export interface Contact {
  id: number
  email: string
  language: Language
  getsStatements: boolean
}

/** Columns of a `Contact`. */
export const CONTACT_COLUMNS = `id, email, language, gets_statements AS "getsStatements"`

export const selectContacts = statement<Contact, { partnerId: number }>(
  'settlement_contacts_of_partner',
  `SELECT ${CONTACT_COLUMNS} FROM settlement_contacts WHERE partner_id = :partnerId ORDER BY lower(email)`
)
/** The chosen ones that are contacts of the partner. */
export const selectChosenContacts = statement<Contact, { partnerId: number; chosen: number[] }>(
  'settlement_contacts_chosen',
  `SELECT ${CONTACT_COLUMNS} FROM settlement_contacts WHERE partner_id = :partnerId AND id = ANY (:chosen::int[]) ORDER BY lower(email)`
)
