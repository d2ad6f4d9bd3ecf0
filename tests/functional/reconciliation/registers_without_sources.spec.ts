import { migrate, undoMigrationsFrom } from '#tests/support/migrations'
import { createDatabase, dropDatabase, inDatabase } from '#tests/support/other_database'
import { one, ownerRows, rows } from '#tests/support/rows'
import { test } from '@japa/runner'
import { createHash } from 'node:crypto'

const DATABASE = 'registers_without_sources'

interface Old {
  file: string
  days: [from: string, to: string]
  headers: string[]
  /** Day of the confirmation; without it the register is only matched. */
  confirmed?: string
  partner?: string
}

const insertRegister = ({ file, days, headers, confirmed, partner = 'p' }: Old) =>
  ownerRows(
    `INSERT INTO partner_registers (partner_id, period_from, period_to, file_name, bytes, sha256, format, sheets, preview, mapping,
            control, totals, uploaded_by, state, decided_by, decided_at)
     SELECT id, ?, ?, ?, 1, ?, 'csv', '{}', ?, '{}', '{}', '{}', 'tests', ?, ?, ? FROM partners WHERE code = ?`,
    ...days,
    file,
    createHash('sha256').update(file).digest('hex'),
    JSON.stringify({ headers }),
    confirmed ? 'confirmed' : 'matched',
    confirmed ? 'tests' : null,
    confirmed ?? null,
    partner
  )

const readRegisters = async () => {
  const found = await rows(
    `SELECT r.file_name AS file, s.name AS source, r.state, newer.file_name AS newer
       FROM partner_registers r JOIN register_sources s ON s.id = r.source_id
       LEFT JOIN partner_registers newer ON newer.id = r.replaced_by ORDER BY r.id`
  )
  return found.map(({ file, source, state, newer }) => [file, source, state, newer] as unknown[])
}

test.group('Registers from before there were sources', (group) => {
  group.each.setup(() => createDatabase(DATABASE))
  group.each.teardown(() => dropDatabase(DATABASE))

  test('get a source for each set of headers, and of overlapping ones the last confirmed stays', async ({
    assert,
  }) => {
    await inDatabase(DATABASE, async () => {
      await undoMigrationsFrom(27)
      await ownerRows(`INSERT INTO partners (code, name) VALUES ('p', 'P'), ('q', 'Q')`)
      const sales = ['Заказ', 'Сумма']
      const old: Old[] = [
        {
          file: 'october',
          days: ['2026-10-01', '2026-11-01'],
          headers: sales,
          confirmed: '2026-11-02',
        },
        // Overlaps october alone.
        {
          file: 'early',
          days: ['2026-10-28', '2026-11-01'],
          headers: sales,
          confirmed: '2026-11-01',
        },
        {
          file: 'week',
          days: ['2026-11-01', '2026-11-08'],
          headers: ['СУММА', 'заказ', ''],
          confirmed: '2026-11-09',
        },
        {
          file: 'month',
          days: ['2026-11-01', '2026-12-01'],
          headers: sales,
          confirmed: '2026-12-02',
        },
        {
          file: 'other headers',
          days: ['2026-11-01', '2026-12-01'],
          headers: ['Платёж'],
          confirmed: '2026-11-30',
        },
        { file: 'not confirmed', days: ['2026-11-01', '2026-12-01'], headers: sales },
        { file: 'no headers', days: ['2026-11-01', '2026-12-01'], headers: [] },
        {
          file: 'of q',
          days: ['2026-11-01', '2026-12-01'],
          headers: sales,
          confirmed: '2026-12-03',
          partner: 'q',
        },
      ]
      for (const register of old) await insertRegister(register)
      await migrate()
      assert.deepEqual(await readRegisters(), [
        ['october', '№ 1', 'confirmed', null],
        ['early', '№ 1', 'replaced', 'october'],
        ['week', '№ 1', 'replaced', 'month'],
        ['month', '№ 1', 'confirmed', null],
        ['other headers', '№ 2', 'confirmed', null],
        ['not confirmed', '№ 1', 'matched', null],
        ['no headers', '№ 3', 'matched', null],
        ['of q', '№ 1', 'confirmed', null],
      ])
      const entries = await rows(
        `SELECT change ->> 'file' AS file, change ->> 'replaced_by_file' AS newer FROM journal
          WHERE name = 'register_replaced' ORDER BY id`
      )
      assert.deepEqual(entries, [
        { file: 'week', newer: 'month' },
        { file: 'early', newer: 'october' },
      ])
      // What was replaced counts again once the rule is gone.
      await undoMigrationsFrom(27)
      const { n: confirmed } = await one(
        `SELECT count(*)::int AS n FROM partner_registers WHERE state = 'confirmed'`
      )
      assert.equal(confirmed, 6)
    })
  })
})

test.group('Fee rules of a partner from before they were of sources', (group) => {
  group.each.setup(() => createDatabase(DATABASE))
  group.each.teardown(() => dropDatabase(DATABASE))

  test('hold for all sources of the partner', async ({ assert }) => {
    await inDatabase(DATABASE, async () => {
      await undoMigrationsFrom(51)
      await ownerRows(`INSERT INTO partners (code, name) VALUES ('p', 'P'), ('q', 'Q')`)
      await ownerRows(
        `INSERT INTO register_sources (partner_id, name, created_by)
         SELECT id, source, 'tests' FROM partners, unnest(ARRAY['Магазин', 'Банк']) AS source`
      )
      await ownerRows(
        `INSERT INTO partner_register_habits (partner_id, fee_rules)
         SELECT id, '[{"kind": "percent", "basisPoints": 500}]' FROM partners WHERE code = 'p'`
      )
      await migrate()
      const found = await rows(
        `SELECT p.code, s.name, s.fee_rules AS rules FROM register_sources s JOIN partners p ON p.id = s.partner_id
          ORDER BY p.code, s.name`
      )
      const rule = { kind: 'percent', basisPoints: 500 }
      assert.deepEqual(
        found.map(({ code, name, rules }) => [code, name, rules] as unknown[]),
        [
          ['p', 'Банк', [rule]],
          ['p', 'Магазин', [rule]],
          ['q', 'Банк', []],
          ['q', 'Магазин', []],
        ]
      )
    })
  })
})

test.group('Registers from before they kept what they cover', (group) => {
  group.each.setup(() => createDatabase(DATABASE))
  group.each.teardown(() => dropDatabase(DATABASE))

  test('have the coverage of their source, and suggested rows are marked', async ({ assert }) => {
    await inDatabase(DATABASE, async () => {
      await undoMigrationsFrom(44)
      await ownerRows(`INSERT INTO partners (code, name) VALUES ('p', 'P')`)
      await ownerRows(
        `INSERT INTO register_sources (partner_id, name, covers_sales, created_by) SELECT id, 'Возвраты', false, 'tests' FROM partners`
      )
      await ownerRows(
        `INSERT INTO partner_registers (partner_id, source_id, period_from, period_to, file_name, bytes, sha256, format, sheets, preview,
                mapping, control, totals, uploaded_by, state)
         SELECT partner_id, id, '2026-10-01', '2026-11-01', 'october', 1, repeat('0', 64), 'csv', '{}', '{}', '{}', '{}', '{}', 'tests', 'matched'
           FROM register_sources`
      )
      await ownerRows(
        `INSERT INTO partner_register_rows (register_id, line, raw, amount_tenge, returned_tenge, kind, is_not_paid, is_unparseable, problems)
         SELECT id, line, '[]', 1000, 0, 'sale', false, false, '[]' FROM partner_registers, generate_series(2, 3) line`
      )
      await ownerRows(
        `WITH cases AS (
           INSERT INTO partner_register_cases
             (register_id, place, key, category, step, is_suggested, sales_tenge, refunds_tenge, total_tenge, refunded_tenge, why, version)
           SELECT register_id, line, line, 'MISSING_AT_PLATFORM', 'NONE', line = 3, 1000, 0, 0, 0, '[]', 1 FROM partner_register_rows
           RETURNING id, register_id, place)
         INSERT INTO partner_register_case_rows (register_id, line, case_id) SELECT register_id, place, id FROM cases`
      )
      await migrate()
      const found = await rows(
        'SELECT line, is_suggested FROM partner_register_case_rows ORDER BY line'
      )
      assert.deepEqual(found, [
        { line: 2, is_suggested: false },
        { line: 3, is_suggested: true },
      ])
      const register = await one('SELECT covers_sales, covers_refunds FROM partner_registers')
      assert.deepEqual(register, { covers_sales: false, covers_refunds: true })
    })
  })
})
