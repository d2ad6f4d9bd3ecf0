import { createDatabase, dropDatabase, inDatabase } from '#tests/support/other_database'
import { one, rows } from '#tests/support/rows'
import app from '@adonisjs/core/services/app'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const DATABASE = 'repeated_payments'

async function runMigrations(options: { direction: 'up' } | { direction: 'down'; step: number }) {
  const runner = new MigrationRunner(db, app, { ...options, connectionName: 'postgres' })
  await runner.run()
  if (runner.error) throw runner.error
}

const pay = (reference: string) =>
  rows(
    `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by)
     SELECT id, ?, '2026-11-05', 'from_partner', 5000, 'tests' FROM partners`,
    reference
  )

test.group('Payments that were booked twice', (group) => {
  group.each.setup(() => createDatabase(DATABASE))
  group.each.teardown(() => dropDatabase(DATABASE))

  test('stay when the rule comes, marked and in the journal, and are not booked a third time', async ({
    assert,
  }) => {
    await inDatabase(DATABASE, async () => {
      const { n } = await one(
        `SELECT count(*)::int AS n FROM adonis_schema WHERE name ~ '/(2[1-9]|[3-9][0-9])_'`
      )
      await runMigrations({ direction: 'down', step: n as number })
      await rows(`INSERT INTO partners (code, name) VALUES ('p', 'P')`)
      for (const reference of ['PP 17', 'ПП №17', 'pp-17', 'PP 18']) await pay(reference)
      await runMigrations({ direction: 'up' })
      const payments = await rows(
        `SELECT y.bank_reference, earlier.bank_reference AS earlier FROM settlement_payments y
           LEFT JOIN settlement_payments earlier ON earlier.id = y.duplicate_of_id ORDER BY y.id`
      )
      assert.deepEqual(
        payments.map(({ bank_reference: reference, earlier }) => [reference, earlier]),
        [
          ['PP 17', null],
          ['ПП №17', 'PP 17'],
          ['pp-17', 'PP 17'],
          ['PP 18', null],
        ]
      )
      const entries = await rows(
        `SELECT change FROM journal WHERE name = 'payment_booked_twice' ORDER BY id`
      )
      assert.deepEqual(entries[0].change, {
        bank_reference: 'ПП №17',
        direction: 'from_partner',
        amount_tenge: '5000',
        duplicate_of: 'PP 17',
      })
      assert.lengthOf(entries, 2)
      await assert.rejects(() => pay('P.P. 17'), /settlement_payments_once/)
    })
  })
})
