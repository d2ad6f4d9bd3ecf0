import { eraseTraces, type ErasedBuyer } from '#privacy/erase_traces'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Orders are erased with their bookings; bookings that became no order, or have another e-mail, are named themselves. */
export interface Batch {
  orderIds: string[]
  bookingIds: string[]
}

/** Erased in one transaction: few enough that no sale of the event waits for long. */
export const BATCH_SIZE = 200

const BOOKINGS_OF_BATCH = `b.id = ANY (ARRAY(SELECT booking_id FROM orders WHERE id = ANY (:orderIds::text[])) || :bookingIds::text[])`

const lockBookings = statement<object, Batch>(
  'privacy_lock_bookings',
  `SELECT 1 FROM bookings b WHERE ${BOOKINGS_OF_BATCH} ORDER BY b.id FOR NO KEY UPDATE`
)
const lockOrders = statement<object, { orderIds: string[] }>(
  'privacy_lock_orders',
  'SELECT 1 FROM orders WHERE id = ANY (:orderIds::text[]) ORDER BY id FOR NO KEY UPDATE'
)

// What is still being bought is left alone: its partner may yet repeat the request, and it ends within minutes.
const eraseBookings = statement<ErasedBuyer, Batch>(
  'privacy_erase_bookings',
  `WITH was AS MATERIALIZED (
     SELECT b.id, b.customer FROM bookings b
      WHERE ${BOOKINGS_OF_BATCH} AND b.customer IS NOT NULL AND b.buyer_erased_at IS NULL AND b.stored_status <> 'active'
        AND NOT EXISTS (SELECT FROM orders o WHERE o.id = b.order_id AND o.stored_status = 'pending'))
   UPDATE bookings b SET customer = buyer_pseudonym(was.customer, was.id), buyer_erased_at = clock_timestamp()
     FROM was WHERE b.id = was.id
   RETURNING b.order_id AS "orderId", b.id AS "bookingId", b.partner_id AS "partnerId", b.event_id AS "eventId", was.customer`
)
const eraseOrders = statement<ErasedBuyer & { orderId: string }, { orderIds: string[] }>(
  'privacy_erase_orders',
  `WITH was AS MATERIALIZED (
     SELECT id, customer::jsonb AS customer FROM orders
      WHERE id = ANY (:orderIds::text[]) AND buyer_erased_at IS NULL AND stored_status <> 'pending')
   UPDATE orders o SET customer = buyer_pseudonym(was.customer, was.id), buyer_erased_at = clock_timestamp()
     FROM was WHERE o.id = was.id
   RETURNING o.id AS "orderId", o.booking_id AS "bookingId", o.partner_id AS "partnerId", o.event_id AS "eventId", was.customer`
)

/**
 * Replaces the buyers of a batch by pseudonyms, with everything that was copied from them, all or nothing. What is erased
 * already is not touched again, so that a repeat, and a second worker that waited for the first, finds nothing to do.
 */
export async function eraseBatch(batch: Batch, trx: TransactionClientContract) {
  await lockBookings(batch, trx)
  await lockOrders({ orderIds: batch.orderIds }, trx)
  const bookings = await eraseBookings(batch, trx)
  const orders = await eraseOrders({ orderIds: batch.orderIds }, trx)
  if (bookings.length + orders.length > 0) await eraseTraces([...bookings, ...orders], trx)
  return { orders, bookings }
}
