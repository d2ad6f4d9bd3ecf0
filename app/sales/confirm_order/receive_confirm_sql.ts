import {
  INSERT_ATTEMPT,
  toAttemptRow,
  type AttemptRow,
  type ReceivedConfirm,
} from '#sales/confirm_order/confirm_attempt'
import { orderStatus, type OrderStatus } from '#sales/order_status'
import { oneOrder } from '#sales/queries/one_order'
import { statement } from '#shared/statement'

export interface ConfirmableSeat {
  event_seat_id: number
  space_id: string
  sector_id: string
  row_label: string
  seat_label: string
  price_tenge: number
}

interface StoredAttempt {
  attempt_id: bigint
  /** With microseconds, as PostgreSQL has it. */
  received_at: string
}

/** A confirm that names no order of this partner. */
export interface AttemptWithoutOrder extends StoredAttempt {
  order_id: null
}

interface FoundOrder extends StoredAttempt {
  order_id: string
  /** When the request arrived. */
  status: OrderStatus
  total_tenge: bigint
  event_id: string
  is_event_cancelled: boolean
  ends_at: Date
  kid: string
  private_key_encrypted: string
}

/** Pending when the request arrived, and the amount is its total: with what its tickets need. */
export interface OrderToPay extends FoundOrder {
  seats: ConfirmableSeat[]
  ticket_numbers: bigint[]
}

interface OrderNotToPay extends FoundOrder {
  seats: null
  ticket_numbers: null
}

/** The order that a confirm names, as it was when the request arrived. */
export type OrderAtConfirm = OrderToPay | OrderNotToPay

/**
 * This commit does not wait for the disk: it survives a crash of our process, though not yet one of PostgreSQL; the
 * commit that precedes the answer flushes it, so nothing that was answered is without a trace.
 * Seats and ticket numbers are read only for an order to pay; gaps in the numbers mean nothing.
 */
export const receiveConfirm = statement<AttemptWithoutOrder | OrderAtConfirm, AttemptRow>(
  'receive_confirm',
  `WITH without_flush AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
   attempt AS (${INSERT_ATTEMPT} RETURNING id, received_at)
   SELECT attempt.id AS attempt_id, attempt.received_at::text AS received_at, o.id AS order_id,
          ${orderStatus('attempt.received_at')} AS status, o.total_tenge, o.event_id,
          e.stored_status = 'cancelled' AS is_event_cancelled, e.ends_at,
          k.kid, k.private_key_encrypted, drawn.seats, drawn.ticket_numbers
     FROM without_flush, attempt
     LEFT JOIN ${oneOrder(':orderIdSent')} ON o.partner_id = :partnerId
     LEFT JOIN events e ON e.id = o.event_id
     LEFT JOIN event_keys k ON k.event_id = o.event_id
     LEFT JOIN LATERAL (
       SELECT json_agg(json_build_object(
                'event_seat_id', bs.event_seat_id, 'space_id', bs.space_id, 'sector_id', sec.public_id,
                'row_label', r.label, 'seat_label', s.label, 'price_tenge', bs.price_tenge)
              ORDER BY bs.position) AS seats,
              array_agg(nextval('ticket_numbers')) AS ticket_numbers
         FROM booking_seats bs JOIN event_seats s ON s.id = bs.event_seat_id
         JOIN sectors sec ON sec.id = s.sector_id JOIN hall_rows r ON r.id = s.row_id
        WHERE bs.booking_id = o.booking_id AND o.stored_status = 'pending'
          AND o.window_ends_at > attempt.received_at AND o.total_tenge = :amountTenge) drawn ON true`
)

/** Commits the attempt on its own and returns the order as it was when the request arrived. */
export const recordAttempt = (received: ReceivedConfirm) =>
  receiveConfirm.one(toAttemptRow(received))
