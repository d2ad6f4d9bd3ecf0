import { toPositional, valuesFor } from '#shared/named_parameters'
import { throwIfStopped } from '#shared/stop_signals'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { PoolClient } from 'pg'
import QueryStream from 'pg-query-stream'

/** Few enough that rows die young: those of a larger batch live until the next great collection, and memory grows. */
const BATCH = 250

/**
 * The rows of a query with named parameters one after another, without ever holding them all; nothing else may run in the
 * transaction until the last one was taken or the loop was left.
 */
export async function* streamRows<Row>(
  sql: string,
  params: object,
  trx: TransactionClientContract
): AsyncGenerator<Row> {
  const { text, names } = toPositional(sql)
  const { client: pool } = trx.getWriteClient()
  const connection: PoolClient = await pool.acquireConnection()
  const stream = connection.query(
    new QueryStream(text, valuesFor(names, params), { batchSize: BATCH })
  )
  try {
    for await (const row of stream) {
      throwIfStopped(trx)
      yield row as Row
    }
  } finally {
    stream.destroy()
    await pool.releaseConnection(connection)
  }
}
