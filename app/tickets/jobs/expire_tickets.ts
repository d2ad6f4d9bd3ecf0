import { statement } from '#shared/statement'

const BATCH = 5_000

// An event that somebody is moving is left for the next time; one that was moved is judged by its new end.
const expire = statement<{ count: number }, { batch: number }>(
  'sweep_tickets',
  `WITH over AS MATERIALIZED (
     SELECT e.id FROM events e
      WHERE e.ends_at <= clock_timestamp()
        AND EXISTS (SELECT 1 FROM tickets t WHERE t.event_id = e.id AND t.status = 'active')
        FOR NO KEY UPDATE OF e SKIP LOCKED),
   due AS MATERIALIZED (
     SELECT t.id FROM tickets t JOIN over ON over.id = t.event_id
      WHERE t.status = 'active' LIMIT :batch FOR UPDATE OF t SKIP LOCKED),
   expired AS (UPDATE tickets SET status = 'expired' FROM due WHERE tickets.id = due.id RETURNING 1)
   SELECT count(*)::int FROM expired`
)

/** Writes down that tickets of past events let nobody in any more; the clock has decided so already. */
export default async function expireTickets(): Promise<void> {
  let swept = BATCH
  while (swept === BATCH) {
    const { count } = await expire.one({ batch: BATCH })
    swept = count
  }
}
