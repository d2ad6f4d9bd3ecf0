import { migrate, undoMigrationsFrom } from '#tests/support/migrations'
import { createDatabase, dropDatabase, inDatabase } from '#tests/support/other_database'
import { ownerRows, rows } from '#tests/support/rows'
import { test } from '@japa/runner'

const DATABASE = 'repeated_payments'

const pay = (reference: string) =>
  ownerRows(
    `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by)
     SELECT id, ?, '2026-11-05', 'from_partner', 5000, 'tests' FROM partners`,
    reference
  )
const reverse = (reference: string) =>
  ownerRows(
    `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by, reverses_id, reason)
     SELECT partner_id, 'В ' || id, paid_on, 'to_partner', amount_tenge, 'tests', id, 'Ошибка'
       FROM settlement_payments WHERE bank_reference = ?`,
    reference
  )

test.group('Payments that were booked twice', (group) => {
  group.each.setup(() => createDatabase(DATABASE))
  group.each.teardown(() => dropDatabase(DATABASE))

  test('stay when the rule comes, marked and in the journal, and are not booked a third time', async ({
    assert,
  }) => {
    await inDatabase(DATABASE, async () => {
      await undoMigrationsFrom(21)
      await ownerRows(`INSERT INTO partners (code, name) VALUES ('p', 'P')`)
      for (const reference of ['PP 17', 'ПП №17', 'pp-17', 'PP 18']) await pay(reference)
      await migrate()
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
      const isRefused = () => assert.rejects(() => pay('P.P. 17'), /settlement_payments_once/)
      await isRefused()
      for (const reference of ['PP 17', 'ПП №17']) {
        await reverse(reference)
        await isRefused()
      }
      await reverse('pp-17')
      await pay('P.P. 17')
      await isRefused()
    })
  })

  test('with different zeros stay, too; one that was reversed is no repeat, and all are sealed', async ({
    assert,
  }) => {
    await inDatabase(DATABASE, async () => {
      await undoMigrationsFrom(100)
      await ownerRows(`INSERT INTO partners (code, name) VALUES ('p', 'P')`)
      for (const reference of ['PP 17', 'PP 017', 'PP 18']) await pay(reference)
      await reverse('PP 18')
      await pay('PP 018')
      await migrate()
      const payments = await rows(
        `SELECT y.bank_reference AS reference, earlier.bank_reference AS earlier, y.booking_round AS round,
                seal.sha256 = seal_of_payment(y) AS "isSealed"
           FROM settlement_payments y LEFT JOIN settlement_payments earlier ON earlier.id = y.duplicate_of_id
           JOIN settlement_seals seal ON seal.document = 'payment:' || y.id
          WHERE y.reverses_id IS NULL ORDER BY y.id`
      )
      const isSealed = true
      assert.deepEqual(payments, [
        { reference: 'PP 17', earlier: null, round: 0, isSealed },
        { reference: 'PP 017', earlier: 'PP 17', round: 1, isSealed },
        { reference: 'PP 18', earlier: null, round: 0, isSealed },
        { reference: 'PP 018', earlier: null, round: 1, isSealed },
      ])
      for (const reference of ['PP 0017', 'PP 0018'])
        await assert.rejects(() => pay(reference), /settlement_payments_once/)
    })
  })
})
