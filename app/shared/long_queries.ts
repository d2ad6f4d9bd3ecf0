import { MINUTE_MS } from '#shared/days'
import { statement } from '#shared/statement'
import { allowSilence, type PgConnection } from '#shared/unsafe_connections'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const MOST_MS = 10 * MINUTE_MS
/** Longer than the statement may take: it is PostgreSQL that ends it. */
const SILENCE_MS = MOST_MS + 1_000

/** Until the transaction ends: its connection goes back to the pool. */
async function allowLongSilence(trx: TransactionClientContract) {
  const { client } = trx.getWriteClient()
  const forbid = allowSilence((await client.acquireConnection()) as PgConnection, SILENCE_MS)
  trx.knexClient.executionPromise.then(forbid, forbid)
}

const allowReading = statement<object, { mostMs: string }>(
  'long_queries_allow',
  `SELECT set_config('statement_timeout', :mostMs, true), set_config('idle_in_transaction_session_timeout', :mostMs, true),
          set_config('enable_seqscan', 'on', true), set_config('plan_cache_mode', 'force_custom_plan', true),
          set_config('work_mem', '64MB', true),
          set_config('max_parallel_workers_per_gather', '0', true)`
)

/**
 * For a transaction that reads through a whole period: it may take longer than a request, and is planned for what it
 * reads, where everything else is planned never to read a whole table. It takes one core: the others are for those who wait.
 */
export async function allowLongQueries(trx: TransactionClientContract) {
  await allowReading({ mostMs: String(MOST_MS) }, trx)
  await allowLongSilence(trx)
}

const allowWriting = statement<object, { mostMs: string }>(
  'long_writes_allow',
  `SELECT set_config('statement_timeout', :mostMs, true), set_config('idle_in_transaction_session_timeout', :mostMs, true)`
)

/**
 * For a transaction that writes very many rows: longer too, but planned as requests are. Keys are checked row by row, and
 * a table that has just been filled would be read whole for each of them.
 */
export async function allowLongWrites(trx: TransactionClientContract) {
  await allowWriting({ mostMs: String(MOST_MS) }, trx)
  await allowLongSilence(trx)
}
