import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const touchEvents = statement(
  'feed_renew_events',
  'UPDATE events SET change_xid = pg_current_xact_id()'
)
const touchGrants = statement(
  'feed_renew_grants',
  'UPDATE event_grants SET change_xid = pg_current_xact_id()'
)

/**
 * Returns every event once more to every reader of the feed. After a restore, rows carry transaction ids of the database
 * that was dumped: readers would get them with every read, or never.
 */
export async function republishFeed(trx: TransactionClientContract) {
  await touchEvents({}, trx)
  await touchGrants({}, trx)
}
