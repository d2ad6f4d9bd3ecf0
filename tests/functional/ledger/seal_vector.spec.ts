import db from '@adonisjs/lucid/services/db'
import { findStatement } from '#ledger/queries/find_statement'
import { verifyStatement } from '#ledger/queries/verify_statement'
import { sealedRows, sealedStatement } from '#ledger/seal'
import { transaction } from '#shared/transaction'
import { aPartner } from '#tests/support/fixtures'
import { one } from '#tests/support/rows'
import { test } from '@japa/runner'
import { createHash } from 'node:crypto'

/*
 * A whole statement by hand: late sale of 12,000 at 7.5 %, a credit memo of 500 and a payment of 9,000, 3,000 of it for an
 * earlier statement. 50,000 + 12,000 − 900 − 500 − 9,000 = 51,600.
 */

/** The header and the lines, as the first release wrote them: `JSON.stringify` has no spaces, PostgreSQL has. */
const FIRST_FORM = [
  `["statement",900000017,900000007,"2026-08-31T19:00:00.000Z","2026-09-30T19:00:00.000Z",900000003,"50000","${'ab'.repeat(32)}"]`,
  '["sale", "12000", 1, "ord_vector_1", "evt_vector", "ord_vector_1", 900000003, null, "2026-08-30T07:15:00.000001Z"]',
  '["commission", "-900", 0, "ord_vector_1", "evt_vector", "ord_vector_1", 900000003, 750, "2026-08-30T07:15:00.000001Z"]',
  '["adj_credit", "-500", 0, "memo:900000004", null, null, null, null, "2026-09-10T05:00:00.000000Z"]',
  '["payment", "-9000", 0, "payment:900000005", null, null, null, null, "2026-09-20T05:00:00.000000Z"]',
]
const SECOND_FORM = [
  '["line", "1", "900000007", "sale", "12000", "1", "ord_vector_1", "evt_vector", "ord_vector_1", "900000003", null, "2026-08-30T07:15:00.000001Z", "2026-09-02T04:00:00.500000Z"]',
  '["line", "2", "900000007", "commission", "-900", "0", "ord_vector_1", "evt_vector", "ord_vector_1", "900000003", "750", "2026-08-30T07:15:00.000001Z", "2026-09-02T04:00:00.500000Z"]',
  '["line", "3", "900000007", "adj_credit", "-500", "0", "memo:900000004", null, null, null, null, "2026-09-10T05:00:00.000000Z", "2026-09-10T05:00:00.000000Z"]',
  '["line", "4", "900000007", "payment", "-9000", "0", "payment:900000005", null, null, null, null, "2026-09-20T05:00:00.000000Z", "2026-09-20T05:00:00.000000Z"]',
  '["memo", "900000004", "900000009", "900000007", "adj_credit", "500", "Возврат мимо \\"системы\\"", "900000016", "1", null, "a@example.kz", "2026-09-10T04:00:00.000000Z", "true", "approved", "b@example.kz", "2026-09-10T05:00:00.000000Z"]',
  '["payment", "900000005", "900000007", "ПП-17", "2026-09-19", "from_partner", "9000", "a@example.kz", "2026-09-20T05:00:00.000000Z", "b@example.kz"]',
  '["allocated", "900000005", "900000016", "3000", "2026-09-20T05:00:00.000000Z"]',
  '["terms", "900000003", "900000007", "2025-12-31T19:00:00.000000Z", "month", "750", "1600", "half_up", "60", "14", "true", "0", "3", "false", "0", "ТОО «Продажи»", "123456789012", "Д-17", "2026-01-15", "a@example.kz", "2025-12-20T05:00:00.000000Z", "b@example.kz"]',
  `["statement", "900000017", "900000007", "2026-08-31T19:00:00.000000Z", "2026-09-30T19:00:00.000000Z", "Asia/Almaty", "300", "900000003", "50000", "51600", "{\\"sale\\": [1, 1, \\"12000\\"], \\"payment\\": [1, 0, \\"-9000\\"], \\"adj_credit\\": [1, 0, \\"-500\\"], \\"commission\\": [1, 0, \\"-900\\"]}", "4", "2", "900000016", "${'ab'.repeat(32)}", "2026-10-01T05:00:00.123456Z", "2026-10-01T05:00:00.123456Z", "a@example.kz", "2026-10-15T05:00:00.123456Z", null, "2"]`,
]
/** The same in the third form: with what reverses a document, and with allocations instead of parts of payments. */
const THIRD_FORM = SECOND_FORM.map((row) => {
  if (row.startsWith('["memo"')) return row.replace(/]$/, ', null]')
  if (row.startsWith('["payment"')) return row.replace(/]$/, ', null, null]')
  if (row.startsWith('["allocated"'))
    return '["allocated", "900000006", "900000007", "payment:900000005", "statement:900000016", "3000", null, null, "a@example.kz", "2026-09-20T05:00:00.000000Z"]'
  return row.startsWith('["statement"') ? row.replace(/"2"]$/, '"3"]') : row
})
/** The same in the fourth form: the terms end with what becomes of used tickets of cancelled events, and the days to pay. */
const FOURTH_FORM = THIRD_FORM.map((row) => {
  if (row.startsWith('["terms"')) return row.replace(/]$/, ', "void", "10"]')
  return row.startsWith('["statement"') ? row.replace(/"3"]$/, '"4"]') : row
})
/** `sha256sum` of the rows above, joined by line feeds, in UTF-8. */
const SHA256 = {
  1: '8534af00e12335be3d8ec825868507d2fa90d6fd88bd613815010a2b8e073f16',
  2: '84f1a469823fe2f590273f269aa3187bce2333b27db6681c643f77f1b5b3d71f',
  3: '94b258148c60627f8051a328e388259def6181551ac6bf2f9d0ba51ee84be386',
  4: 'dceebcb615f2099501c3c23ed4c6f78c752d2ed630c69fbd0efcc5f2395493f6',
}
const FORMS = [
  { form: 2, expected: SECOND_FORM },
  { form: 3, expected: THIRD_FORM },
  { form: 4, expected: FOURTH_FORM },
] as const

const INSERTS = [
  `INSERT INTO partners OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(p, '{"id": 900000007, "code": "seal-vector"}')).* FROM partners p WHERE id = :model`,
  `INSERT INTO settlement_terms (id, partner_id, valid_from, period, commission_bp, vat_bp, rounding, grace_minutes, dispute_days,
     silence_agrees, min_payment_tenge, refund_evidence_days, allows_combined_payments, penalty_tenge, legal_name, bin,
     contract_number, contract_date, set_by, created_at, approved_by, used_tickets_of_cancelled_events, payment_days) OVERRIDING SYSTEM VALUE
   VALUES (900000003, 900000007, '2026-01-01 00:00+05', 'month', 750, 1600, 'half_up', 60, 14, true, 0, 3, false, 0,
     'ТОО «Продажи»', '123456789012', 'Д-17', '2026-01-15', 'a@example.kz', '2025-12-20 10:00+05', 'b@example.kz', 'void', 10)`,
  `INSERT INTO settlement_statements (id, number, partner_id, status, period_from, period_to, zone, utc_offset_minutes, terms_id,
     opening_tenge, closing_tenge, totals, lines, late_lines, data_sha256, prev_id, prev_sha256, data_as_of, issued_at, issued_by,
     dispute_until, status_by, hash_version) OVERRIDING SYSTEM VALUE
   VALUES (900000016, 900000016, 900000007, 'part_paid', '2026-08-01 00:00+05', '2026-09-01 00:00+05', 'Asia/Almaty', 300, 900000003,
     0, 50000, '{}', 0, 0, repeat('ab', 32), NULL, NULL, '2026-09-01 10:00+05', '2026-09-01 10:00+05', 'a@example.kz',
     '2026-09-15 10:00+05', 'a@example.kz', 1),
   (900000017, 900000017, 900000007, 'issued', '2026-09-01 00:00+05', '2026-10-01 00:00+05', 'Asia/Almaty', 300, 900000003,
     50000, 51600, '{"sale": [1, 1, "12000"], "commission": [1, 0, "-900"], "adj_credit": [1, 0, "-500"], "payment": [1, 0, "-9000"]}',
     4, 2, ':sha256', 900000016, repeat('ab', 32), '2026-10-01 10:00:00.123456+05', '2026-10-01 10:00:00.123456+05', 'a@example.kz',
     '2026-10-15 10:00:00.123456+05', 'a@example.kz', :form)`,
  `INSERT INTO settlement_memos (id, number, partner_id, kind, amount_tenge, reason, origin_statement_id, origin_line, asked_by,
     asked_at, needs_second, outcome, decided_by, decided_at) OVERRIDING SYSTEM VALUE
   VALUES (900000004, 900000009, 900000007, 'adj_credit', 500, 'Возврат мимо "системы"', 900000016, 1, 'a@example.kz',
     '2026-09-10 09:00+05', true, 'approved', 'b@example.kz', '2026-09-10 10:00+05')`,
  `INSERT INTO settlement_payments (id, partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by, recorded_at,
     approved_by)
     OVERRIDING SYSTEM VALUE
   VALUES (900000005, 900000007, 'ПП-17', '2026-09-19', 'from_partner', 9000, 'a@example.kz', '2026-09-20 10:00+05',
     'b@example.kz')`,
  `INSERT INTO settlement_payment_parts (payment_id, statement_id, amount_tenge, allocated_at)
   VALUES (900000005, 900000016, 3000, '2026-09-20 10:00+05')`,
  `INSERT INTO settlement_allocations (id, partner_id, credit, debit, amount_tenge, allocated_by, allocated_at)
     OVERRIDING SYSTEM VALUE
   VALUES (900000006, 900000007, 'payment:900000005', 'statement:900000016', 3000, 'a@example.kz', '2026-09-20 10:00+05')`,
  `INSERT INTO ledger_movements (partner_id, kind, amount_tenge, tickets, source, event_id, order_id, terms_id, rate_bp,
     effective_at, recorded_at, statement_id, line)
   VALUES
     (900000007, 'sale', 12000, 1, 'ord_vector_1', 'evt_vector', 'ord_vector_1', 900000003, NULL,
      '2026-08-30 12:15:00.000001+05', '2026-09-02 09:00:00.5+05', 900000017, 1),
     (900000007, 'commission', -900, 0, 'ord_vector_1', 'evt_vector', 'ord_vector_1', 900000003, 750,
      '2026-08-30 12:15:00.000001+05', '2026-09-02 09:00:00.5+05', 900000017, 2),
     (900000007, 'adj_credit', -500, 0, 'memo:900000004', NULL, NULL, NULL, NULL,
      '2026-09-10 10:00+05', '2026-09-10 10:00+05', 900000017, 3),
     (900000007, 'payment', -9000, 0, 'payment:900000005', NULL, NULL, NULL, NULL,
      '2026-09-20 10:00+05', '2026-09-20 10:00+05', 900000017, 4)`,
]
const TABLES = [
  'ledger_movements',
  'settlement_allocations',
  'settlement_payment_parts',
  'settlement_payments',
  'settlement_memos',
  'settlement_statement_checks',
  'settlement_statements',
  'settlement_terms',
  'partners',
]

const byForce = (sql: string) =>
  db.connection('owner').transaction(async (trx) => {
    await trx.rawQuery(`SET LOCAL session_replication_role = 'replica'`)
    await trx.rawQuery(sql)
  })

test.group('The canonical form of a statement', (group) => {
  group.each.teardown(async () => {
    for (const table of TABLES) {
      const column = table === 'settlement_payment_parts' ? 'payment_id' : 'partner_id'
      const key = { partners: 'id', settlement_statement_checks: 'statement_id' }[table] ?? column
      const values = '(900000005, 900000007, 900000016, 900000017)'
      await byForce(`DELETE FROM ${table} WHERE ${key} IN ${values}`)
    }
  })

  async function insertStatement(form: keyof typeof SHA256) {
    const { id: model } = await aPartner()
    for (const sql of INSERTS)
      await byForce(
        sql
          .replace(':model', String(model))
          .replace(':sha256', SHA256[form])
          .replace(':form', String(form))
      )
    return findStatement(900_000_017)
  }

  test('in form 1 has the hash of the header and the lines that stand here, for good', async ({
    assert,
  }) => {
    const found = await insertStatement(1)
    const written = createHash('sha256').update(FIRST_FORM.join('\n')).digest('hex')
    assert.equal(written, SHA256[1])
    assert.equal(found.statementSha256, SHA256[1])
    assert.deepEqual(await verifyStatement(found), [])
  })

  for (const { form, expected } of FORMS)
    test(`in form ${form} is the one that stands here, and its hash is that of sha256sum`, async ({
      assert,
    }) => {
      const found = await insertStatement(form)
      const { as_of: asOf } = await one(
        'SELECT data_as_of::text AS as_of FROM settlement_statements WHERE id = ?',
        found.id
      )
      const scope = { ...found, form, statementId: found.id, asOf: asOf as string }
      const canonical = await transaction((trx) =>
        Array.fromAsync(sealedRows({ ...scope, isSuperseded: false }, () => {}, trx))
      )
      assert.deepEqual([...canonical, await sealedStatement(found.id)], [...expected])
      assert.equal(found.statementSha256, SHA256[form])
      assert.deepEqual(await verifyStatement(found), [])
    })
})
