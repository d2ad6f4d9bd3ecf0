import { moveStatement } from '#ledger/actions/change_statement_status'
import { lockAccount } from '#ledger/queries/accounts'
import { findStatement, lockStatement } from '#ledger/queries/find_statement'
import { statementNumber } from '#ledger/statement_status'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { takeTime } from '#shared/patience'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface SupersedeStatementInput {
  statementId: number
  reason: string
  actor: Actor
}

const keepLines = statement<object, { statementId: number }>(
  'settlement_keep_superseded_lines',
  `INSERT INTO settlement_superseded_lines (statement_id, line, movement_id)
   SELECT statement_id, line, id FROM ledger_movements WHERE statement_id = :statementId AND statement_id IS NOT NULL`
)
const releaseMovements = statement<object, { statementId: number }>(
  'settlement_release_movements',
  `UPDATE ledger_movements SET statement_id = NULL, line = NULL WHERE statement_id = :statementId AND statement_id IS NOT NULL`
)
const stepBack = statement<object, { partnerId: number; prevId: number | null }>(
  'settlement_account_step_back',
  'UPDATE settlement_accounts SET last_statement_id = :prevId WHERE partner_id = :partnerId'
)

/**
 * Withdraws a partner's latest statement before anybody has agreed on it. Its number stays with it, its lines are written
 * down beside it, so that it still proves itself; the movements are open again, and the next statement takes them for the
 * same days under a new number. Refuses NOT_THE_LATEST, and STATUS_NOT_REACHABLE once it is agreed, closed or paid.
 */
export default class SupersedeStatement {
  async handle({ statementId, reason, actor }: SupersedeStatementInput) {
    const { partnerCode } = await findStatement(statementId)
    return transaction(async (trx) => {
      await takeTime(trx)
      const { partnerId, lastStatementId } = await lockAccount(partnerCode, trx)
      const found = await lockStatement(statementId, trx)
      const stands = found.status !== 'superseded'
      if (stands && lastStatementId !== statementId) refuse('NOT_THE_LATEST')
      await moveStatement(found, 'supersede', reason, actor, trx)
      await keepLines({ statementId }, trx)
      await releaseMovements({ statementId }, trx)
      await stepBack({ partnerId, prevId: found.prevId }, trx)
      const change = { statement: statementNumber(found.number), lines: found.lines, reason }
      await record('statement_superseded', change, { actor, partnerId }, trx)
    })
  }
}
