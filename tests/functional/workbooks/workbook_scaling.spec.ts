import IssueStatement from '#ledger/actions/issue_statement'
import CheckPeriod from '#defects/cases/check_period'
import { COUNT_ORDINARY } from '#defects/facts/ordinary_orders'
import { OF_IDS } from '#defects/facts/read_facts'
import { findScope } from '#workbooks/document/find_scope'
import { scopeSql } from '#workbooks/sheets/scope_sql'
import { rowsSql, totalsSql } from '#workbooks/sheets/sheet'
import { DATA_SHEETS } from '#workbooks/sheets/all'
import { register } from '#workbooks/sheets/register'
import { allowLongQueries } from '#shared/long_queries'
import env from '#start/env'
import { fillMonth, type Month } from '#tests/support/filled_month'
import { writeRegister } from '#tests/support/filled_register'
import { anEvent, TESTER } from '#tests/support/fixtures'
import { countVisits } from '#tests/support/plan_visits'
import {
  confirmRegister,
  COVERS_ALL,
  decideMatches,
  matchedRegister,
} from '#tests/support/registers'
import { rows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { test } from '@japa/runner'
import { readFile } from 'node:fs/promises'
import pg from 'pg'

const FEW = 500
const TIMES = 8
/** A small table may be read whole where it was asked by index; what grows with the square comes near 64. */
const AT_MOST = TIMES * 2
const OF_PARTNERS = ['orders', 'confirm_attempts', 'ledger_movements', 'settlement_cases']
const OTHER_TABLES = [
  'settlement_defects',
  'tickets',
  'booking_seats',
  'partner_register_rows',
  'partner_register_cases',
  'partner_register_case_rows',
  'partner_register_case_orders',
]

interface ClosedMonth extends Month {
  statementId: number
}
/** What PostgreSQL knows of tables in which most partners have a few rows each. */
async function stateManyPartners(trx: TransactionClientContract) {
  for (const table of OF_PARTNERS)
    await trx.rawQuery(`ALTER TABLE ${table} ALTER partner_id SET (n_distinct = -0.5)`)
  await trx.rawQuery(`ANALYZE ${[...OF_PARTNERS, ...OTHER_TABLES].join(', ')}`)
}

/** Of the month as a draft, of its issued statement, and of its orders for the rules. */
async function queriesOf({ partnerCode, partnerId, from, to, statementId }: ClosedMonth) {
  const period = { partnerId, asOf: to, from, to }
  const orders = await rows('SELECT id FROM orders WHERE partner_id = ?', partnerId)
  const orderIds = orders.map(({ id }) => id)
  const facts = [
    {
      name: 'ordinary orders',
      sql: COUNT_ORDINARY,
      parameters: { ...period, known: orderIds, meaningless: [] } as object,
    },
    { name: 'facts', sql: OF_IDS, parameters: { partnerId, asOf: to, orderIds } as object },
  ]
  const books = await Promise.all(
    [{ from, to }, { statementId }].map(async (given) => {
      const scope = await findScope(partnerCode, given, 'ru')
      const tables = scopeSql(scope.statementId !== null)
      const book = scope.statementId === null ? 'draft' : 'statement'
      return [...DATA_SHEETS, register].flatMap((sheet) =>
        Object.entries({ totals: totalsSql(sheet), rows: rowsSql(sheet) }).map(([what, sql]) => ({
          name: `${book}: ${sheet.key}, ${what}`,
          sql: `${tables} ${sql}`,
          parameters: scope.params,
        }))
      )
    })
  )
  return [...facts, ...books.flat()]
}

/** Of each query, in tables as they stand. */
async function visitsOfMonth(month: ClosedMonth, trx: TransactionClientContract) {
  const visits: Record<string, number> = {}
  for (const { name, sql, parameters } of await queriesOf(month)) {
    visits[name] = await countVisits(sql, parameters, trx)
  }
  return visits
}

test.group('Cost of a larger month', (group) => {
  const scratch = scratchDirectory(group)

  async function aFilledMonth(prefix: string, orders: number) {
    const database = new pg.Client({ connectionString: env.get('OWNER_DATABASE_URL') })
    await database.connect()
    const partnerCode = `growth-${prefix.toLowerCase()}`
    const month = await fillMonth(database, { partnerCode, prefix, orders, ticketsPerOrder: 2 })
    const path = scratch.at('register.csv')
    await writeRegister(database, month, { path, rows: orders })
    await database.end()
    const registerId = await matchedRegister({ code: partnerCode }, await readFile(path), {
      from: month.from,
      to: month.to,
      setup: COVERS_ALL,
    })
    await decideMatches(registerId, { decision: 'accepted' })
    await confirmRegister(registerId)
    await new CheckPeriod().handle(month)
    const period = { from: month.from, to: month.to }
    const asked = { partnerCode, period, actor: TESTER }
    const { statementId } = await new IssueStatement().handle(asked)
    return { ...month, statementId }
  }

  test('grows in proportion to its rows', async ({ assert }) => {
    await anEvent()
    const months = [await aFilledMonth('MA', FEW), await aFilledMonth('MB', FEW * TIMES)]
    // Nothing of it stays.
    const trx = await db.connection('owner').transaction()
    try {
      await allowLongQueries(trx)
      for (const known of ['as it is', 'many partners']) {
        if (known === 'many partners') await stateManyPartners(trx)
        const [few, many] = [
          await visitsOfMonth(months[0], trx),
          await visitsOfMonth(months[1], trx),
        ]
        const growing = Object.entries(many)
          .map(([query, visits]) => [query, few[query], visits] as const)
          .filter(([, before, visits]) => visits > before * AT_MOST)
        assert.deepEqual(growing, [], known)
      }
    } finally {
      await trx.rollback()
    }
  }).timeout(300_000)
})
