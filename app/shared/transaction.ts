import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * Runs a use case in one transaction: everything or nothing.
 *
 * Lucid's own `db.transaction(callback)` must not be used: its commit resolves although COMMIT failed
 * (a lost connection, a deferred constraint), because knex tells of that only by `executionPromise`.
 */
export async function transaction<Result>(
  work: (trx: TransactionClientContract) => Promise<Result>
): Promise<Result> {
  const trx = await db.transaction()
  const { executionPromise: ended } = trx.knexClient
  ended.catch(() => {})
  const result = await work(trx).catch(async (error: unknown) => {
    await trx.rollback().catch(() => {})
    throw error
  })
  await trx.commit()
  await ended
  return result
}
