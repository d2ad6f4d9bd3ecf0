import type { BookingStatus } from '#sales/booking_status'
import { BOOKING_STATUS } from '#sales/queries/find_booking'
import { findOrderByKey, type Order } from '#sales/queries/find_order'
import { openOrder, type OrderRequest } from '#sales/place_order/place_order_sql'
import { assertSameOrder } from '#sales/same_request'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { takeTurn } from '#shared/turn'
import { transaction } from '#shared/transaction'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

interface Circumstances {
  is_repeat: boolean
  booking_id: string | null
  booking_status: BookingStatus
  access: 'active' | 'revoked' | null
  is_suspended: boolean
  is_event_cancelled: boolean
  pending: number
  seconds_to_next_end: number | null
}

// The count stops at the cap: beyond it the number doesn't matter.
const selectCircumstances = statement<
  Circumstances,
  { partnerId: number; partnerOrderId: string; bookingId: string; limit: number }
>(
  'order_circumstances',
  `SELECT EXISTS (SELECT 1 FROM orders WHERE partner_id = :partnerId AND partner_order_id = :partnerOrderId) AS is_repeat,
          b.id AS booking_id, ${BOOKING_STATUS} AS booking_status, g.access, p.status = 'suspended' AS is_suspended,
          e.stored_status = 'cancelled' AS is_event_cancelled, open.pending, open.seconds_to_next_end
     FROM (SELECT count(*)::int AS pending,
                  ceil(extract(epoch FROM min(window_ends_at) - clock_timestamp()))::int AS seconds_to_next_end
             FROM (SELECT window_ends_at FROM orders
                    WHERE partner_id = :partnerId AND stored_status = 'pending' AND window_ends_at > clock_timestamp()
                    ORDER BY window_ends_at LIMIT :limit) pending) open
     JOIN partners p ON p.id = :partnerId
     LEFT JOIN bookings b ON b.id = :bookingId AND b.partner_id = :partnerId
     LEFT JOIN events e ON e.id = b.event_id
     LEFT JOIN event_grants g ON g.event_id = b.event_id AND g.partner_id = :partnerId`
)

/** An attempt is repeated when something changed between it and the look at the reason; more often than this is overload. */
const MAX_ATTEMPTS = 3

/**
 * POST /orders: turns the partner's booking into a pending order; seats stay locked for the payment window.
 * Attempted first, in one round trip; the reason is looked up only when nothing was placed.
 */
export default class PlaceOrder {
  async handle(input: OrderRequest): Promise<{ order: Order; repeated: boolean }> {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
      const order = await this.#attempt(input)
      if (order) return { order, repeated: false }

      const circumstances = await this.#readCircumstances(input)
      if (circumstances.is_repeat) return this.#repeat(input)
      this.#assertMayOrder(input, circumstances)
      const orderInTurn = await this.#openInTurn(input)
      if (orderInTurn) return { order: orderInTurn, repeated: false }
    }
    return refuse('SERVICE_BUSY', { retry_after: 1 })
  }

  /** Requests in flight can't lift the count over the cap from below this mark, so they need not wait for each other. */
  async #attempt(input: OrderRequest) {
    const { isSuspended, pendingOrders, requestsInFlight } = input.partner
    const mark = pendingOrders - 2 * requestsInFlight
    return isSuspended || mark <= 0 ? undefined : openOrder(input, mark)
  }

  #readCircumstances(
    { partner, partnerOrderId, bookingId }: OrderRequest,
    client?: QueryClientContract
  ) {
    const { id: partnerId, pendingOrders: limit } = partner
    return selectCircumstances.one({ partnerId, partnerOrderId, bookingId, limit }, client)
  }

  async #repeat(input: OrderRequest) {
    const order = (await findOrderByKey(input.partner.id, input.partnerOrderId))!
    assertSameOrder(order, input)
    return { order, repeated: true }
  }

  #assertMayOrder({ partner }: OrderRequest, found: Circumstances) {
    if (partner.isSuspended || found.is_suspended) refuse('PARTNER_DISABLED')
    if (found.booking_id === null) refuse('BOOKING_NOT_FOUND')
    if (found.access !== 'active') refuse('ACCESS_DENIED')
    if (found.booking_status === 'converted') refuse('BOOKING_ALREADY_CONFIRMED')
    if (found.booking_status === 'expired' || found.is_event_cancelled) refuse('BOOKING_EXPIRED')
    if (found.pending >= partner.pendingOrders) {
      const retryAfter = Math.max(1, found.seconds_to_next_end ?? 1)
      refuse('PENDING_LIMIT_EXCEEDED', { limit: partner.pendingOrders, retry_after: retryAfter })
    }
  }

  /** Near the cap a partner's orders are counted and opened one after the other. */
  #openInTurn(input: OrderRequest) {
    return transaction(async (trx) => {
      await takeTurn(`pending:${input.partner.id}`, trx)
      const circumstances = await this.#readCircumstances(input, trx)
      if (circumstances.is_repeat) return undefined
      this.#assertMayOrder(input, circumstances)
      return openOrder(input, input.partner.pendingOrders, trx)
    })
  }
}
