import type { RunScope } from '#invariants/invariant'
import { MINUTE_MS } from '#shared/days'
import { idAt } from '#shared/journal_position'
import { allowLongQueries } from '#shared/long_queries'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** The connection that `STANDBY_DATABASE_URL` configures. */
export const STANDBY = 'standby'

/** More than any transaction lasts: a row that was stamped before the last run may have been committed after it. */
const OVERLAP_MS = 15 * MINUTE_MS

// The clock is read after the snapshot is taken, so that nothing in the snapshot is younger than `asOf`.
const readMoment = statement<{ asOf: string }>(
  'invariant_moment',
  `SELECT to_char(CASE WHEN pg_is_in_recovery() THEN least(clock_timestamp(), pg_last_xact_replay_timestamp())
                       ELSE clock_timestamp() END AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "asOf"`
)

/**
 * Reads in one read-only snapshot, on the standby where one is configured. `from` is the moment of the data of an earlier run;
 * null for the full form.
 */
export function readSnapshot<Result>(
  from: Date | null,
  read: (scope: RunScope, trx: TransactionClientContract) => Promise<Result>,
  signal: AbortSignal
): Promise<Result> {
  const connection = db.connection(db.manager.has(STANDBY) ? STANDBY : undefined)
  const work = async (trx: TransactionClientContract) => {
    await trx.rawQuery('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    await allowLongQueries(trx)
    const { asOf } = await readMoment.one({}, trx)
    const since = from && new Date(from.getTime() - OVERLAP_MS)
    const sinceEntry = since ? await idAt(since, trx) : 0n
    return read({ asOf, since, sinceEntry }, trx)
  }
  return transaction(work, signal, connection)
}
