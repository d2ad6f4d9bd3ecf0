import { lockPartner } from '#partners/queries/find_partner'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { readEndpointUrl } from '#webhooks/address'

export interface SetEndpointInput {
  partnerCode: string
  url: string
  actor: Actor
}

const selectUrl = statement<{ url: string }, { partnerId: number }>(
  'webhook_endpoint_url',
  'SELECT url FROM webhook_endpoints WHERE partner_id = :partnerId'
)
const upsertEndpoint = statement<{ id: number }, { partnerId: number; href: string }>(
  'webhook_endpoint_upsert',
  `INSERT INTO webhook_endpoints (partner_id, url) VALUES (:partnerId, :href)
   ON CONFLICT (partner_id) DO UPDATE
     SET url = :href, status = 'active', disabled_cause = NULL, disabled_at = NULL, failing_since = NULL,
         failure_notified_at = NULL, paused_until = NULL, updated_at = clock_timestamp()
   RETURNING id`
)

/** Sets a partner's endpoint and activates it again. Held deliveries stay held until they are replayed. */
export default class SetEndpoint {
  async handle({
    partnerCode,
    url,
    actor,
  }: SetEndpointInput): Promise<{ id: number; url: string }> {
    const { href } = readEndpointUrl(url)
    return transaction(async (trx) => {
      const { id: partnerId } = await lockPartner(partnerCode, trx)
      const before = await selectUrl.first({ partnerId }, trx)
      const { id } = await upsertEndpoint.one({ partnerId, href }, trx)
      const details = { url: href, was: before?.url ?? null }
      await record('webhook_endpoint_set', details, { actor, partnerId }, trx)
      return { id, url: href }
    })
  }
}
