import { sleep } from '#tests/functional/races/support/crowd'
import { testBaseUrl } from '#tests/support/partner_client'
import { test } from '@japa/runner'

test.group('Health', () => {
  test('live: the process runs', async ({ assert }) => {
    const response = await fetch(`${testBaseUrl()}/health/live`)
    assert.deepEqual([response.status, await response.json()], [200, { status: 'live' }])
  })

  test('ready: it can serve, and says what it has', async ({ assert }) => {
    // Asked for the first time, Redis is only being connected to.
    await fetch(`${testBaseUrl()}/health/ready`)
    await sleep(200)
    const response = await fetch(`${testBaseUrl()}/health/ready`)
    assert.equal(response.status, 200)
    assert.deepEqual(await response.json(), { status: 'ready', postgres: true, redis: true })
  })

  test('tells nothing about what is inside', async ({ assert }) => {
    const response = await fetch(`${testBaseUrl()}/health/ready`)
    assert.notMatch(await response.text(), /postgres:\/\/|redis:\/\/|127\.0\.0\.1|version/)
    assert.isNull(response.headers.get('x-powered-by'))
    assert.isNull(response.headers.get('set-cookie'))
  })
})
