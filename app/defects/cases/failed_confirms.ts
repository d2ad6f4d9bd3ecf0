import { journalEntry } from '#shared/journal'
import { statement } from '#shared/statement'

/** A partner answered 503 repeats the confirm within seconds; whoever died with a confirm in hand never answers it. */
const REPEAT_SECONDS = 10
const UNANSWERED_SECONDS = 30

/**
 * Records each order whose confirm came in time and was answered 5xx or not at all, and that is still not paid: once an
 * order, with its first such attempt. Whoever runs this has the turn: two at once would record an order twice.
 */
export const insertFailedConfirms = statement<{ orders: number }>(
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

/** Partners with such an order whose window is over since an hour at most, and which is in no case yet. */
export const selectUnjudgedPartners = statement<{ id: number }>(
  'failed_confirms_unjudged',
  `SELECT DISTINCT o.partner_id AS id
     FROM journal j, LATERAL (SELECT * FROM orders WHERE id = j.order_id OFFSET 0) o
    WHERE j.name = 'confirm_failed' AND j.at > clock_timestamp() - interval '2 days'
      AND o.stored_status IN ('pending', 'expired')
      AND o.window_ends_at BETWEEN clock_timestamp() - interval '1 hour' AND clock_timestamp()
      AND NOT EXISTS (SELECT 1 FROM settlement_cases c WHERE c.order_ids @> ARRAY[o.id::text] AND c.partner_id = o.partner_id)
    ORDER BY 1`
)

/** Our own people who can call a partner at any hour. */
export const selectAlerted = statement<{ email: string; language: 'ru' | 'kk' | 'en' }>(
  'failed_confirms_alerted',
  `SELECT email, language FROM staff WHERE role IN ('admin', 'operations') AND disabled_at IS NULL ORDER BY id`
)

/**
 * Partners with failed confirms that nobody was written to about, with their orders. An outage is one story: a partner's
 * next alert waits until a quarter of an hour after the last, and then has all that came meanwhile.
 */
export const selectUnalerted = statement<{ partnerId: number; orderIds: string[] }>(
  'failed_confirms_unalerted',
  `SELECT j.partner_id AS "partnerId", array_agg(j.order_id ORDER BY j.id) AS "orderIds"
     FROM journal j
     LEFT JOIN LATERAL (SELECT max(queued_at) AS at FROM mails
                         WHERE purpose = 'alert' AND partner_id = j.partner_id) last_alert ON true
    WHERE j.name = 'confirm_failed' AND j.at > clock_timestamp() - interval '1 day'
      AND (last_alert.at IS NULL
           OR last_alert.at < j.at AND last_alert.at < clock_timestamp() - interval '15 minutes')
    GROUP BY 1 ORDER BY 1`
)
