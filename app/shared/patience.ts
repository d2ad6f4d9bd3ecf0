import { MINUTE_MS } from '#shared/days'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const MOST_MS = 10 * MINUTE_MS

const allow = statement<object, { mostMs: string }>(
  'patience_allow',
  `SELECT set_config('statement_timeout', :mostMs, true), set_config('idle_in_transaction_session_timeout', :mostMs, true),
          set_config('enable_seqscan', 'on', true), set_config('plan_cache_mode', 'force_custom_plan', true),
          set_config('work_mem', '64MB', true),
          set_config('max_parallel_workers_per_gather', '0', true)`
)

/**
 * For a transaction that reads through a whole period: it may take longer than a request, and is planned for what it
 * reads, where everything else is planned never to read a whole table. It takes one core: the others are for those who wait.
 */
export const takeTime = (trx: TransactionClientContract) => allow({ mostMs: String(MOST_MS) }, trx)

const wait = statement<object, { mostMs: string }>(
  'patience_wait',
  `SELECT set_config('statement_timeout', :mostMs, true), set_config('idle_in_transaction_session_timeout', :mostMs, true)`
)

/**
 * For a transaction that writes very many rows: longer too, but planned as requests are. Keys are checked row by row, and
 * a table that has just been filled would be read whole for each of them.
 */
export const takeTimeToWrite = (trx: TransactionClientContract) =>
  wait({ mostMs: String(MOST_MS) }, trx)
