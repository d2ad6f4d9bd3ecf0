import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { statement } from '#shared/statement'

const lockTurn = statement<object, { name: string }>(
  'take_turn',
  'SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))'
)

/** One after the other, until the transaction ends; for counts that row locks can't guard. */
export async function takeTurn(name: string, trx: TransactionClientContract): Promise<void> {
  await lockTurn({ name }, trx)
}
