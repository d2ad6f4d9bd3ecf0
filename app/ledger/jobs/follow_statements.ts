import { transitionStatement } from '#ledger/actions/change_statement_status'
import { lockStatement } from '#ledger/queries/find_statement'
import { CLOCK } from '#shared/actor'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

const selectUndisputed = statement<{ id: number }>(
  'settlement_statements_in_silence',
  `SELECT s.id FROM settlement_statements s JOIN settlement_terms t ON t.id = s.terms_id
    WHERE s.status = 'issued' AND s.dispute_until <= clock_timestamp() AND t.silence_agrees`
)

/** Agrees on statements that were not disputed in time, where the terms count silence as agreement. */
export default async function followStatements(): Promise<void> {
  for (const { id } of await selectUndisputed({}))
    await transaction(async (trx) => {
      const found = await lockStatement(id, trx)
      if (found.status === 'issued') await transitionStatement(found, 'agree', null, CLOCK, trx)
    })
}
