import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * The sale gate is a readers–writer lock on each event and each partner, made of PostgreSQL advisory locks that last until
 * the transaction ends. Sales pass it together (shared); a change of status closes it (exclusive).
 *
 *     sale A    passes, sales_open                                  commits
 *     pause     closes: waits for A                                          sales_paused, commits
 *     sale B    passes: queues behind the pause                                                     reads sales_paused
 *
 * Advisory locks are granted in the order of the queue. With row locks, shared ones could overtake the pause for ever.
 * The gate returns the status as it is after the wait; the snapshot of the sale's own statement can be older.
 */
export const passGate = (event: string) => `SELECT pass_sale_gate(${event}) AS status`

/**
 * For a new sale, which also passes the gate of its partner: whether the partner may sell is read after both waits, and
 * can't change until the sale ends. Returns `status`, `access`, `is_suspended` and `max_seats`.
 */
export const passSaleAndPartnerGate = (event: string, partner: string) =>
  `pass_sale_and_partner_gate(${event}, ${partner})`

const closeEventGate = statement<object, { eventId: string }>(
  'close_gate',
  'SELECT close_sale_gate(:eventId)'
)

/** Waits for sales of the event that are in progress; until the transaction ends, no other one starts. */
export async function closeSaleGate(eventId: string, trx: TransactionClientContract) {
  await closeEventGate({ eventId }, trx)
}

const closePartner = statement<object, { partnerId: number }>(
  'close_partner_gate',
  'SELECT close_partner_gate(:partnerId)'
)

/** Waits for sales of the partner that are in progress; until the transaction ends, no other one starts. */
export async function closePartnerGate(partnerId: number, trx: TransactionClientContract) {
  await closePartner({ partnerId }, trx)
}
