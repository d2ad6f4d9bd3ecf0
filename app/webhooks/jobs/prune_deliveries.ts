import { statement } from '#shared/statement'

const BATCH = 5_000

const prune = statement<{ count: number }, { batch: number }>(
  'webhook_prune',
  `WITH old AS MATERIALIZED (
     SELECT id FROM webhook_deliveries
      WHERE created_at < now() - interval '90 days' AND ended_at < now() - interval '90 days' LIMIT :batch),
   pruned AS (DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(SELECT id FROM old)) RETURNING 1)
   SELECT count(*)::int FROM pruned`
)

/** Deletes deliveries that ended 90 days ago, with their attempts; the journal keeps the news. */
export default async function pruneDeliveries(): Promise<void> {
  let pruned = BATCH
  while (pruned === BATCH) {
    const { count } = await prune.one({ batch: BATCH })
    pruned = count
  }
}
