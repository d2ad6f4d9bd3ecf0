import { findOrder, type Order, type OrderTicket } from '#sales/queries/find_order'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { Refusal, refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { sumTenge } from '#shared/sums'
import type { VoidCause } from '#tickets/ticket_status'
import { transaction } from '#shared/transaction'
import logger from '@adonisjs/core/services/logger'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface VoidTicketsInput {
  partnerId: number
  actor: Actor
  orderId: string
  ticketIds: string[]
  /** `refund`: the partner returns the money, and the order shows it. `platform`: we take the tickets back, the order stays as it is. */
  cause: 'refund' | 'platform'
  reason: string
  /** Contract phase 2: the seats return to sale and the order becomes refunded. In phase 1 neither. */
  returnsSeats: boolean
}

interface TicketRow {
  id: string
  status: OrderTicket['status']
  price_tenge: bigint
  event_seat_id: bigint
  void_cause: VoidCause | null
  void_reason: string | null
}

const lockOrder = statement<{ event_id: string }, { orderId: string; partnerId: number }>(
  'refund_lock_order',
  'SELECT event_id FROM orders WHERE id = :orderId AND partner_id = :partnerId FOR NO KEY UPDATE'
)
const lockTickets = statement<object, { orderId: string }>(
  'refund_lock_tickets',
  'SELECT 1 FROM tickets WHERE order_id = :orderId ORDER BY id FOR UPDATE'
)
// After the lock: a statement that waits for it reads the event as it was before it waited.
const readTickets = statement<TicketRow, { orderId: string }>(
  'refund_read_tickets',
  `SELECT t.id, t.price_tenge, t.event_seat_id, t.void_cause, t.void_reason,
          CASE WHEN t.status = 'active' AND e.ends_at <= clock_timestamp() THEN 'expired' ELSE t.status END AS status
     FROM tickets t JOIN events e ON e.id = t.event_id
    WHERE t.order_id = :orderId`
)
const lockSeats = statement<object, { seatIds: bigint[] }>(
  'refund_lock_seats',
  'SELECT id FROM event_seats WHERE id = ANY(:seatIds::bigint[]) ORDER BY id FOR NO KEY UPDATE'
)
const releaseSeats = statement<object, { seatIds: bigint[]; state: string }>(
  'refund_release_seats',
  `UPDATE event_seats SET state = :state, held_by = NULL, hold_until = NULL
    WHERE id = ANY(:seatIds::bigint[]) AND state = 'sold'`
)
const voidTickets = statement<
  object,
  { ids: string[]; reason: string; voidedBy: string; cause: string }
>(
  'refund_void_tickets',
  `UPDATE tickets SET status = 'void', void_cause = :cause, void_reason = :reason, voided_by = :voidedBy,
          voided_at = clock_timestamp()
    WHERE id = ANY(:ids::text[])`
)
const settleOrder = statement<object, { orderId: string }>(
  'refund_settle_order',
  `UPDATE orders SET stored_status = CASE
            WHEN EXISTS (SELECT 1 FROM tickets WHERE order_id = :orderId AND void_cause IS DISTINCT FROM 'refund')
            THEN 'partially_refunded' ELSE 'refunded' END
    WHERE id = :orderId`
)

const insertRefusedRefunds = statement<
  object,
  {
    ticketIds: string[]
    partnerId: number
    orderId: string
    requestId: string | null
    askedBy: string
  }
>(
  'refund_note_refused',
  `INSERT INTO refused_refunds (ticket_id, partner_id, order_id, request_id, asked_by)
   SELECT id, :partnerId, :orderId, :requestId, :askedBy FROM tickets WHERE order_id = :orderId AND id = ANY(:ticketIds::text[]) AND used_at IS NOT NULL
   ON CONFLICT (ticket_id) DO NOTHING`
)

/** Voids the listed tickets, all or none; idempotent per ticket with the same cause and reason (contract, refund). */
export default class VoidTickets {
  async handle(input: VoidTicketsInput): Promise<Order> {
    try {
      return await this.#handle(input)
    } catch (refusal) {
      if (refusal instanceof Refusal && input.cause === 'refund')
        // A failure to record it must not change the partner's answer.
        await recordRefusedRefund(input, refusal).catch((error: unknown) =>
          logger.error({ err: error, order: input.orderId }, 'a refused refund was not recorded')
        )
      throw refusal
    }
  }

  async #handle(input: VoidTicketsInput): Promise<Order> {
    return transaction(async (trx) => {
      const order = await lockOrder.first(
        { orderId: input.orderId, partnerId: input.partnerId },
        trx
      )
      if (!order) refuse('ORDER_NOT_FOUND')
      const fresh = await this.#lockVoidable(input, trx)
      if (fresh.length > 0) await this.#void(input, order.event_id, fresh, trx)
      return (await findOrder(input.partnerId, input.orderId, trx))!
    })
  }

  async #lockVoidable(
    { orderId, ticketIds, cause, reason }: VoidTicketsInput,
    trx: TransactionClientContract
  ) {
    await lockTickets({ orderId }, trx)
    const rows = await readTickets({ orderId }, trx)
    const tickets = new Map(rows.map((ticket) => [ticket.id, ticket]))
    const refused = ticketIds.filter((id) => !isVoidable(tickets.get(id), cause, reason))
    if (refused.length > 0) {
      const statuses = refused.map((id) => ({
        ticket_id: id,
        status: tickets.get(id)?.status ?? null,
      }))
      refuse('TICKET_NOT_REFUNDABLE', { ...statuses[0], tickets: statuses })
    }
    return ticketIds.map((id) => tickets.get(id)!).filter((ticket) => ticket.status === 'active')
  }

  async #void(
    { partnerId, actor, orderId, cause, reason, returnsSeats }: VoidTicketsInput,
    eventId: string,
    tickets: TicketRow[],
    trx: TransactionClientContract
  ) {
    const ids = tickets.map((ticket) => ticket.id)
    const seatIds = tickets.map((ticket) => ticket.event_seat_id)
    await lockSeats({ seatIds }, trx)
    await voidTickets({ ids, reason, voidedBy: `${actor.kind}:${actor.name}`, cause }, trx)
    await releaseSeats({ seatIds, state: returnsSeats ? 'free' : 'blocked' }, trx)
    if (returnsSeats && cause === 'refund') await settleOrder({ orderId }, trx)
    const tenge = String(sumTenge(tickets, (ticket) => ticket.price_tenge))
    const about = { actor, partnerId, eventId, orderId }
    const change = { ticket_ids: ids, reason }
    if (cause === 'refund')
      await record('tickets_refunded', { ...change, refunded_tenge: tenge }, about, trx)
    else await record('tickets_voided', { ...change, worth_tenge: tenge }, about, trx)
  }
}

/** Records a refused refund of a used ticket, which reconciliation reports although nothing has changed. */
async function recordRefusedRefund(input: VoidTicketsInput, { refusalCode, details }: Refusal) {
  if (refusalCode !== 'TICKET_NOT_REFUNDABLE') return
  const tickets = details.tickets as { ticket_id: string; status: string | null }[]
  const used = tickets.filter(({ status }) => status === 'used').map((ticket) => ticket.ticket_id)
  if (used.length === 0) return
  const { partnerId, orderId, actor } = input
  await insertRefusedRefunds({
    ticketIds: used,
    partnerId,
    orderId,
    requestId: actor.requestId,
    askedBy: `${actor.kind}:${actor.name}`,
  })
}

const isVoidable = (ticket: TicketRow | undefined, cause: VoidCause, reason: string) =>
  ticket?.status === 'active' || (ticket?.void_cause === cause && ticket.void_reason === reason)
