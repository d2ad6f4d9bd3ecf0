import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

export interface PartnerRow {
  id: number
  code: string
  name: string
  status: 'active' | 'suspended'
}

const selectPartner = statement<PartnerRow>(
  'partner_by_code',
  'SELECT id, code, name, status FROM partners WHERE code = $1 FOR NO KEY UPDATE'
)

/** The partner under its code, locked against other changes; refuses NO_SUCH. */
export async function lockPartner(code: string, trx: QueryClientContract): Promise<PartnerRow> {
  const partner = await selectPartner.first([code], trx)
  if (!partner) refuse('NO_SUCH', { what: `partner ${code}` })
  return partner
}
