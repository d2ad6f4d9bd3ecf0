import { BREACH_CHECKS, findBreaches, type BreachScope } from '#ledger/queries/find_breaches'
import { allowLongQueries } from '#shared/long_queries'
import env from '#start/env'
import { fillMonth, type Month } from '#tests/support/filled_month'
import { anEvent } from '#tests/support/fixtures'
import { countVisits } from '#tests/support/plan_visits'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { test } from '@japa/runner'
import pg from 'pg'

const FEW = 500
const TIMES = 8
/** A small table may be read whole where it was asked by index; what grows with the square comes near 64. */
const AT_MOST = TIMES * 2

async function aMonth(prefix: string, orders: number) {
  const database = new pg.Client({ connectionString: env.get('DATABASE_URL') })
  await database.connect()
  try {
    const partnerCode = `breaches-${prefix.toLowerCase()}`
    return await fillMonth(database, { partnerCode, prefix, orders, ticketsPerOrder: 2 })
  } finally {
    await database.end()
  }
}

const scopeOf = ({ partnerId, from, to }: Month): BreachScope => ({ partnerId, from, to })

async function visitsOf(month: Month, trx: TransactionClientContract) {
  const visits: Record<string, number> = {}
  for (const [name, sql] of Object.entries(BREACH_CHECKS))
    visits[name] = await countVisits(sql, scopeOf(month), trx)
  return visits
}

test.group('The search for breaches in a larger month', () => {
  test('reads rows in proportion to its movements', async ({ assert }) => {
    await anEvent()
    const months = [await aMonth('BA', FEW), await aMonth('BB', FEW * TIMES)]
    for (const month of months) assert.deepEqual(await findBreaches(scopeOf(month)), [])
    const trx = await db.transaction()
    try {
      await allowLongQueries(trx)
      const [few, many] = [await visitsOf(months[0], trx), await visitsOf(months[1], trx)]
      assert.isAbove(many.charges, FEW * TIMES)
      assert.isAbove(many.movements, FEW * TIMES)
      const growing = Object.entries(many)
        .map(([check, visits]) => [check, few[check], visits] as const)
        .filter(([, before, visits]) => visits > Math.max(before, 1) * AT_MOST)
      assert.deepEqual(growing, [])
    } finally {
      await trx.rollback()
    }
  })
})
