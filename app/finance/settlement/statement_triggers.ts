import type { SettlementStatement } from '#ledger/queries/find_statement'
import { STATEMENT_TRANSITIONS } from '#ledger/statement_status'
import { statement } from '#shared/statement'

const selectLast = statement<{ id: number | null }, { partnerId: number }>(
  'back_office_last_statement',
  'SELECT last_statement_id AS id FROM settlement_accounts WHERE partner_id = :partnerId'
)

/** What can be done with a statement: a later one builds on those before, so only the last can be withdrawn. */
export async function triggersOf({ id, partnerId, status }: SettlementStatement) {
  const triggers = Object.keys(STATEMENT_TRANSITIONS[status])
  const last = await selectLast.first({ partnerId })
  return last?.id === id ? triggers : triggers.filter((one) => one !== 'supersede')
}
