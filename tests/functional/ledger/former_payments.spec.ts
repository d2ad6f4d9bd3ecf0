import { migrate, undoMigrationsFrom } from '#tests/support/migrations'
import { createDatabase, dropDatabase, inDatabase } from '#tests/support/other_database'
import { one, ownerRows, rows } from '#tests/support/rows'
import { test } from '@japa/runner'

const DATABASE = 'former_payments'

/** Back to the version before allocations. */
async function goBack() {
  await undoMigrationsFrom(28)
}

/** A statement of 50,000 as the version before stores it, and one by which we owe 8,000. */
const GIVEN = [
  `INSERT INTO partners (code, name) VALUES ('p', 'P')`,
  ...[
    { number: 1, closing: 50_000, status: 'part_paid', from: '2026-08-01', to: '2026-09-01' },
    { number: 2, closing: -8_000, status: 'paid', from: '2026-09-01', to: '2026-10-01' },
  ].map(
    ({ number, closing, status, from, to }) =>
      `INSERT INTO settlement_statements (number, partner_id, status, period_from, period_to, zone, utc_offset_minutes, terms_id,
         opening_tenge, closing_tenge, totals, lines, late_lines, data_sha256, data_as_of, issued_by, dispute_until, status_by, supersedes_id)
       SELECT ${number}, p.id, '${status}', '${from} 00:00+05', '${to} 00:00+05', 'Asia/Almaty', 300, t.id,
              0, ${closing}, '{}', 0, 0, repeat('ab', 32), '${to} 10:00+05', 'tests', '${to} 10:00+05', 'tests', NULL
         FROM partners p JOIN settlement_terms t ON t.partner_id = p.id`
  ),
  ...[
    ['П-1', 'from_partner', 30_000],
    ['П-2', 'to_partner', 8_000],
  ].map(
    ([reference, direction, tenge]) =>
      `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by)
       SELECT id, '${reference}', '2026-11-05', '${direction}', ${tenge}, 'tests' FROM partners`
  ),
  `INSERT INTO settlement_payment_parts (payment_id, statement_id, amount_tenge)
   SELECT y.id, s.id, CASE s.number WHEN 1 THEN 20000 ELSE 8000 END
     FROM settlement_payments y JOIN settlement_statements s ON y.bank_reference = 'П-' || s.number`,
]

const statesOf = () =>
  rows(
    `SELECT s.number, p.payment_status AS state, p.paid_tenge::int AS paid
       FROM settlement_statements s JOIN settlement_statement_payments p ON p.statement_id = s.id ORDER BY s.number`
  )

test.group('Payments of the version before allocations', (group) => {
  group.each.setup(() => createDatabase(DATABASE))
  group.each.teardown(() => dropDatabase(DATABASE))

  test('become allocations to their statements, and parts again when the version goes back', async ({
    assert,
  }) => {
    await inDatabase(DATABASE, async () => {
      await goBack()
      await ownerRows('DROP INDEX first_settlement_statement')
      for (const sql of GIVEN) await ownerRows(sql)
      await migrate()
      assert.deepEqual(await statesOf(), [
        { number: 1, state: 'part_paid', paid: 20_000 },
        { number: 2, state: 'paid', paid: -8_000 },
      ])
      const { rest } = await one(
        `SELECT rest_tenge::int AS rest FROM settlement_items WHERE kind = 'payment' AND rest_tenge > 0`
      )
      assert.equal(rest, 10_000)
      // What this version records: a payment of a statement that is closed.
      await ownerRows(
        `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by)
         SELECT id, 'П-3', '2026-11-06', 'from_partner', 30000, 'tests' FROM partners`
      )
      await ownerRows(
        `INSERT INTO settlement_allocations (partner_id, credit, debit, amount_tenge, allocated_by)
         SELECT y.partner_id, 'payment:' || y.id, 'statement:' || s.id, 30000, 'tests'
           FROM settlement_payments y, settlement_statements s WHERE y.bank_reference = 'П-3' AND s.number = 1`
      )
      await goBack()
      const parts = await rows(
        `SELECT y.bank_reference AS reference, s.number, part.amount_tenge::int AS tenge
           FROM settlement_payment_parts part JOIN settlement_payments y ON y.id = part.payment_id
           JOIN settlement_statements s ON s.id = part.statement_id ORDER BY 1`
      )
      assert.deepEqual(parts, [
        { reference: 'П-1', number: 1, tenge: 20_000 },
        { reference: 'П-2', number: 2, tenge: 8_000 },
        { reference: 'П-3', number: 1, tenge: 30_000 },
      ])
      const statuses = await rows(
        'SELECT number, status FROM settlement_statements ORDER BY number'
      )
      assert.deepEqual(statuses, [
        { number: 1, status: 'paid' },
        { number: 2, status: 'paid' },
      ])
    })
  })
})
