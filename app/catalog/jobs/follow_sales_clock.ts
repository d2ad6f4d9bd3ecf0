import { journalEntry } from '#shared/journal'
import { statement } from '#shared/statement'

const follow = statement(
  'follow_sales_clock',
  `WITH due AS MATERIALIZED (
     SELECT id, stored_status AS from_status,
            event_status(stored_status, sales_start_at, starts_at, clock_timestamp()) AS to_status
       FROM events
      WHERE (stored_status = 'sales_scheduled' AND sales_start_at <= clock_timestamp())
         OR (stored_status IN ('sales_scheduled', 'sales_open', 'sales_paused') AND starts_at <= clock_timestamp())
      FOR NO KEY UPDATE SKIP LOCKED),
   changed AS (
     UPDATE events SET stored_status = due.to_status, updated_at = clock_timestamp()
       FROM due WHERE events.id = due.id RETURNING events.id, due.from_status, due.to_status)
   ${journalEntry('event_status_changed', {
     from: 'changed',
     by: 'clock',
     eventId: 'id',
     details: { from: 'from_status', to: 'to_status', reason: 'NULL::text' },
   })}`
)

/** Stores status changes by the clock: sales that opened or closed at their time. */
export default async function followSalesClock() {
  await follow({})
}
