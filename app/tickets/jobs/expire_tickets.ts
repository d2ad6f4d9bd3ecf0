import { statement } from '#shared/statement'

const BATCH = 5_000

// An event that is being rescheduled is left for the next run, which then uses its new end.
const expire = statement<{ count: number }, { batch: number }>(
  'sweep_tickets',
  `WITH past AS MATERIALIZED (
     SELECT e.id FROM events e
      WHERE e.ends_at <= clock_timestamp()
        AND EXISTS (SELECT 1 FROM tickets t WHERE t.event_id = e.id AND t.status = 'active')
        FOR NO KEY UPDATE OF e SKIP LOCKED),
   due AS MATERIALIZED (
     SELECT t.id FROM tickets t JOIN past ON past.id = t.event_id
      WHERE t.status = 'active' LIMIT :batch FOR UPDATE OF t SKIP LOCKED),
   expired AS (UPDATE tickets SET status = 'expired' FROM due WHERE tickets.id = due.id RETURNING 1)
   SELECT count(*)::int FROM expired`
)

/** Stores the status `expired` of tickets of past events; by the clock they have expired already. */
export default async function expireTickets(): Promise<void> {
  let swept = BATCH
  while (swept === BATCH) {
    const { count } = await expire.one({ batch: BATCH })
    swept = count
  }
}
