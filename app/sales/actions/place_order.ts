import platform from '#config/platform'
import type { BookingStatus } from '#sales/booking_status'
import { BOOKING_STATUS } from '#sales/queries/find_booking'
import { findOrderByKey, type Order } from '#sales/queries/find_order'
import { openOrder, type OrderRequest } from '#sales/queries/open_order'
import { assertSameOrder } from '#sales/same_request'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { takeTurn } from '#shared/turn'
import { transaction } from '#shared/transaction'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

interface Circumstances {
  is_repeat: boolean
  booking_id: string | null
  event_id: string
  booking_status: BookingStatus
  access: 'active' | 'revoked' | null
  is_event_cancelled: boolean
  pending: number
  seconds_to_next_end: number | null
}

// The count stops at the cap: beyond it the number doesn't matter.
const selectCircumstances = statement<Circumstances>(
  'order_circumstances',
  `SELECT EXISTS (SELECT 1 FROM orders WHERE partner_id = $1 AND partner_order_id = $2) AS is_repeat,
          b.id AS booking_id, b.event_id, ${BOOKING_STATUS} AS booking_status, g.access,
          e.stored_status = 'cancelled' AS is_event_cancelled, open.pending, open.seconds_to_next_end
     FROM (SELECT count(*)::int AS pending,
                  ceil(extract(epoch FROM min(window_ends_at) - clock_timestamp()))::int AS seconds_to_next_end
             FROM (SELECT window_ends_at FROM orders
                    WHERE partner_id = $1 AND stored_status = 'pending' AND window_ends_at > clock_timestamp()
                    ORDER BY window_ends_at LIMIT $4) p) open
     LEFT JOIN bookings b ON b.id = $3 AND b.partner_id = $1
     LEFT JOIN events e ON e.id = b.event_id
     LEFT JOIN event_grants g ON g.event_id = b.event_id AND g.partner_id = $1`
)

const MAX_LOOKS = 3

/** POST /orders: turns the partner's booking into a pending order; seats stay locked for the payment window. */
export default class PlaceOrder {
  async handle(input: OrderRequest): Promise<{ order: Order; repeated: boolean }> {
    for (let look = 0; look < MAX_LOOKS; look++) {
      const circumstances = await this.#look(input)
      if (circumstances.is_repeat) return this.#repeat(input)
      this.#assertMayOrder(input, circumstances)

      const order = this.#isNearCap(input, circumstances)
        ? await this.#openInTurn(input)
        : await openOrder(input, circumstances.event_id, platform.prefix)
      if (order) return { order, repeated: false }
    }
    return refuse('SERVICE_BUSY', { retry_after: 1 })
  }

  #look({ partner, partnerOrderId, bookingId }: OrderRequest, client?: QueryClientContract) {
    const values = [partner.id, partnerOrderId, bookingId, partner.pendingOrders]
    return selectCircumstances.one(values, client)
  }

  async #repeat(input: OrderRequest) {
    const order = (await findOrderByKey(input.partner.id, input.partnerOrderId))!
    assertSameOrder(order, input)
    return { order, repeated: true }
  }

  #assertMayOrder({ partner }: OrderRequest, found: Circumstances) {
    if (partner.isSuspended) refuse('PARTNER_DISABLED')
    if (found.booking_id === null) refuse('BOOKING_NOT_FOUND')
    if (found.access !== 'active') refuse('ACCESS_DENIED')
    if (found.booking_status === 'converted') refuse('BOOKING_ALREADY_CONFIRMED')
    if (found.booking_status === 'expired' || found.is_event_cancelled) refuse('BOOKING_EXPIRED')
    if (found.pending >= partner.pendingOrders) {
      const retryAfter = Math.max(1, found.seconds_to_next_end ?? 1)
      refuse('PENDING_LIMIT_EXCEEDED', { limit: partner.pendingOrders, retry_after: retryAfter })
    }
  }

  /** Requests in flight can't lift the count over the cap from below this mark, so they need not wait for each other. */
  #isNearCap({ partner }: OrderRequest, { pending }: Circumstances) {
    return pending + 2 * partner.requestsInFlight >= partner.pendingOrders
  }

  #openInTurn(input: OrderRequest) {
    return transaction(async (trx) => {
      await takeTurn(`pending:${input.partner.id}`, trx)
      const circumstances = await this.#look(input, trx)
      if (circumstances.is_repeat) return undefined
      this.#assertMayOrder(input, circumstances)
      return openOrder(input, circumstances.event_id, platform.prefix, trx)
    })
  }
}
