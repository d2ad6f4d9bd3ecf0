import { transaction } from '#shared/transaction'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const people = async () => {
  const { rows } = await db.rawQuery('SELECT name FROM transaction_test_people ORDER BY name')
  return (rows as { name: string }[]).map(({ name }) => name)
}

test.group('transaction', (group) => {
  group.setup(async () => {
    await db.rawQuery(`CREATE TABLE transaction_test_people (
      name text PRIMARY KEY,
      friend text REFERENCES transaction_test_people DEFERRABLE INITIALLY DEFERRED)`)
  })
  group.teardown(async () => {
    await db.rawQuery('DROP TABLE transaction_test_people')
  })
  group.each.setup(async () => {
    await db.rawQuery('DELETE FROM transaction_test_people')
  })

  test('what the work gives back is given back once it is committed', async ({ assert }) => {
    const result = await transaction(async (trx) => {
      await trx.rawQuery(`INSERT INTO transaction_test_people VALUES ('a', NULL)`)
      return 7
    })
    assert.equal(result, 7)
    assert.deepEqual(await people(), ['a'])
  })

  test('work that fails leaves nothing, and its own error is thrown', async ({ assert }) => {
    const work = transaction(async (trx) => {
      await trx.rawQuery(`INSERT INTO transaction_test_people VALUES ('a', NULL)`)
      throw new Error('no')
    })
    await assert.rejects(() => work, 'no')
    assert.deepEqual(await people(), [])
  })

  test('a commit that PostgreSQL refuses is an error, not a success', async ({ assert }) => {
    const work = transaction((trx) =>
      trx.rawQuery(`INSERT INTO transaction_test_people VALUES ('a', 'nobody')`)
    )
    await assert.rejects(() => work, /violates foreign key/)
    assert.deepEqual(await people(), [])
  })

  test('a connection that is lost before the commit is an error, not a success', async ({
    assert,
  }) => {
    const work = transaction(async (trx) => {
      const { rows } = await trx.rawQuery(`INSERT INTO transaction_test_people VALUES ('a', NULL)
        RETURNING pg_backend_pid() AS pid`)
      await db.rawQuery('SELECT pg_terminate_backend(?)', [rows[0].pid])
      await new Promise((resolve) => setTimeout(resolve, 50))
    })
    await assert.rejects(() => work)
    assert.deepEqual(await people(), [])
  })
})
