import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

export interface PartnerRow {
  id: number
  code: string
  name: string
  status: 'active' | 'suspended'
}

const selectForUpdate = statement<PartnerRow, { code: string }>(
  'partner_by_code_lock',
  'SELECT id, code, name, status FROM partners WHERE code = :code FOR NO KEY UPDATE'
)

export type PartnerName = Pick<PartnerRow, 'id' | 'code' | 'name'>

/** Undefined when no partner has the code. */
export const partnerByCode = statement<PartnerName, { code: string }>(
  'partner_name_by_code',
  'SELECT id, code, name FROM partners WHERE code = :code'
)

/** The partner with this code; refuses NO_SUCH. */
export async function findPartner(
  code: string,
  client?: QueryClientContract
): Promise<PartnerName> {
  const partner = await partnerByCode.first({ code }, client)
  return partner ?? refuse('NO_SUCH', { what: `partner ${code}` })
}

/** The partner with this code, locked against other changes; refuses NO_SUCH. */
export async function lockPartner(code: string, trx: QueryClientContract): Promise<PartnerRow> {
  const partner = await selectForUpdate.first({ code }, trx)
  if (!partner) refuse('NO_SUCH', { what: `partner ${code}` })
  return partner
}
