import { statement } from '#shared/statement'

export interface OpenRequest {
  id: number
  event_id: string
  reason: string
  asked_by: string
}

export const findRequestEvent = statement<{ event_id: string }>(
  'cancellation_request_event',
  'SELECT event_id FROM cancellation_requests WHERE id = $1'
)

export const lockOpenRequest = statement<OpenRequest>(
  'cancellation_request_lock',
  `SELECT id, event_id, reason, asked_by FROM cancellation_requests
    WHERE id = $1 AND outcome IS NULL AND lapses_at > clock_timestamp() FOR UPDATE`
)

export const insertRequest = statement<{ lapses_at: Date }>(
  'cancellation_request_insert',
  `INSERT INTO cancellation_requests (event_id, reason, asked_by, lapses_at)
   VALUES ($1, $2, $3, clock_timestamp() + interval '24 hours') RETURNING lapses_at`
)

export const endRequest = statement(
  'cancellation_request_end',
  `UPDATE cancellation_requests SET outcome = $2, ended_by = $3, ended_at = clock_timestamp() WHERE id = $1`
)

/** The clock has ended it; this writes it down, for one event or for all. */
export const lapseRequests = statement(
  'cancellation_requests_lapse',
  `WITH lapsed AS (
     UPDATE cancellation_requests SET outcome = 'lapsed', ended_by = 'clock', ended_at = lapses_at
      WHERE outcome IS NULL AND lapses_at <= clock_timestamp() AND ($1::text IS NULL OR event_id = $1)
      RETURNING event_id, asked_by)
   INSERT INTO journal (name, actor_kind, actor, event_id, change)
   SELECT 'event_cancellation_lapsed', 'clock', 'clock', event_id, json_build_object('asked_by', asked_by) FROM lapsed`
)

/** Another way led to the cancellation first. */
export const overtakeRequests = statement(
  'cancellation_requests_overtake',
  `UPDATE cancellation_requests SET outcome = 'overtaken', ended_by = $2, ended_at = clock_timestamp()
    WHERE event_id = $1 AND outcome IS NULL`
)

/** Whether anybody holds a ticket that was not taken back. */
export const findSoldTicket = statement<{ is_sold: boolean }>(
  'event_has_sold_ticket',
  `SELECT EXISTS (SELECT 1 FROM orders o JOIN tickets t ON t.order_id = o.id
                   WHERE o.event_id = $1 AND t.status <> 'void') AS is_sold`
)
