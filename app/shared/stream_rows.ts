import { toPositional, valuesFor } from '#shared/named_parameters'
import { throwIfStopped } from '#shared/stop_signals'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { PoolClient } from 'pg'
import QueryStream from 'pg-query-stream'

/** Few enough that rows die young: those of a larger batch live until the next great collection, and memory grows. */
const BATCH = 250

/** Does not wait until PostgreSQL has closed the cursor: a lost connection never answers, and readers would wait for ever. */
class RowStream extends QueryStream {
  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    this.cursor.close(() => {})
    done(error)
  }
}

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
    new RowStream(text, valuesFor(names, params), { batchSize: BATCH })
  )
  // The cursor's own error is lost when it has just read its last row.
  const onLost = () => stream.destroy(new Error('the connection was lost'))
  connection.once('end', onLost)
  try {
    for await (const row of stream) {
      throwIfStopped(trx)
      yield row as Row
    }
  } finally {
    connection.off('end', onLost)
    stream.destroy()
    await pool.releaseConnection(connection)
  }
}
