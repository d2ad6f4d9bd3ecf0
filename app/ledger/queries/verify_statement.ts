import { netMovement, toStoredTotals } from '#ledger/movements'
import type { SettlementStatement } from '#ledger/queries/find_statement'
import { digestStatement } from '#ledger/statement_digest'
import { allowLongQueries } from '#shared/long_queries'
import { transaction } from '#shared/transaction'
import { isDeepStrictEqual } from 'node:util'

/** Computes a statement again and returns the fields that differ from the stored ones; empty when all agree. */
export async function verifyStatement(found: SettlementStatement): Promise<string[]> {
  const digest = await transaction(async (trx) => {
    await allowLongQueries(trx)
    return digestStatement(found.id, found, trx, found.status === 'superseded')
  })
  const wrong: string[] = []
  if (digest.lines !== found.lines || digest.lateLines !== found.lateLines) wrong.push('lines')
  if (!isDeepStrictEqual(toStoredTotals(digest.totals), toStoredTotals(found.totals)))
    wrong.push('totals')
  if (found.openingTenge + netMovement(digest.totals) !== found.closingTenge)
    wrong.push('closing_tenge')
  if (digest.sha256 !== found.statementSha256) wrong.push('data_sha256')
  return wrong
}
