import {
  createDatabase,
  dropDatabase,
  ownerUrlOf,
  variablesOf,
} from '#tests/support/other_database'
import { test } from '@japa/runner'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { start } from './support.js'

const SCRATCH = 'migration_run'
/** A migration waits three seconds for a lock. */
const LONGER_THAN_IT_WAITS_MS = 8_000

test.group('Migrations while the former release sells', (group) => {
  group.each.timeout(120_000)
  group.each.setup(() => () => dropDatabase(SCRATCH))

  test('a migration that waits too long for a lock runs again and ends well', async ({
    assert,
    cleanup,
  }) => {
    await createDatabase(SCRATCH)
    const sale = new pg.Client({ connectionString: ownerUrlOf(SCRATCH) })
    await sale.connect()
    cleanup(() => sale.end())
    const countTriggers = `SELECT count(*)::int AS count FROM pg_trigger WHERE tgname = 'settlement_requests_are_never_emptied'`
    await sale.query('DROP TRIGGER settlement_requests_are_never_emptied ON settlement_requests')
    for (const table of ['single_acts', 'answers', 'rule_sets'])
      await sale.query(`DROP TRIGGER settlement_${table}_are_never_emptied ON settlement_${table}`)
    await sale.query(`DELETE FROM adonis_schema WHERE name LIKE '%/94_never_empty_settlement'`)
    await sale.query('BEGIN; LOCK TABLE settlement_requests IN ROW EXCLUSIVE MODE')
    const migrating = start(['migration:run', '--force'], {
      NODE_ENV: 'production',
      ...variablesOf(SCRATCH),
    }).ended
    await Promise.race([migrating, delay(LONGER_THAN_IT_WAITS_MS)])
    await sale.query('COMMIT')
    const { exitCode, text } = await migrating
    assert.equal(exitCode, 0, text)
    assert.include(text, 'Sales were in the way (55P03)')
    const { rows } = await sale.query<{ count: number }>(countTriggers)
    assert.deepEqual(rows, [{ count: 1 }])
  })
})
