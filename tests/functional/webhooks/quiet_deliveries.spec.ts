import platform from '#config/platform'
import { aSale, TESTER } from '#tests/support/fixtures'
import { aReceiver } from '#tests/support/receiver'
import { rows } from '#tests/support/rows'
import PingEndpoint from '#webhooks/actions/ping_endpoint'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import deliverWebhooks from '#webhooks/deliver_webhooks/deliver_webhooks'
import relayNews from '#webhooks/relay_news/relay_news'
import { test } from '@japa/runner'

test.group('Deliveries of a quiet deployment', () => {
  test('a round that is in the queue already sends nothing, and a ping waits', async ({
    assert,
    cleanup,
  }) => {
    const receiver = await aReceiver()
    cleanup(() => {
      receiver.close()
      platform.isQuiet = false
    })
    const { partner } = await aSale()
    // News of the new event are for nobody.
    await relayNews()
    const { id } = await new SetEndpoint().handle({
      partnerCode: partner.code,
      url: receiver.url,
      actor: TESTER,
    })
    await new PingEndpoint().handle({ partnerCode: partner.code })
    platform.isQuiet = true
    const queued = await relayNews()
    assert.notInclude(
      queued.map(({ data }) => data.id),
      id
    )
    await deliverWebhooks({ id })
    assert.lengthOf(receiver.received, 0)
    const [due] = await rows(
      'SELECT status, attempts FROM webhook_deliveries WHERE endpoint_id = ?',
      id
    )
    assert.deepEqual(due, { status: 'pending', attempts: 0 })
    platform.isQuiet = false
    await deliverWebhooks({ id })
    assert.lengthOf(receiver.received, 1)
  })
})
