import { REFUSED_ON_LIVE } from '#console/live_refusals'
import {
  createDatabase,
  dropDatabase,
  ownerUrlOf,
  variablesOf,
} from '#tests/support/other_database'
import { test } from '@japa/runner'
import pg from 'pg'
import { start } from './support.js'

const SCRATCH = 'refused_on_live'
const TABLES = `SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'`
const MIGRATIONS = `SELECT count(*)::int AS migrations FROM adonis_schema`

/** How many tables, migrations and rows of our own the database has. */
async function stateOf(database: string) {
  const client = new pg.Client({ connectionString: ownerUrlOf(database) })
  await client.connect()
  const [tables, migrations, partners] = [
    await client.query(TABLES),
    await client.query(MIGRATIONS).catch(() => ({ rows: [] })),
    await client.query('SELECT code FROM partners').catch(() => ({ rows: [] })),
  ]
  await client.end()
  return { ...tables.rows[0], ...migrations.rows[0], partners: partners.rows }
}

const LIVE = {
  NODE_ENV: 'production',
  DEPLOYMENT: 'live',
  LOCAL_WEBHOOKS: 'false',
  APP_URL: 'https://tickets.example.kz',
}

test.group('Commands that a live deployment refuses', (group) => {
  group.setup(async () => {
    await createDatabase(SCRATCH)
    const client = new pg.Client({ connectionString: ownerUrlOf(SCRATCH) })
    await client.connect()
    await client.query(`INSERT INTO partners (code, name) VALUES ('kassa', 'Kassa')`)
    await client.end()
    return () => dropDatabase(SCRATCH)
  })
  group.each.timeout(120_000)

  test('each is refused with --force, says what to do instead and changes nothing', async ({
    assert,
  }) => {
    const before = await stateOf(SCRATCH)
    assert.isAbove(before.tables, 50)
    const variables = { ...LIVE, ...variablesOf(SCRATCH) }
    for (const [command, instead] of Object.entries(REFUSED_ON_LIVE)) {
      const { exitCode, text } = await start([command, '--force'], variables).ended
      assert.equal(exitCode, 1, text)
      assert.include(text, `${command} is refused on a live deployment`)
      assert.include(text, instead)
      assert.notInclude(text, '    at ', 'no stack')
    }
    assert.deepEqual(await stateOf(SCRATCH), before)
  })

  test('a live deployment is migrated, and a sandbox can be wiped', async ({ assert }) => {
    const urls = variablesOf(SCRATCH)
    const migrated = await start(['migration:run', '--force'], { ...LIVE, ...urls }).ended
    assert.equal(migrated.exitCode, 0, migrated.text)
    const wiped = await start(['db:wipe', '--force'], urls).ended
    assert.equal(wiped.exitCode, 0, wiped.text)
    const after = await stateOf(SCRATCH)
    assert.isBelow(after.tables, 5)
  })
})
