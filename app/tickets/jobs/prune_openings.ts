import { statement } from '#shared/statement'

const BATCH = 5_000

const prune = statement<{ count: number }, { batch: number }>(
  'ticket_openings_prune',
  `WITH old AS MATERIALIZED (
     SELECT ticket_id, minute FROM ticket_openings WHERE opened_at < now() - interval '1 year' LIMIT :batch),
   pruned AS (
     DELETE FROM ticket_openings o USING old WHERE o.ticket_id = old.ticket_id AND o.minute = old.minute RETURNING 1)
   SELECT count(*)::int FROM pruned`
)

/** Deletes openings of tickets after a year: by then no buyer complains that the ticket never came. */
export default async function pruneOpenings(): Promise<void> {
  let pruned = BATCH
  while (pruned === BATCH) {
    const { count } = await prune.one({ batch: BATCH })
    pruned = count
  }
}
