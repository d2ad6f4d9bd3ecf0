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

async function connectTo(database: string) {
  const client = new pg.Client({ connectionString: ownerUrlOf(database) })
  await client.connect()
  return client
}

async function inScratch(sql: string) {
  const client = await connectTo(SCRATCH)
  await client.query(sql)
  await client.end()
}

/** How many tables, migrations and rows of our own the database has. */
async function stateOf(database: string) {
  const client = await connectTo(database)
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
  SESSION_DRIVER: 'redis',
  APP_URL: 'https://tickets.example.kz',
}

test.group('Commands that a live deployment refuses', (group) => {
  group.setup(async () => {
    await createDatabase(SCRATCH)
    await inScratch(`INSERT INTO partners (code, name) VALUES ('kassa', 'Kassa')`)
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

  test('on a live database they are refused with DEPLOYMENT=sandbox, too', async ({ assert }) => {
    await inScratch(
      `INSERT INTO partner_keys (api_key, partner_id, secret_encrypted, revoked_at)
       SELECT 'pk_live_' || repeat('k', 32), id, 'none', now() FROM partners`
    )
    const before = await stateOf(SCRATCH)
    const { DATABASE_URL, OWNER_DATABASE_URL } = variablesOf(SCRATCH)
    for (const [command, urls] of [
      ['db:wipe', { DATABASE_URL, OWNER_DATABASE_URL }],
      // What the owner's commands change is at the owner's address.
      ['migration:fresh', { OWNER_DATABASE_URL }],
      ['sandbox:seed', { DATABASE_URL, OWNER_DATABASE_URL: '' }],
    ] as const) {
      const { exitCode, text } = await start([command, '--force'], urls).ended
      assert.equal(exitCode, 1, text)
      assert.include(text, `${command} is refused on the database of a live deployment`)
      assert.include(text, REFUSED_ON_LIVE[command])
      assert.notInclude(text, '    at ', 'no stack')
    }
    assert.deepEqual(await stateOf(SCRATCH), before)
    await inScratch(`DELETE FROM partner_keys`)
  })

  test('a database that does not say whether it is live is not wiped', async ({ assert }) => {
    const before = await stateOf(SCRATCH)
    const holder = await connectTo(SCRATCH)
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE partner_keys IN ACCESS EXCLUSIVE MODE')
    const { exitCode, text } = await start(['db:wipe', '--force'], variablesOf(SCRATCH)).ended
    await holder.end()
    assert.equal(exitCode, 1, text)
    assert.deepEqual(await stateOf(SCRATCH), before)
  })

  test('a live deployment is migrated, and a sandbox can be wiped, also without tables', async ({
    assert,
  }) => {
    const urls = variablesOf(SCRATCH)
    const migrated = await start(['migration:run', '--force'], { ...LIVE, ...urls }).ended
    assert.equal(migrated.exitCode, 0, migrated.text)
    for (const state of ['with tables', 'without tables']) {
      const wiped = await start(['db:wipe', '--force'], urls).ended
      assert.equal(wiped.exitCode, 0, `${state}: ${wiped.text}`)
    }
    const after = await stateOf(SCRATCH)
    assert.isBelow(after.tables, 5)
  })
})
