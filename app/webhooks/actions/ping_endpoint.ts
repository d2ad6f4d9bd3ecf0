import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'

const insertPing = statement<{ webhook_id: string }, { partnerCode: string }>(
  'webhook_ping',
  `INSERT INTO webhook_deliveries (endpoint_id, subject)
   SELECT e.id, 'ping:' || gen_random_uuid() FROM webhook_endpoints e JOIN partners p ON p.id = e.partner_id
    WHERE p.code = :partnerCode AND e.status = 'active'
   RETURNING webhook_id`
)

/** Queues a delivery without news, to test the address and the signature. */
export default class PingEndpoint {
  async handle({ partnerCode }: { partnerCode: string }): Promise<{ webhookId: string }> {
    const ping = await insertPing.first({ partnerCode })
    if (!ping) refuse('NO_SUCH', { what: `active webhook endpoint of ${partnerCode}` })
    return { webhookId: ping.webhook_id }
  }
}
