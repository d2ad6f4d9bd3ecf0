import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

interface FoundDelivery {
  endpointId: number
  partnerId: number
  subject: string
  webhookId: string
}

const findDelivery = statement<FoundDelivery, { deliveryId: bigint }>(
  'webhook_push_find',
  `SELECT d.endpoint_id AS "endpointId", e.partner_id AS "partnerId", d.subject, d.webhook_id AS "webhookId"
     FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE d.id = :deliveryId`
)
// Locks the endpoint before its deliveries, as workers do.
const unpause = statement<{ id: number }, { endpointId: number }>(
  'webhook_push_wake',
  `UPDATE webhook_endpoints SET paused_until = NULL WHERE id = :endpointId AND status = 'active' RETURNING id`
)
// Waits for a worker that is claiming the delivery; the last condition is then checked on the new row.
const push = statement<{ id: string }, { endpointId: number; subject: string; deliveryId: bigint }>(
  'webhook_push',
  `UPDATE webhook_deliveries SET next_at = clock_timestamp(), attempts_before = attempts
    WHERE id = (SELECT id FROM webhook_deliveries
                 WHERE endpoint_id = :endpointId AND subject = :subject AND status = 'pending' ORDER BY id LIMIT 1)
      AND id <= :deliveryId AND status = 'pending' AND (locked_until IS NULL OR locked_until <= clock_timestamp())
  RETURNING id`
)

/**
 * Retries a delivery now instead of later, as a new series of attempts under the same webhook id. A delivery that waits for
 * an earlier one of its subject keeps its place: the earlier one is sent now, then this one. Refuses DELIVERY_NOT_WAITING when
 * the delivery has ended or is being sent.
 */
export default class PushDelivery {
  async handle({ deliveryId, actor }: { deliveryId: bigint; actor: Actor }): Promise<void> {
    await transaction(async (trx) => {
      const found = await findDelivery.first({ deliveryId }, trx)
      if (!found) refuse('NO_SUCH', { what: 'delivery' })
      const { endpointId, partnerId, subject, webhookId } = found
      const isActive = await unpause.first({ endpointId }, trx)
      const pushed = isActive && (await push.first({ endpointId, subject, deliveryId }, trx))
      if (!pushed) refuse('DELIVERY_NOT_WAITING')
      await record('webhook_pushed', { webhook_id: webhookId }, { actor, partnerId }, trx)
    })
  }
}
