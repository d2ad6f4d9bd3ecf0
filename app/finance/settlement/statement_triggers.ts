import type { SettlementStatement } from '#ledger/queries/find_statement'
import { STATEMENT_TRANSITIONS } from '#ledger/statement_status'
import { statement } from '#shared/statement'

const selectLast = statement<{ id: number | null }, { partnerId: number }>(
  'back_office_last_statement',
  'SELECT last_statement_id AS id FROM settlement_accounts WHERE partner_id = :partnerId'
)

/** Transitions that a statement allows. A later statement builds on it, so only the last one can be withdrawn. */
export async function triggersOf({ id, partnerId, status }: SettlementStatement) {
  const triggers = Object.keys(STATEMENT_TRANSITIONS[status])
  const last = await selectLast.first({ partnerId })
  return last?.id === id ? triggers : triggers.filter((one) => one !== 'supersede')
}
