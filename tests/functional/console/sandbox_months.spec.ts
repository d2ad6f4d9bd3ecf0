import { seedSandbox } from '#database/seeders/sandbox/main'
import { pastMonths } from '#database/seeders/sandbox/months/seed_months'
import { exposureOf } from '#defects/cases/open_exposure'
import IssueStatement from '#ledger/actions/issue_statement'
import { findBreaches } from '#ledger/queries/find_breaches'
import { readPreview } from '#finance/settlement/read_account'
import { brokenRules } from '#tests/functional/races/support/invariants'
import { TESTER } from '#tests/support/fixtures'
import { confirmRegister, mapColumns, readAndMatch } from '#tests/support/registers'
import { one, rows } from '#tests/support/rows'
import { performRun } from '#tests/support/runs'
import { test } from '@japa/runner'

const [EARLIER, LATEST] = pastMonths(new Date())

/** What a worker would do. */
async function workFor(partnerId: number) {
  for (;;) {
    const waiting = await rows(
      `SELECT id FROM settlement_runs WHERE partner_id = ? AND state = 'queued' ORDER BY id`,
      partnerId
    )
    if (waiting.length === 0) return
    for (const { id } of waiting) await performRun(id as number)
  }
}

async function partnerIdOf(code: string) {
  const { id } = await one('SELECT id FROM partners WHERE code = ?', code)
  return id as number
}

/** As `DIFFERENCES`; cases without money are left out. */
async function moneyAtRisk(partnerId: number, { from, to } = LATEST) {
  const found = await rows(
    `SELECT right(o.partner_order_id, 3) || ' ' || string_agg(d.code, '+' ORDER BY d.code) AS what, ${exposureOf('c')} AS exposure
       FROM settlement_cases c JOIN settlement_defects d ON d.case_id = c.id AND d.gone_at IS NULL AND d.exposure_tenge > 0
       JOIN orders o ON o.id = d.order_id
      WHERE c.partner_id = ? AND c.gone_at IS NULL AND c.occurred_at >= ? AND c.occurred_at < ?
      GROUP BY c.id, o.partner_order_id ORDER BY 1`,
    partnerId,
    from,
    to
  )
  return found.map(({ what, exposure }) => {
    const { buyer, platform } = exposure as { buyer: number; platform: number }
    return `${what} ${buyer} ${platform}`
  })
}

/** By the partner's numbers of the orders: code, sums of buyers and of ours. */
const DIFFERENCES = {
  kassa: [
    '012 MISSING_AT_PARTNER 0 99000',
    '016 MISSING_AT_PLATFORM 45000 0',
    '020 CONFIRM_ORDER_EXPIRED 57000 0',
    '024 VOID_WITHOUT_REFUND 69000 0',
  ],
  afisha: [
    '012 MISSING_AT_PARTNER 0 36000',
    '016 MISSING_AT_PLATFORM 45000 0',
    '020 CONFIRM_ORDER_EXPIRED 21000 0',
    '024 VOID_WITHOUT_REFUND 22000 0',
  ],
}
const EXPOSURE = {
  kassa: { buyer: 171_000, platform: 99_000, partner: 0 },
  afisha: { buyer: 88_000, platform: 36_000, partner: 0 },
}

test.group('The two past months of the sandbox', () => {
  test('are as if they had been sold through the API, and no month has a contradiction', async ({
    assert,
  }) => {
    await seedSandbox('http://sandbox.test/api/v1/partners', {})
    const { id: eventId } = await one(
      `SELECT id FROM events WHERE title ->> 'en' = 'Opening of the season'`
    )
    assert.deepEqual(await brokenRules(eventId as string), [])
    const scope = { partnerId: null, from: EARLIER.from, to: LATEST.to }
    assert.deepEqual(await findBreaches(scope), [])

    const registers = await rows(
      `SELECT p.code, r.file_name ~ 'xlsx$' AS is_xlsx, r.period_from AS "from", r.state
         FROM partner_registers r JOIN partners p ON p.id = r.partner_id
        WHERE p.code IN ('kassa', 'afisha') ORDER BY p.code, r.period_from`
    )
    assert.deepEqual(registers, [
      { code: 'afisha', is_xlsx: false, from: EARLIER.from, state: 'uploaded' },
      { code: 'afisha', is_xlsx: false, from: LATEST.from, state: 'uploaded' },
      { code: 'kassa', is_xlsx: true, from: EARLIER.from, state: 'confirmed' },
      { code: 'kassa', is_xlsx: true, from: LATEST.from, state: 'uploaded' },
    ])
  })

  test('have one closed month with its workbooks, and nothing at risk', async ({ assert }) => {
    const partnerId = await partnerIdOf('kassa')
    await workFor(partnerId)
    const failed = await rows(
      `SELECT kind, error FROM settlement_runs WHERE partner_id = ? AND state = 'failed'`,
      partnerId
    )
    assert.deepEqual(failed, [])
    const issued = await rows(
      'SELECT period_from AS "from", status FROM settlement_statements WHERE partner_id = ?',
      partnerId
    )
    assert.deepEqual(issued, [{ from: EARLIER.from, status: 'issued' }])
    const books = await rows(
      `SELECT language, state FROM settlement_runs WHERE partner_id = ? AND kind = 'workbook' ORDER BY 1`,
      partnerId
    )
    assert.deepEqual(books, [
      { language: 'en', state: 'succeeded' },
      { language: 'kk', state: 'succeeded' },
      { language: 'ru', state: 'succeeded' },
    ])
    assert.deepEqual(await moneyAtRisk(partnerId, EARLIER), [])
  })

  for (const code of ['kassa', 'afisha'] as const)
    test(`a newcomer matches the register of ${code}, finds its four differences and closes the month`, async ({
      assert,
    }) => {
      const partnerId = await partnerIdOf(code)
      if (code === 'afisha') await new IssueStatement().handle({ partnerCode: code, actor: TESTER })
      const { id } = await one(
        'SELECT id FROM partner_registers WHERE partner_id = ? AND period_from = ?',
        partnerId,
        LATEST.from
      )
      const registerId = id as number
      await mapColumns(registerId)
      await readAndMatch(registerId)
      const { control } = await one(
        'SELECT control FROM partner_registers WHERE id = ?',
        registerId
      )
      assert.containSubset(control, { count: 'AGREES', sum: 'AGREES', unparseable: 0 })
      await confirmRegister(registerId)
      await workFor(partnerId)

      assert.deepEqual(await moneyAtRisk(partnerId), DIFFERENCES[code])
      const preview = await readPreview(partnerId)
      assert.deepEqual(preview!.openCases, { cases: 4, exposure: EXPOSURE[code] })
      const { statementId } = await new IssueStatement().handle({
        partnerCode: code,
        actor: TESTER,
      })
      assert.isAbove(statementId, 0)
    })
})
