import { DELAYS, delayAfter, readRetryAfter } from '#webhooks/retry'
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
  })

  test('a longer Retry-After is followed up to a day, a shorter one is not', ({ assert }) => {
    assert.equal(delayAfter(1, 600, 0.5), 600)
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
