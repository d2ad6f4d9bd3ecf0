import PingEndpoint from '#webhooks/actions/ping_endpoint'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import deliverWebhooks from '#webhooks/deliver_webhooks/deliver_webhooks'
import { aPartner, TESTER } from '#tests/support/fixtures'
import { one, rows } from '#tests/support/rows'

/** One delivery to a partner's address and what is on record of it afterwards. */
export async function tryOut(url: string) {
  const partner = await aPartner()
  const partnerCode = partner.code
  const { id } = await new SetEndpoint().handle({ partnerCode, url, actor: TESTER })
  await new PingEndpoint().handle({ partnerCode })
  await deliverWebhooks({ id })
  const delivery = await one('SELECT * FROM webhook_deliveries WHERE endpoint_id = ?', id)
  const attempts = await rows('SELECT * FROM webhook_attempts WHERE delivery_id = ?', delivery.id)
  return { partner, id, delivery, attempts, attempt: attempts[0] }
}
