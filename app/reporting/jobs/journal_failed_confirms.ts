import { journalEntry } from '#shared/journal'
import { statement } from '#shared/statement'

/** A partner that got 503 repeats the confirm within seconds; a process that died with a confirm never answers it. */
const REPEAT_SECONDS = 10
const UNANSWERED_SECONDS = 30

/**
 * Records in the journal each unpaid order whose confirm arrived in time and was answered 5xx or not at all: once per order,
 * with its first such attempt. The caller holds the lock `failed_confirms`: two at once would record an order twice.
 */
export const journalFailedConfirms = statement<{ orders: number }>(
  'failed_confirms_insert',
  `WITH failed AS MATERIALIZED (
     SELECT DISTINCT ON (o.id) o.id, o.partner_id, o.event_id, o.booking_id, o.window_ends_at,
            a.request_id, a.received_at, a.http_status, a.code, a.amount_tenge
       FROM confirm_attempts a, LATERAL (SELECT * FROM orders WHERE id = a.order_id_sent OFFSET 0) o
      WHERE (a.http_status IS NULL OR a.http_status >= 500) AND a.received_at > clock_timestamp() - interval '1 day'
        AND coalesce(a.answered_at + interval '${REPEAT_SECONDS} s', a.received_at + interval '${UNANSWERED_SECONDS} s')
            <= clock_timestamp()
        AND a.signature_valid AND a.received_at < o.window_ends_at
        AND o.partner_id = a.partner_id AND o.stored_status IN ('pending', 'expired')
        AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.order_id = o.id AND j.name = 'confirm_failed')
      ORDER BY o.id, a.received_at),
   entry AS (
     ${journalEntry('confirm_failed', {
       from: 'failed ORDER BY received_at',
       by: 'clock',
       requestId: 'request_id',
       partnerId: 'partner_id',
       eventId: 'event_id',
       bookingId: 'booking_id',
       orderId: 'id',
       details: {
         received_at: 'received_at',
         http_status: 'http_status',
         code: 'code',
         amount_tenge: 'amount_tenge::text',
         window_ends_at: 'window_ends_at',
       },
     })})
   SELECT count(*)::int AS orders FROM failed`
)
