import { CLOCK } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { Endpoint } from '#webhooks/deliver_webhooks/claim_deliveries'

const disable = statement<{ url: string }, { id: number; cause: string }>(
  'webhook_endpoint_disable',
  `UPDATE webhook_endpoints SET status = 'disabled', disabled_cause = :cause, disabled_at = clock_timestamp(),
          paused_until = NULL, updated_at = clock_timestamp()
    WHERE id = :id AND status = 'active' RETURNING url`
)
const holdPending = statement<object, { id: number }>(
  'webhook_hold_pending',
  `UPDATE webhook_deliveries SET status = 'held', locked_until = NULL WHERE endpoint_id = :id AND status = 'pending'`
)
const markNotified = statement<{ since: string }, { id: number }>(
  'webhook_endpoint_notified',
  `UPDATE webhook_endpoints SET failure_notified_at = clock_timestamp()
    WHERE id = :id AND failure_notified_at IS NULL AND failing_since IS NOT NULL
   RETURNING to_json(failing_since) #>> '{}' AS since`
)

type EndpointId = Pick<Endpoint, 'id' | 'partner_id'>

/** Stops sending to the endpoint; pending and future deliveries are held and can be replayed. */
export async function disableEndpoint(
  { id, partner_id: partnerId }: EndpointId,
  cause: 'gone' | 'failing'
) {
  await transaction(async (trx) => {
    const endpoint = await disable.first({ id, cause }, trx)
    if (!endpoint) return
    await holdPending({ id }, trx)
    const details = { url: endpoint.url, cause }
    await record('webhook_endpoint_disabled', details, { actor: CLOCK, partnerId }, trx)
  })
}

/** Notifies staff, once, that an endpoint has been failing for long. */
export async function notifyFailing({
  id,
  partner_id: partnerId,
  url,
}: EndpointId & { url: string }) {
  await transaction(async (trx) => {
    const failing = await markNotified.first({ id }, trx)
    if (!failing) return
    const details = { url, since: failing.since }
    await record('webhook_endpoint_failing', details, { actor: CLOCK, partnerId }, trx)
  })
}
