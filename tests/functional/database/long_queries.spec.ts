import { allowLongQueries, allowLongWrites } from '#shared/long_queries'
import { transaction } from '#shared/transaction'
import { test } from '@japa/runner'
import type { Socket } from 'node:net'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** As `config/database.ts` sets it for processes that serve. */
const SILENCE_MS = 9_000
/** Longer than a connection of requests may be silent, and than a statement of theirs may take. */
const LONG_S = SILENCE_MS / 1_000 + 1

async function socketOf(trx: TransactionClientContract) {
  const { client } = trx.getWriteClient()
  const { connection } = (await client.acquireConnection()) as { connection: { stream: Socket } }
  return connection.stream
}

test.group('Long statements in a process that serves', () => {
  test('a statement of {$self} may say nothing for longer than a request')
    .with([allowLongQueries, allowLongWrites])
    .run(async ({ assert }, allow) => {
      const socket = await transaction(async (trx) => {
        await allow(trx)
        await allow(trx)
        await trx.rawQuery('SELECT pg_sleep(?)', [LONG_S])
        return socketOf(trx)
      })
      assert.isFalse(socket.destroyed)
      assert.equal(socket.timeout, SILENCE_MS)
    })

  test('a transaction that fails leaves its connection as it was', async ({ assert }) => {
    let socket: Socket | undefined
    const failed = transaction(async (trx) => {
      await allowLongQueries(trx)
      socket = await socketOf(trx)
      assert.isAbove(socket.timeout!, SILENCE_MS)
      await trx.rawQuery('SELECT 1 / 0')
    })
    await assert.rejects(() => failed, /division by zero/)
    assert.equal(socket!.timeout, SILENCE_MS)
  })
})
