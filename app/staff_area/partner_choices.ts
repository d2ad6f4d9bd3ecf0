import { statement } from '#shared/statement'

/** Partners for a filter or a form. */
export const partnerChoices = statement<{ code: string; name: string }>(
  'back_office_partner_choices',
  'SELECT code, name FROM partners ORDER BY name'
)
