import { DELAYS, delayAfter, readRetryAfter } from '#webhooks/deliver_webhooks/retry_schedule'
import { test } from '@japa/runner'

const DAY = 24 * 3600

test.group('Webhook retries', () => {
  test('twelve attempts have the delays of the contract’s supplement', ({ assert }) => {
    assert.deepEqual(DELAYS, [0, 5, 30, 120, 300, 900, 3600, 10_800, 21_600, 43_200, DAY, DAY])
    assert.equal(delayAfter(1, null, 0.5), 5)
    assert.equal(delayAfter(11, null, 0.5), DAY)
    assert.isNull(delayAfter(12, null))
  })

  test('each delay varies from 0.8 to 1.2 of itself', ({ assert }) => {
    assert.closeTo(delayAfter(2, null, 0)!, 24, 1e-9)
    assert.closeTo(delayAfter(2, null, 1)!, 36, 1e-9)
    assert.closeTo(delayAfter(1, null, 0)!, 4, 1e-9)
    assert.closeTo(delayAfter(1, null, 1)!, 6, 1e-9)
    assert.closeTo(delayAfter(11, null, 0)!, 19.2 * 3600, 1e-6)
    assert.closeTo(delayAfter(11, null, 1)!, 28.8 * 3600, 1e-6)
  })

  test('a larger Retry-After is honoured, up to a day; a smaller one is not', ({ assert }) => {
    for (const random of [0, 0.5, 1]) assert.equal(delayAfter(1, 600, random), 600)
    assert.equal(delayAfter(1, 10 * DAY, 0.5), DAY)
    assert.equal(delayAfter(6, 5, 0.5), 3600)
  })

  test('Retry-After is read as seconds or a date, and ignored when invalid', ({ assert }) => {
    const now = Date.parse('2026-11-21T10:00:00Z')
    assert.equal(readRetryAfter('120', now), 120)
    assert.equal(readRetryAfter('Sat, 21 Nov 2026 10:01:00 GMT', now), 60)
    assert.equal(readRetryAfter('Sat, 21 Nov 2026 09:00:00 GMT', now), 0)
    for (const sent of [undefined, '', 'soon', '-5']) assert.isNull(readRetryAfter(sent, now))
  })
})
