import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const renewEvents = statement(
  'feed_renew_events',
  'UPDATE events SET change_xid = pg_current_xact_id()'
)
const renewGrants = statement(
  'feed_renew_grants',
  'UPDATE event_grants SET change_xid = pg_current_xact_id()'
)

/**
 * Shows everything once more in the feed. After a restore, rows bear the transaction ids of the database that the dump was
 * taken from: to readers they would be new at every reading, or never.
 */
export async function renewFeed(trx: TransactionClientContract) {
  await renewEvents({}, trx)
  await renewGrants({}, trx)
}
