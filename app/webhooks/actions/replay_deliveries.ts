import { lockPartner } from '#partners/queries/find_partner'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface ReplayInput {
  partnerCode: string
  /** Webhook ids; null for all deliveries that failed or are held. */
  webhookIds: string[] | null
  /** Only deliveries created since then. */
  since: Date | null
  actor: Actor
}

const replay = statement<
  { count: number },
  { partnerId: number; webhookIds: string[] | null; since: Date | null }
>(
  'webhook_replay',
  `WITH replayed AS (
     UPDATE webhook_deliveries d
        SET status = 'pending', attempts_before = attempts, next_at = clock_timestamp(), locked_until = NULL, ended_at = NULL
       FROM webhook_endpoints e
      WHERE e.id = d.endpoint_id AND e.partner_id = :partnerId
        AND (d.webhook_id = ANY(:webhookIds::uuid[]) OR (:webhookIds IS NULL AND d.status IN ('failed', 'held')))
        AND (:since::timestamptz IS NULL OR d.created_at >= :since)
        AND d.status <> 'pending'
     RETURNING 1)
   SELECT count(*)::int FROM replayed`
)

/** Sends deliveries again, as a new series of attempts under the same webhook id. */
export default class ReplayDeliveries {
  async handle({ partnerCode, webhookIds, since, actor }: ReplayInput): Promise<number> {
    return transaction(async (trx) => {
      const { id: partnerId } = await lockPartner(partnerCode, trx)
      const { count } = await replay.one({ partnerId, webhookIds, since }, trx)
      if (count > 0)
        await record('webhooks_replayed', { deliveries: count }, { actor, partnerId }, trx)
      return count
    })
  }
}
