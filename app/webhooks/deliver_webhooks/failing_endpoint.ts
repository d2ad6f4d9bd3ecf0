import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { Endpoint } from '#webhooks/deliver_webhooks/claim_deliveries'

const CLOCK = { kind: 'clock', name: 'clock', requestId: null } as const

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
const markTold = statement<{ since: string }, { id: number }>(
  'webhook_endpoint_told',
  `UPDATE webhook_endpoints SET told_failing_at = clock_timestamp()
    WHERE id = :id AND told_failing_at IS NULL AND failing_since IS NOT NULL
   RETURNING to_json(failing_since) #>> '{}' AS since`
)

type Named = Pick<Endpoint, 'id' | 'partner_id'>

/** Nothing is sent there any more; what is waiting and what is to come is held, and can be replayed. */
export async function disableEndpoint(
  { id, partner_id: partnerId }: Named,
  cause: 'gone' | 'failing'
) {
  await transaction(async (trx) => {
    const endpoint = await disable.first({ id, cause }, trx)
    if (!endpoint) return
    await holdPending({ id }, trx)
    const told = { url: endpoint.url, cause }
    await record('webhook_endpoint_disabled', told, { actor: CLOCK, partnerId }, trx)
  })
}

/** Tells staff, once, that an endpoint has been failing for long. */
export async function tellFailing({ id, partner_id: partnerId, url }: Named & { url: string }) {
  await transaction(async (trx) => {
    const told = await markTold.first({ id }, trx)
    if (!told) return
    const entry = { url, since: told.since }
    await record('webhook_endpoint_failing', entry, { actor: CLOCK, partnerId }, trx)
  })
}
