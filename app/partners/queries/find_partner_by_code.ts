import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

export interface PartnerName {
  id: number
  code: string
  name: string
}

const selectPartner = statement<PartnerName>(
  'partner_name_by_code',
  'SELECT id, code, name FROM partners WHERE code = $1'
)

/** Refuses NO_SUCH. */
export async function findPartnerByCode(
  code: string,
  client?: QueryClientContract
): Promise<PartnerName> {
  const partner = await selectPartner.first([code], client)
  return partner ?? refuse('NO_SUCH', { what: `partner ${code}` })
}
