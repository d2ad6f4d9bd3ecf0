import { statement } from '#shared/statement'

export interface PartnerChoice {
  code: string
  name: string
}

/** Partners for a filter or a form. */
export const partnerChoices = statement<PartnerChoice>(
  'back_office_partner_choices',
  'SELECT code, name FROM partners ORDER BY name'
)
