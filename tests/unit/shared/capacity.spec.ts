import { Capacity } from '#shared/capacity'
import { limitConnections } from '#shared/connection_places'
import { test } from '@japa/runner'

test.group('Capacity', () => {
  test('gives no place to one who has given up waiting', async ({ assert }) => {
    const capacity = new Capacity(1, 5, () => new Error('too long'))
    await capacity.enter()
    await assert.rejects(() => capacity.enter(), 'too long')
    assert.equal(capacity.waiting, 0)
    capacity.leave()
    await capacity.enter()
    capacity.leave()
  })
})

test.group('Places for connections', () => {
  test('are free again when a connection could not be had', async ({ assert }) => {
    let isAway = true
    const pool = {
      acquireConnection: () =>
        isAway ? Promise.reject(new Error('PostgreSQL is away')) : Promise.resolve({}),
      releaseConnection: () => Promise.resolve(),
    }
    limitConnections(pool)
    for (let times = 0; times < 100; times++)
      await assert.rejects(() => pool.acquireConnection(), 'PostgreSQL is away')
    isAway = false
    await pool.releaseConnection(...([await pool.acquireConnection()] as unknown as []))
  })
})
