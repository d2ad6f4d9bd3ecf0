import { sumOf, toStored } from '#ledger/movements'
import type { SettlementStatement } from '#ledger/queries/find_statement'
import { readFrozen } from '#ledger/statement_data'
import { takeTime } from '#shared/patience'
import { transaction } from '#shared/transaction'
import { isDeepStrictEqual } from 'node:util'

/** What of an issued statement does not come out as it was written down; empty when it proves itself. */
export async function verifyStatement(found: SettlementStatement): Promise<string[]> {
  const data = await transaction(async (trx) => {
    await takeTime(trx)
    return readFrozen(found.id, found, trx, found.status === 'superseded')
  })
  const wrong: string[] = []
  if (data.lines !== found.lines || data.lateLines !== found.lateLines) wrong.push('lines')
  if (!isDeepStrictEqual(toStored(data.totals), toStored(found.totals))) wrong.push('totals')
  if (found.openingTenge + sumOf(data.totals) !== found.closingTenge) wrong.push('closing_tenge')
  if (data.sha256 !== found.sha256) wrong.push('data_sha256')
  return wrong
}
