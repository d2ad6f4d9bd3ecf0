import { NO_FILTERS } from '#tests/support/cases'
import CheckPeriod from '#defects/cases/check_period'
import { listCases } from '#finance/cases/list_cases'
import { readCase } from '#finance/cases/read_case'
import { readScorecard } from '#finance/settlement/read_scorecard'
import { localDay } from '#shared/days'
import env from '#start/env'
import { fillMonth, type Month } from '#tests/support/filled_month'
import { anEvent } from '#tests/support/fixtures'
import { one, rows } from '#tests/support/rows'
import { test } from '@japa/runner'
import pg from 'pg'

const CONSTANT = 'SHOP-PAYMENT'
const SOLD = 800

/** A month of 800 orders, the first paid ones of which were all confirmed with one payment id. */
async function monthWithConstant(prefix: string, orders: number) {
  await anEvent()
  const database = new pg.Client({ connectionString: env.get('OWNER_DATABASE_URL') })
  await database.connect()
  try {
    const partnerCode = `constant-${prefix.toLowerCase()}`
    const month = await fillMonth(database, {
      partnerCode,
      prefix,
      orders: SOLD,
      ticketsPerOrder: 1,
    })
    await database.query('SET session_replication_role = replica')
    const { rows: paid } = await database.query<{ id: string }>(
      `UPDATE orders SET payment_external_id = $3 WHERE id IN (
         SELECT o.id FROM orders o WHERE o.partner_id = $1 AND o.confirmed_at IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM confirm_attempts a WHERE a.order_id_sent = o.id AND a.http_status <> 200)
          ORDER BY o.id LIMIT $2) RETURNING id`,
      [month.partnerId, orders, CONSTANT]
    )
    const ids = paid.map(({ id }) => id).toSorted()
    await database.query(
      'UPDATE confirm_attempts SET external_payment_id = $2 WHERE order_id_sent = ANY ($1)',
      [ids, CONSTANT]
    )
    return { ...month, ids }
  } finally {
    await database.end()
  }
}

const check = ({ partnerId, from, to }: Month) => new CheckPeriod().handle({ partnerId, from, to })

const casesOfConstant = ({ partnerId }: Month) =>
  rows(
    `SELECT c.id, c.order_ids AS orders, c.platform_tenge::int AS ours, d.severity, d.subclass
       FROM settlement_cases c JOIN settlement_defects d ON d.case_id = c.id AND d.gone_at IS NULL
      WHERE c.partner_id = ? AND c.gone_at IS NULL AND d.code IN ('EXTERNAL_ID_PLACEHOLDER', 'DUP_EXTERNAL_PAYMENT_ID')`,
    partnerId
  )

const boundOf = async (ids: string[]) => {
  const { tenge } = await one(
    `SELECT ((SELECT sum(price_tenge) FROM tickets WHERE order_id = ANY (?) AND status <> 'void')
             - (SELECT max(total_tenge) FROM orders WHERE id = ANY (?)))::int AS tenge`,
    ids,
    ids
  )
  return tenge as number
}

test.group('One payment id on many orders', () => {
  for (const [prefix, orders, listed] of [
    ['CA', 21, 21],
    ['CB', 300, 300],
    ['CC', 600, 500],
  ] as const)
    test(`${orders} orders are one case with an upper bound that is in no sum`, async ({
      assert,
    }) => {
      const month = await monthWithConstant(prefix, orders)
      await check(month)
      const [found, ...others] = await casesOfConstant(month)
      assert.isEmpty(others)
      assert.deepInclude(found, { severity: 'MEDIUM', subclass: 'NOT_UNIQUE' })
      assert.deepEqual(found.orders, month.ids.slice(0, listed))

      const upToTenge = await boundOf(month.ids)
      const { balance, kase } = await readCase(found.id)
      assert.deepInclude(balance!.constantIds![0], { paymentId: CONSTANT, orders, upToTenge })
      assert.equal(kase.exposure.platform, 0)
      const filters = { partner: month.partnerCode, code: 'EXTERNAL_ID_PLACEHOLDER' }
      const list = await listCases({ ...NO_FILTERS, ...filters }, 'nobody@example.kz')
      assert.equal(list.rows[0].upToTenge, upToTenge)
      const { ours } = await one(
        'SELECT sum(platform_tenge)::int AS ours FROM settlement_cases WHERE partner_id = ?',
        month.partnerId
      )
      assert.equal(ours, 0)
    }).timeout(120_000)

  test('a later check without news of it finds the same', async ({ assert }) => {
    const month = await monthWithConstant('CD', 30)
    await check(month)
    const before = await casesOfConstant(month)
    assert.lengthOf(before, 1)
    const to = new Date(month.to.getTime() + 60 * 86_400_000)
    const from = new Date(month.to.getTime() + 30 * 86_400_000)
    await new CheckPeriod().handle({ partnerId: month.partnerId, from, to })
    assert.deepEqual(await casesOfConstant(month), before)
  }).timeout(120_000)

  test('the partner’s conduct is marked, however few the orders are', async ({ assert }) => {
    const month = await monthWithConstant('CE', 21)
    await check(month)
    const { figures } = await readScorecard(month.partnerId, localDay(month.from).slice(0, 7))
    const figure = figures.find(({ code }) => code === 'EXTERNAL_ID_PLACEHOLDER')!
    assert.equal(figure.verdict, 'high')
    assert.isBelow(figure.value, 0.05)
  }).timeout(120_000)
})
