import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { statement } from '#shared/statement'

const allow = statement(
  'patience_allow',
  `SELECT set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $1, true)`
)
const MINUTES_MS = 10 * 60_000

/** Lets this transaction read through a whole period: what a request may take is far too little for a large one. */
export const takeTime = (trx: TransactionClientContract) => allow([String(MINUTES_MS)], trx)
