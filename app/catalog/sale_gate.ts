import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * Every sale passes its event's gate together with others; a change of status closes it and waits
 * for those inside. An advisory lock because it queues: under a rush of sales a row lock in
 * their way would never be had. `pass_sale_gate` answers with the status as it stands once the turn has come, which
 * the snapshot of the sale's own statement may be too old to tell.
 */
export const passGate = (event: string) => `SELECT pass_sale_gate(${event}) AS status`

/**
 * For a new sale, which also passes the gate of its partner: whether the partner may sell is read after both waits, and
 * can't change until the sale is over. Gives `status`, `access`, `is_suspended` and `max_seats`.
 */
export const passSaleAndPartnerGate = (event: string, partner: string) =>
  `pass_sale_and_partner_gate(${event}, ${partner})`

const closeGate = statement<object, { eventId: string }>(
  'close_gate',
  'SELECT close_sale_gate(:eventId)'
)

/** Until the transaction ends, no sale of the event begins or goes on. */
export async function closeSaleGate(eventId: string, trx: TransactionClientContract) {
  await closeGate({ eventId }, trx)
}

const closePartner = statement<object, { partnerId: number }>(
  'close_partner_gate',
  'SELECT close_partner_gate(:partnerId)'
)

/** Until the transaction ends, no new sale of the partner begins or goes on; waits for those that are under way. */
export async function closePartnerGate(partnerId: number, trx: TransactionClientContract) {
  await closePartner({ partnerId }, trx)
}
