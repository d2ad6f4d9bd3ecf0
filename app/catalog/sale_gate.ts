import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const GATE = 1

/**
 * Every sale passes its event's gate together with others; a change of status closes it and waits
 * for those inside. An advisory lock because it queues: under a rush of sales a row lock in
 * their way would never be had. The row must still be locked `FOR SHARE` after it: a statement's snapshot
 * may be older than its turn, and only a lock that conflicts with the change reads the newest version
 * (`FOR KEY SHARE` does not). Hence whatever updates an event that is on sale closes the gate first.
 */
export const passGate = (eventParameter: string) =>
  `SELECT pg_advisory_xact_lock_shared(hashtextextended(${eventParameter}, ${GATE}))`

const closeGate = statement(
  'close_gate',
  `SELECT pg_advisory_xact_lock(hashtextextended($1, ${GATE}))`
)

/** Until the transaction ends, no sale of the event begins or goes on. */
export async function closeSaleGate(eventId: string, trx: TransactionClientContract) {
  await closeGate([eventId], trx)
}
