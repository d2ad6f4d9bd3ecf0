import { statement } from '#shared/statement'
import { streamRows } from '#shared/stream_rows'
import { transaction } from '#shared/transaction'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { setTimeout as delay } from 'node:timers/promises'

const WHY = new Error('stopped')
const SOON_MS = 2_000
const now = statement('transaction_test_now', 'SELECT now()')

const people = async () => {
  const { rows } = await db.rawQuery('SELECT name FROM transaction_test_people ORDER BY name')
  return (rows as { name: string }[]).map(({ name }) => name)
}

test.group('transaction', (group) => {
  group.setup(async () => {
    await db.connection('owner').rawQuery(`CREATE TABLE transaction_test_people (
      name text PRIMARY KEY,
      friend text REFERENCES transaction_test_people DEFERRABLE INITIALLY DEFERRED)`)
    await db.connection('owner').rawQuery('GRANT ALL ON transaction_test_people TO PUBLIC')
  })
  group.teardown(async () => {
    await db.connection('owner').rawQuery('DROP TABLE transaction_test_people')
  })
  group.each.setup(async () => {
    await db.rawQuery('DELETE FROM transaction_test_people')
  })

  test('the result is returned once the transaction is committed', async ({ assert }) => {
    const result = await transaction(async (trx) => {
      await trx.rawQuery(`INSERT INTO transaction_test_people VALUES ('a', NULL)`)
      return 7
    })
    assert.equal(result, 7)
    assert.deepEqual(await people(), ['a'])
  })

  test('failed work leaves nothing, and its own error is thrown', async ({ assert }) => {
    const work = transaction(async (trx) => {
      await trx.rawQuery(`INSERT INTO transaction_test_people VALUES ('a', NULL)`)
      throw new Error('no')
    })
    await assert.rejects(() => work, 'no')
    assert.deepEqual(await people(), [])
  })

  test('a commit refused by PostgreSQL is an error, not a success', async ({ assert }) => {
    const work = transaction((trx) =>
      trx.rawQuery(`INSERT INTO transaction_test_people VALUES ('a', 'nobody')`)
    )
    await assert.rejects(() => work, /violates foreign key/)
    assert.deepEqual(await people(), [])
  })

  test('a connection lost before the commit is an error, not a success', async ({ assert }) => {
    const work = transaction(async (trx) => {
      const { rows } = await trx.rawQuery(`INSERT INTO transaction_test_people VALUES ('a', NULL)
        RETURNING pg_backend_pid() AS pid`)
      await db.rawQuery('SELECT pg_terminate_backend(?)', [rows[0].pid])
      await new Promise((resolve) => setTimeout(resolve, 50))
    })
    await assert.rejects(() => work)
    // The pool may lend the lost connection once more before it hears of it.
    assert.deepEqual(await people().catch(people), [])
  })

  async function stopped(stop: AbortController, work: Promise<unknown>) {
    await delay(100)
    const began = performance.now()
    stop.abort(WHY)
    const error: unknown = await work.catch((reason: unknown) => reason)
    return { error, ms: performance.now() - began }
  }

  test('a signal during a query ends it at once with the reason and leaves nothing', async ({
    assert,
  }) => {
    const stop = new AbortController()
    const work = transaction(async (trx) => {
      await trx.rawQuery(`INSERT INTO transaction_test_people VALUES ('a', NULL)`)
      await trx.rawQuery('SELECT pg_sleep(30)')
    }, stop.signal)
    const { error, ms } = await stopped(stop, work)
    assert.equal(error, WHY)
    assert.isBelow(ms, SOON_MS)
    assert.deepEqual(await people(), [])
  })

  test('a signal while rows are streamed ends the stream', async ({ assert }) => {
    const stop = new AbortController()
    let read = 0
    const work = transaction(async (trx) => {
      for await (const row of streamRows('SELECT generate_series(1, 1000) AS n', {}, trx)) {
        if (row) read++
        await delay(5)
      }
    }, stop.signal)
    const { error, ms } = await stopped(stop, work)
    assert.equal(error, WHY)
    assert.isBelow(ms, SOON_MS)
    assert.isBelow(read, 200)
  })

  test('a lost connection while rows are streamed fails the transaction', async ({ assert }) => {
    const sql = 'SELECT pg_backend_pid() AS pid, generate_series(1, 1000) AS n'
    const work = transaction(async (trx) => {
      for await (const { pid, n } of streamRows<{ pid: number; n: number }>(sql, {}, trx)) {
        if (n === 1)
          await db.connection('owner').rawQuery('SELECT pg_terminate_backend(?::int)', [pid])
      }
    })
    const inTime = Promise.race([work, delay(SOON_MS, 'it waits for ever')])
    // EPIPE: more rows were asked for before what PostgreSQL said at the end had been read.
    await assert.rejects(() => inTime, /lost|terminating|EPIPE|ECONNRESET/)
  })

  test('a connection lost after the last row fails it, too', async ({ assert }) => {
    const work = transaction(async (trx) => {
      const { client } = trx.getWriteClient()
      const { connection } = await client.acquireConnection()
      // Before PostgreSQL has answered that the cursor is closed.
      connection.once('commandComplete', () => connection.stream.destroy())
      await Array.fromAsync(streamRows('SELECT 1', {}, trx))
    })
    const inTime = Promise.race([work, delay(SOON_MS, 'it waits for ever')])
    await assert.rejects(() => inTime, /connection was lost/)
  })

  test('a signal between two statements starts no further one', async ({ assert }) => {
    const stop = new AbortController()
    const work = transaction(async (trx) => {
      await now({}, trx)
      await delay(600)
      await now({}, trx)
    }, stop.signal)
    const { error } = await stopped(stop, work)
    assert.equal(error, WHY)
  })

  test('a signal before the start runs nothing, and one after the commit changes nothing', async ({
    assert,
  }) => {
    const stop = new AbortController()
    const insert = (name: string) =>
      transaction(
        (trx) => trx.rawQuery('INSERT INTO transaction_test_people VALUES (?, NULL)', [name]),
        stop.signal
      )
    await insert('a')
    stop.abort(WHY)
    await assert.rejects(() => insert('b'), WHY.message)
    assert.deepEqual(await people(), ['a'])
  })

  test('an aborted transaction leaves its connection usable', async ({ assert }) => {
    for (let time = 0; time < 20; time++) {
      const stop = new AbortController()
      const work = transaction((trx) => trx.rawQuery('SELECT pg_sleep(30)'), stop.signal)
      await delay(5)
      stop.abort(WHY)
      assert.equal(await work.catch((reason: unknown) => reason), WHY)
      await Promise.all(Array.from({ length: 4 }, () => transaction((trx) => now({}, trx))))
    }
  })
})
