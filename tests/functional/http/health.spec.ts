import { sleep } from '#tests/functional/races/support/crowd'
import { testBaseUrl } from '#tests/support/partner_client'
import { test } from '@japa/runner'

test.group('Health', () => {
  test('live: answers while the process runs', async ({ assert }) => {
    const response = await fetch(`${testBaseUrl()}/health/live`)
    assert.deepEqual([response.status, await response.json()], [200, { status: 'live' }])
  })

  test('ready: answers which services it can use', async ({ assert }) => {
    // Asked for the first time, Redis is only being connected to.
    await fetch(`${testBaseUrl()}/health/ready`)
    await sleep(200)
    const response = await fetch(`${testBaseUrl()}/health/ready`)
    assert.equal(response.status, 200)
    assert.deepEqual(await response.json(), { status: 'ready', postgres: true, redis: true })
  })

  test('reveals no internals', async ({ assert }) => {
    const response = await fetch(`${testBaseUrl()}/health/ready`)
    assert.notMatch(await response.text(), /postgres:\/\/|redis:\/\/|127\.0\.0\.1|version/)
    assert.isNull(response.headers.get('x-powered-by'))
    assert.isNull(response.headers.get('set-cookie'))
  })
})
