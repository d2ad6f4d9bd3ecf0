import { clockSkew, schemaProblem } from '#shared/database_fitness'
import { sleep } from '#tests/functional/races/support/crowd'
import { WebProcess } from '#tests/functional/races/support/web_process'
import {
  createDatabase,
  dropDatabase,
  maintain,
  urlOfDatabase,
} from '#tests/support/other_database'
import { test } from '@japa/runner'
import pg from 'pg'

const SCRATCH = 'readiness'
const ASCII = 'readiness_ascii'
const LATEST = 'database/migrations/55_recognise_the_app_key'
const LATER = 'database/migrations/9999_of_the_next_release'
const FOREIGN = 'database/migrations/3_of_somebody_else'

const TEN_MINUTES_AHEAD = 'const now = Date.now; Date.now = () => now() + 600_000'

async function inScratch(sql: string) {
  const client = new pg.Client({ connectionString: urlOfDatabase(SCRATCH) })
  await client.connect()
  await client.query(sql)
  await client.end()
}

const apply = (name: string) =>
  inScratch(`INSERT INTO adonis_schema (name, batch) VALUES ('${name}', 1)`)
const forget = (name: string) => inScratch(`DELETE FROM adonis_schema WHERE name = '${name}'`)

async function readinessOf(web: WebProcess) {
  const response = await fetch(`${web.url}/health/ready`)
  const { status, problems, postgres } = (await response.json()) as Record<string, unknown>
  return { code: response.status, status, postgres, problems }
}

const READY = { code: 200, status: 'ready', postgres: true, problems: undefined }
const unready = (...problems: string[]) => ({
  code: 503,
  status: 'unavailable',
  postgres: true,
  problems,
})

test.group('Readiness on a database of another kind', (group) => {
  let web: WebProcess
  group.setup(async () => {
    await createDatabase(SCRATCH)
    web = await WebProcess.start({ DATABASE_URL: urlOfDatabase(SCRATCH) })
    return async () => {
      await web.stop()
      await dropDatabase(SCRATCH)
      await dropDatabase(ASCII)
    }
  })

  test('ready on our schema, and on that of the next release', async ({ assert }) => {
    assert.deepEqual(await readinessOf(web), READY)
    await apply(LATER)
    assert.deepEqual(await readinessOf(web), READY)
    await forget(LATER)
  })

  test('not ready while a migration is missing, or one of the past is not ours', async ({
    assert,
  }) => {
    await forget(LATEST)
    assert.deepEqual(await readinessOf(web), unready('schema_behind'))
    await apply(LATEST)
    await apply(FOREIGN)
    assert.deepEqual(await readinessOf(web), unready('schema_differs'))
    await forget(FOREIGN)
    assert.deepEqual(await readinessOf(web), READY)
  })

  test('not ready where a crash of PostgreSQL may lose answered sales', async ({ assert }) => {
    const reconnect = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = '${SCRATCH}' AND pid <> pg_backend_pid()`
    await maintain(`ALTER DATABASE ${SCRATCH} SET synchronous_commit = off`)
    await maintain(reconnect)
    await sleep(300)
    assert.deepEqual(await readinessOf(web), unready('synchronous_commit_off'))
    await maintain(`ALTER DATABASE ${SCRATCH} RESET synchronous_commit`)
    await maintain(reconnect)
    await sleep(300)
    assert.deepEqual(await readinessOf(web), READY)
  })

  test('not ready on an encoding that can’t hold every name', async ({ assert }) => {
    await dropDatabase(ASCII)
    await maintain(
      `CREATE DATABASE ${ASCII} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'`
    )
    const client = new pg.Client({ connectionString: urlOfDatabase(ASCII) })
    await client.connect()
    await client.query('CREATE TABLE adonis_schema (name text)')
    await client.query(`INSERT INTO adonis_schema VALUES ('${LATEST}')`)
    await client.end()
    const other = await WebProcess.start({ DATABASE_URL: urlOfDatabase(ASCII) })
    const readiness = await readinessOf(other)
    await other.stop()
    assert.deepEqual(readiness, unready('schema_behind', 'wrong_encoding'))
  })

  test('not ready, and why in the log, where the clock is ten minutes ahead', async ({
    assert,
  }) => {
    const other = await WebProcess.start({
      DATABASE_URL: urlOfDatabase(SCRATCH),
      LOG_LEVEL: 'error',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TEN_MINUTES_AHEAD)}`,
    })
    const readiness = await readinessOf(other)
    await other.stop()
    assert.deepEqual(readiness, unready('clock_differs'))
    assert.match(
      other.logged.find(({ msg }) => msg === 'clock differs')!.err!.message,
      /^The clock of this machine is (599|600) s ahead of PostgreSQL's/
    )
  })

  test('a clock that fits between question and answer does not differ', ({ assert }) => {
    const seconds = (value: number) => value * 1_000
    assert.equal(clockSkew(seconds(2), seconds(0), seconds(5)), 0)
    assert.equal(clockSkew(seconds(0), seconds(600), seconds(601)), seconds(600))
    assert.equal(clockSkew(seconds(31), seconds(0), seconds(1)), seconds(-30))
  })

  test('the figures of the example in the code', ({ assert }) => {
    const ours = ['1_a', '2_b', '3_c']
    assert.equal(schemaProblem(ours, ['1_a', '2_b']), 'schema_behind')
    assert.isNull(schemaProblem(ours, [...ours, '4_d']))
    assert.equal(schemaProblem(ours, ['1_a', '2b_b', '3_c']), 'schema_differs')
  })
})
