import platform from '#config/platform'
import { statement } from '#shared/statement'

const BATCH = 5_000

const prune = statement<{ count: number }, { days: number; batch: number }>(
  'webhook_prune',
  `WITH old AS MATERIALIZED (
     SELECT id FROM webhook_deliveries
      WHERE created_at < now() - make_interval(days => :days::int)
        AND ended_at < now() - make_interval(days => :days::int) LIMIT :batch),
   pruned AS (DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(SELECT id FROM old)) RETURNING 1)
   SELECT count(*)::int FROM pruned`
)

/** Deletes deliveries that ended WEBHOOK_RETENTION_DAYS ago, with their attempts; the journal keeps the news. */
export default async function pruneDeliveries(): Promise<void> {
  let pruned = BATCH
  while (pruned === BATCH) {
    const days = platform.webhookRetentionDays
    const { count } = await prune.one({ days, batch: BATCH })
    pruned = count
  }
}
