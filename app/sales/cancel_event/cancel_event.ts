import { lockEventStatus } from '#catalog/actions/change_event_status'
import { EVENT_TRANSITIONS } from '#catalog/event_status'
import { closeSaleGate } from '#catalog/sale_gate'
import platform from '#config/platform'
import { findSoldTicket, overtakeRequests } from '#sales/cancel_event/cancellation_requests_sql'
import type { Actor } from '#shared/actor'
import { actorParams, journalEntry, record, type ActorParams } from '#shared/journal'
import { expiredBookingDetails } from '#sales/expired_booking_details'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface CancelEventInput {
  eventId: string
  reason: string
  actor: Actor
}

const markCancelled = statement<object, { eventId: string; reason: string }>(
  'event_mark_cancelled',
  `UPDATE events SET stored_status = 'cancelled', cancelled_at = clock_timestamp(), cancellation_reason = :reason,
          updated_at = clock_timestamp() WHERE id = :eventId`
)
const expireBookings = statement<{ count: number }, ActorParams & { eventId: string }>(
  'event_expire_bookings',
  `WITH due AS MATERIALIZED (
     SELECT id FROM bookings WHERE event_id = :eventId AND stored_status = 'active' ORDER BY id FOR UPDATE),
   expired AS (
     UPDATE bookings SET stored_status = 'expired' FROM due WHERE bookings.id = due.id
     RETURNING bookings.id, partner_id, event_id, least(expires_at, clock_timestamp()) AS expired_at),
   entry AS (
     ${journalEntry('booking_expired', {
       from: 'expired',
       by: 'actor',
       partnerId: 'partner_id',
       eventId: 'event_id',
       bookingId: 'id',
       details: expiredBookingDetails('expired_at', 'expired.id'),
     })})
   SELECT count(*)::int FROM expired`
)
/**
 * SQL: whether a cancellation of its event voids ticket `t` of order `o`. A used one only where the terms of the day of its sale
 * say so.
 */
export const VOIDED_BY_CANCELLATION = `(t.status = 'active' OR (t.status = 'used' AND 'void' = (
  SELECT used_tickets_of_cancelled_events FROM settlement_terms
   WHERE partner_id = o.partner_id AND valid_from <= o.confirmed_at ORDER BY valid_from DESC LIMIT 1)))`

const voidTickets = statement<
  { count: number },
  { eventId: string; reason: string; voidedBy: string }
>(
  'event_void_tickets',
  `WITH live AS MATERIALIZED (
     SELECT t.id FROM tickets t JOIN orders o ON o.id = t.order_id
      WHERE t.event_id = :eventId AND ${VOIDED_BY_CANCELLATION}
      ORDER BY t.id FOR UPDATE OF t),
   voided AS (
     UPDATE tickets SET status = 'void', void_cause = 'event_cancelled', void_reason = :reason, voided_by = :voidedBy,
            voided_at = clock_timestamp()
       FROM live WHERE tickets.id = live.id RETURNING 1)
   SELECT count(*)::int FROM voided`
)

/**
 * Cancels an event for good: tickets void, used ones where the terms of their sale say so, active bookings expired; pending
 * orders stay and answer EVENT_CANCELLED on confirm. Partners learn of it by the feed and by webhook (completions, States).
 * Where two people are needed, staff alone may cancel only what nobody has a ticket for.
 */
export default class CancelEvent {
  async handle(input: CancelEventInput) {
    return transaction(async (trx) => {
      await closeSaleGate(input.eventId, trx)
      if (platform.secondPerson && input.actor.kind === 'staff') {
        const sold = await findSoldTicket.one({ eventId: input.eventId }, trx)
        if (sold.is_sold) refuse('SECOND_PERSON_NEEDED')
      }
      return cancelWithin(input, trx)
    })
  }
}

/** The cancellation itself, in the transaction of whoever has decided on it. */
export async function cancelWithin(
  { eventId, reason, actor, askedBy }: CancelEventInput & { askedBy?: string },
  trx: TransactionClientContract
) {
  const { status } = await lockEventStatus(eventId, trx)
  if (!EVENT_TRANSITIONS[status].cancel) {
    refuse('STATUS_NOT_REACHABLE', { from: status, to: 'cancelled' })
  }
  await markCancelled({ eventId, reason }, trx)
  await overtakeRequests({ eventId, actor: actor.name }, trx)
  const bookings = await expireBookings.one({ ...actorParams(actor), eventId }, trx)
  const tickets = await voidTickets.one(
    { eventId, reason, voidedBy: `${actor.kind}:${actor.name}` },
    trx
  )
  const cancelled = { reason, tickets_voided: tickets.count, bookings_expired: bookings.count }
  const requestedBy = askedBy ? { asked_by: askedBy } : {}
  await record('event_cancelled', { ...cancelled, ...requestedBy }, { actor, eventId }, trx)
  return cancelled
}
