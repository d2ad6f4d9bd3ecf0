import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

interface Found {
  endpointId: number
  partnerId: number
  subject: string
  webhookId: string
}

const find = statement<Found, { deliveryId: bigint }>(
  'webhook_push_find',
  `SELECT d.endpoint_id AS "endpointId", e.partner_id AS "partnerId", d.subject, d.webhook_id AS "webhookId"
     FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE d.id = :deliveryId`
)
// The endpoint before its deliveries, as workers do.
const wake = statement<{ id: number }, { endpointId: number }>(
  'webhook_push_wake',
  `UPDATE webhook_endpoints SET paused_until = NULL WHERE id = :endpointId AND status = 'active' RETURNING id`
)
// A worker that is claiming it is waited for, and the last line is then asked of what it left.
const push = statement<{ id: string }, { endpointId: number; subject: string; deliveryId: bigint }>(
  'webhook_push',
  `UPDATE webhook_deliveries SET next_at = clock_timestamp(), attempts_before = attempts
    WHERE id = (SELECT id FROM webhook_deliveries
                 WHERE endpoint_id = :endpointId AND subject = :subject AND status = 'pending' ORDER BY id LIMIT 1)
      AND id <= :deliveryId AND status = 'pending' AND (locked_until IS NULL OR locked_until <= clock_timestamp())
  RETURNING id`
)

/**
 * Sends now what would be tried again later, as a new series of attempts under the same webhook id. What waits for an earlier
 * delivery of its subject keeps its place: the earlier one goes now, and it follows. Refuses DELIVERY_NOT_WAITING when it has
 * ended or is being sent at this moment.
 */
export default class PushDelivery {
  async handle({ deliveryId, actor }: { deliveryId: bigint; actor: Actor }): Promise<void> {
    await transaction(async (trx) => {
      const found = await find.first({ deliveryId }, trx)
      if (!found) refuse('NO_SUCH', { what: 'delivery' })
      const { endpointId, partnerId, subject, webhookId } = found
      const isAwake = await wake.first({ endpointId }, trx)
      const pushed = isAwake && (await push.first({ endpointId, subject, deliveryId }, trx))
      if (!pushed) refuse('DELIVERY_NOT_WAITING')
      await record('webhook_pushed', { webhook_id: webhookId }, { actor, partnerId }, trx)
    })
  }
}
