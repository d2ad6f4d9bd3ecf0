import { lockEventStatus } from '#catalog/actions/change_event_status'
import { EVENT_TRANSITIONS } from '#catalog/event_status'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { tellExpired } from '#sales/queries/tell_expired'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface CancelEventInput {
  eventId: string
  reason: string
  actor: Actor
}

const markCancelled = statement(
  'event_mark_cancelled',
  `UPDATE events SET stored_status = 'cancelled', cancelled_at = clock_timestamp(), cancellation_reason = $2,
          updated_at = clock_timestamp() WHERE id = $1`
)
const expireBookings = statement<{ count: number }>(
  'event_expire_bookings',
  `WITH due AS MATERIALIZED (
     SELECT id FROM bookings WHERE event_id = $1 AND stored_status = 'active' ORDER BY id FOR UPDATE),
   expired AS (
     UPDATE bookings SET stored_status = 'expired' FROM due WHERE bookings.id = due.id
     RETURNING bookings.id, partner_id, event_id, least(expires_at, clock_timestamp()) AS expired_at),
   entry AS (
     INSERT INTO journal (name, actor_kind, actor, request_id, partner_id, event_id, booking_id, change)
     SELECT 'booking_expired', $2, $3, $4::uuid, partner_id, event_id, id, ${tellExpired('expired_at', 'expired.id')}
       FROM expired)
   SELECT count(*)::int FROM expired`
)
const voidTickets = statement<{ count: number }>(
  'event_void_tickets',
  `WITH live AS MATERIALIZED (
     SELECT id FROM tickets WHERE event_id = $1 AND status = 'active' ORDER BY id FOR UPDATE),
   voided AS (
     UPDATE tickets SET status = 'void', void_cause = 'event_cancelled', void_reason = $2, voided_by = $3,
            voided_at = clock_timestamp()
       FROM live WHERE tickets.id = live.id RETURNING 1)
   SELECT count(*)::int FROM voided`
)

/**
 * Cancels an event for good: tickets void, active bookings expired; pending orders stay and answer
 * EVENT_CANCELLED on confirm. Partners learn of it by the feed (completions, States).
 */
export default class CancelEvent {
  async handle({ eventId, reason, actor }: CancelEventInput) {
    return transaction(async (trx) => {
      const { status } = await lockEventStatus(eventId, trx)
      if (!EVENT_TRANSITIONS[status].cancel) {
        refuse('STATUS_NOT_REACHABLE', { from: status, to: 'cancelled' })
      }
      await markCancelled([eventId, reason], trx)
      const bookings = await expireBookings.one(
        [eventId, actor.kind, actor.name, actor.requestId],
        trx
      )
      const tickets = await voidTickets.one([eventId, reason, `${actor.kind}:${actor.name}`], trx)
      const told = { reason, tickets_voided: tickets.count, bookings_expired: bookings.count }
      await record('event_cancelled', told, { actor, eventId }, trx)
      return told
    })
  }
}
