import { journalEntry } from '#shared/journal'
import { statement } from '#shared/statement'

export interface OpenRequest {
  id: number
  event_id: string
  reason: string
  asked_by: string
}

export const findRequestEvent = statement<{ event_id: string }, { requestId: number }>(
  'cancellation_request_event',
  'SELECT event_id FROM cancellation_requests WHERE id = :requestId'
)

export const lockOpenRequest = statement<OpenRequest, { requestId: number }>(
  'cancellation_request_lock',
  `SELECT id, event_id, reason, asked_by FROM cancellation_requests
    WHERE id = :requestId AND outcome IS NULL AND lapses_at > clock_timestamp() FOR UPDATE`
)

export const insertRequest = statement<
  { lapses_at: Date },
  { eventId: string; reason: string; actor: string }
>(
  'cancellation_request_insert',
  `INSERT INTO cancellation_requests (event_id, reason, asked_by, lapses_at)
   VALUES (:eventId, :reason, :actor, clock_timestamp() + interval '24 hours') RETURNING lapses_at`
)

export const endRequest = statement<object, { requestId: number; outcome: string; actor: string }>(
  'cancellation_request_end',
  `UPDATE cancellation_requests SET outcome = :outcome, ended_by = :actor, ended_at = clock_timestamp() WHERE id = :requestId`
)

/** The clock has ended it; this writes it down, for one event or for all. */
export const lapseRequests = statement<object, { eventId: string | null }>(
  'cancellation_requests_lapse',
  `WITH lapsed AS (
     UPDATE cancellation_requests SET outcome = 'lapsed', ended_by = 'clock', ended_at = lapses_at
      WHERE outcome IS NULL AND lapses_at <= clock_timestamp() AND (:eventId::text IS NULL OR event_id = :eventId)
      RETURNING event_id, asked_by)
   ${journalEntry('event_cancellation_lapsed', {
     from: 'lapsed',
     by: 'clock',
     eventId: 'event_id',
     details: { asked_by: 'asked_by' },
   })}`
)

/** Another way led to the cancellation first. */
export const overtakeRequests = statement<object, { eventId: string; actor: string }>(
  'cancellation_requests_overtake',
  `UPDATE cancellation_requests SET outcome = 'overtaken', ended_by = :actor, ended_at = clock_timestamp()
    WHERE event_id = :eventId AND outcome IS NULL`
)

/** Whether anybody holds a ticket that was not taken back. */
export const findSoldTicket = statement<{ is_sold: boolean }, { eventId: string }>(
  'event_has_sold_ticket',
  `SELECT EXISTS (SELECT 1 FROM orders o JOIN tickets t ON t.order_id = o.id
                   WHERE o.event_id = :eventId AND t.status <> 'void') AS is_sold`
)
