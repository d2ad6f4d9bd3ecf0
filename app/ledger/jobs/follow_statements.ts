import { moveStatement } from '#ledger/actions/change_statement_status'
import { lockStatement } from '#ledger/queries/find_statement'
import { CLOCK } from '#shared/actor'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

const selectSilent = statement<{ id: number }>(
  'settlement_statements_in_silence',
  `SELECT s.id FROM settlement_statements s JOIN settlement_terms t ON t.id = s.terms_id
    WHERE s.status = 'issued' AND s.dispute_until <= clock_timestamp() AND t.silence_agrees`
)

/** Where the terms say so, a statement that nobody disputed in time is agreed on. */
export default async function followStatements(): Promise<void> {
  for (const { id } of await selectSilent({}))
    await transaction(async (trx) => {
      const found = await lockStatement(id, trx)
      if (found.status === 'issued') await moveStatement(found, 'agree', null, CLOCK, trx)
    })
}
