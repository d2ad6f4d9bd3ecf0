import { undoAllocationsOf } from '#ledger/actions/allocate_credit'
import { transitionStatement } from '#ledger/actions/change_statement_status'
import { lockAccount, setLastStatement } from '#ledger/accounts'
import { findStatement, lockStatement } from '#ledger/queries/find_statement'
import { statementNumber } from '#ledger/statement_status'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { allowLongQueries } from '#shared/long_queries'
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
  `UPDATE ledger_movements SET statement_id = NULL, line = NULL WHERE statement_id = :statementId AND statement_id IS NOT NULL
      AND kind NOT IN ('commission_rounding', 'vat_rounding')`
)

/**
 * Supersedes a partner's latest statement before the partner has agreed on it. It keeps its number and a copy of its lines,
 * so that it can still be verified. Its movements are open again, lines of rounding excepted, which are of this statement alone; the next statement takes them for the same period under
 * a new number. What it was paid with is an open credit until then. Refuses NOT_THE_LATEST, and STATUS_NOT_REACHABLE once it is agreed, closed or paid.
 */
export default class SupersedeStatement {
  async handle({ statementId, reason, actor }: SupersedeStatementInput) {
    const { partnerCode } = await findStatement(statementId)
    return transaction(async (trx) => {
      await allowLongQueries(trx)
      const { partnerId, lastStatementId } = await lockAccount(partnerCode, trx)
      const found = await lockStatement(statementId, trx)
      const isInForce = found.status !== 'superseded'
      if (isInForce && lastStatementId !== statementId) refuse('NOT_THE_LATEST')
      await transitionStatement(found, 'supersede', reason, actor, trx)
      // After the change of status: `carryAllocations` knows by that which ones were undone with it.
      await undoAllocationsOf({ partnerId, item: `statement:${statementId}`, reason }, actor, trx)
      await keepLines({ statementId }, trx)
      await releaseMovements({ statementId }, trx)
      await setLastStatement({ partnerId, statementId: found.prevId }, trx)
      const change = { statement: statementNumber(found.number), lines: found.lines, reason }
      await record('statement_superseded', change, { actor, partnerId }, trx)
    })
  }
}
