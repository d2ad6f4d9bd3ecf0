import { encryptSecret, newKeyPair } from '#partners/api_key'
import { sleep } from '#tests/functional/races/support/crowd'
import { DatabaseProxy } from '#tests/functional/races/support/database_proxy'
import { WebProcess, freePort } from '#tests/functional/races/support/web_process'
import {
  createDatabase,
  dropDatabase,
  ownerUrlOf,
  urlOfDatabase,
} from '#tests/support/other_database'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { SETTINGS } from '#start/settings'
import app from '@adonisjs/core/services/app'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import pg from 'pg'
import { start, startWeb, type Outcome } from './support.js'

const SCRATCH = 'start_checks'
const OTHER_KEY = 'another key of at least 32 characters'

/** Wrong at once, in the order of the report. */
const WRONG = {
  PORT: '99999',
  APP_URL: 'http://tickets.example.kz',
  LINK_KEY: 'short',
  DATABASE_URL: 'mysql://localhost/tickets',
  PLATFORM_PREFIX: 'tix',
  PLATFORM_BIN: '1',
  TRUSTED_PROXIES: '0.0.0.0/0',
  LOCAL_WEBHOOKS: 'true',
  METRICS_TOKEN: 'short',
  SESSION_DRIVER: 'memory',
}
const LIVE = { NODE_ENV: 'production', DEPLOYMENT: 'live' }

interface ProblemLine {
  level: string
  time: string
  setting?: string
  msg: string
}

/** The JSON lines of a start that failed; anything else that was printed fails the test. */
const problemsIn = ({ text }: Outcome): ProblemLine[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ProblemLine)

async function inScratch(sql: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: ownerUrlOf(SCRATCH) })
  await client.connect()
  const { rows } = await client.query(sql, values)
  await client.end()
  return rows
}

/** The report follows the table of settings. */
const TABLE = Object.keys(SETTINGS)
const byTable = (a: string, b: string) => TABLE.indexOf(a) - TABLE.indexOf(b)

test.group('Settings at the start', (group) => {
  const scratch = scratchDirectory(group)
  group.each.timeout(300_000)

  for (const [name, begin] of [
    ['web', startWeb],
    ['worker', (variables: NodeJS.ProcessEnv) => start(['queue:work'], variables)],
  ] as const) {
    test(`${name} ends with 1 and a JSON line for each wrong setting`, async ({ assert }) => {
      // Below a file no directory can be made, not even by root.
      const STORAGE_DIRECTORY = app.makePath('package.json', 'storage')
      const outcome = await begin({ ...LIVE, ...WRONG, STORAGE_DIRECTORY }).ended
      assert.equal(outcome.exitCode, 1, outcome.text)
      const problems = problemsIn(outcome)
      assert.deepEqual(
        problems.map(({ setting }) => setting),
        [...Object.keys(WRONG).toSorted(byTable), 'STORAGE_DIRECTORY']
      )
      for (const { level, time, setting, msg } of problems) {
        assert.equal(level, 'fatal')
        assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
        assert.include(msg, setting!)
      }
    })
  }

  test('a secret by file that is unreadable, empty or given twice ends the process', async ({
    assert,
  }) => {
    const empty = await scratch.write('empty', '\n')
    const key = await scratch.write('key', OTHER_KEY)
    const outcome = await startWeb({
      ...LIVE,
      APP_URL: 'https://tickets.example.kz',
      LOCAL_WEBHOOKS: 'false',
      SESSION_DRIVER: 'redis',
      APP_KEY_FILE: key,
      LINK_KEY: '',
      LINK_KEY_FILE: empty,
      REDIS_URL: '',
      REDIS_URL_FILE: scratch.at('missing'),
    }).ended
    assert.equal(outcome.exitCode, 1, outcome.text)
    const problems = problemsIn(outcome)
    assert.deepEqual(
      problems.map(({ setting }) => setting),
      ['APP_KEY_FILE', 'LINK_KEY_FILE', 'REDIS_URL_FILE']
    )
    assert.notInclude(outcome.text, OTHER_KEY)
  })

  test('a web process starts with every secret in a file', async ({ assert }) => {
    // Of those that these tests leave unset, a value that the process can start with.
    const others: NodeJS.ProcessEnv = {
      APP_PREVIOUS_KEYS: `${'a'.repeat(32)},${'b'.repeat(32)}`,
      LINK_PREVIOUS_KEYS: 'c'.repeat(32),
      STANDBY_DATABASE_URL: process.env.DATABASE_URL,
      REDIS_SENTINEL_PASSWORD: 'secret',
      SMTP_URL: 'smtp://user:secret@127.0.0.1:1',
    }
    const variables: NodeJS.ProcessEnv = { MAIL_FROM: 'tickets@example.kz' }
    for (const [name, rule] of Object.entries(SETTINGS)) {
      if (!('mayBeInFile' in rule)) continue
      const value = process.env[name] || others[name]
      assert.isOk(value, `${name} needs a value here`)
      variables[name] = ''
      variables[`${name}_FILE`] = await scratch.write(name, `${value}\n`)
    }
    const web = await WebProcess.start(variables)
    const metrics = await fetch(`${web.url}/metrics`, {
      headers: { Authorization: `Bearer ${process.env.METRICS_TOKEN}` },
    })
    assert.equal(metrics.status, 200)
    const ready = await fetch(`${web.url}/health/ready`)
    assert.equal(ready.status, 200)
    assert.equal(await web.stop(), 0)
  })

  test('in development the problems are plain lines', async ({ assert }) => {
    const { exitCode, text } = await startWeb({
      NODE_ENV: 'development',
      PORT: '99999',
      LINK_KEY: 'short',
    }).ended
    assert.equal(exitCode, 1)
    assert.equal(
      text,
      [
        'PORT must be a whole number from 1 to 65535',
        'LINK_KEY must have at least 32 characters (openssl rand -base64 32)',
        '',
      ].join('\n')
    )
  })
})

test.group('A port that is taken', (group) => {
  group.each.timeout(300_000)

  async function aTakenPort(cleanup: (act: () => void) => void) {
    const server = createServer().listen(0, '127.0.0.1')
    cleanup(() => void server.close())
    await once(server, 'listening')
    return String((server.address() as AddressInfo).port)
  }

  for (const [name, setting, begin] of [
    ['web', 'PORT', startWeb],
    ['worker', 'WORKER_PORT', (variables: NodeJS.ProcessEnv) => start(['queue:work'], variables)],
  ] as const) {
    test(`${name} ends with 1 and says which port`, async ({ assert, cleanup }) => {
      const port = await aTakenPort(cleanup)
      const variables = { NODE_ENV: 'production', LOG_LEVEL: 'fatal', [setting]: port }
      const outcome = await begin(variables).ended
      assert.equal(outcome.exitCode, 1, outcome.text)
      const [{ msg }] = problemsIn(outcome)
      assert.include(msg, `EADDRINUSE: address already in use 127.0.0.1:${port}`)
    })
  }
})

test.group('APP_KEY at the start', (group) => {
  group.setup(async () => {
    await createDatabase(SCRATCH)
    return () => dropDatabase(SCRATCH)
  })
  group.each.timeout(300_000)

  const ours = () => ({ DATABASE_URL: urlOfDatabase(SCRATCH), LOG_LEVEL: 'fatal' })
  const withOtherKey = () => ({ ...ours(), NODE_ENV: 'production', APP_KEY: OTHER_KEY })

  function assertRefused(assert: Assert, outcome: Outcome) {
    assert.equal(outcome.exitCode, 1, outcome.text)
    const [{ setting, msg }] = problemsIn(outcome)
    assert.equal(setting, 'APP_KEY')
    assert.match(msg, /another one than the data was encrypted with/)
  }

  test('after a first start, no process with another key starts', async ({ assert }) => {
    const web = await WebProcess.start(ours())
    await web.stop()
    assert.lengthOf(await inScratch('SELECT FROM app_key_canary'), 1)

    const port = { PORT: String(await freePort()) }
    assertRefused(assert, await startWeb({ ...withOtherKey(), ...port }).ended)
    assertRefused(assert, await start(['queue:work'], withOtherKey()).ended)
    assertRefused(assert, await start(['partner:key', 'kassa'], withOtherKey()).ended)
    const again = await WebProcess.start(ours())
    assert.equal(await again.stop(), 0)
  })

  test('secrets of a release without a canary are tried instead', async ({ assert }) => {
    await inScratch('DELETE FROM app_key_canary')
    const { apiKey, secret } = newKeyPair('sandbox')
    const [{ id }] = await inScratch(
      `INSERT INTO partners (code, name) VALUES ('kassa', 'Kassa') RETURNING id`
    )
    await inScratch(
      'INSERT INTO partner_keys (api_key, partner_id, secret_encrypted) VALUES ($1, $2, $3)',
      [apiKey, id, encryptSecret(apiKey, secret)]
    )
    const port = { PORT: String(await freePort()) }
    assertRefused(assert, await startWeb({ ...withOtherKey(), ...port }).ended)
    assert.lengthOf(await inScratch('SELECT FROM app_key_canary'), 0)
    const web = await WebProcess.start(ours())
    await web.stop()
    assert.lengthOf(await inScratch('SELECT FROM app_key_canary'), 1)
  })

  test('a process that starts without PostgreSQL ends when PostgreSQL is back', async ({
    assert,
    cleanup,
  }) => {
    const proxy = await DatabaseProxy.start()
    cleanup(() => proxy.stop())
    proxy.cut()
    const url = new URL(urlOfDatabase(SCRATCH))
    url.host = `127.0.0.1:${proxy.port}`
    const port = await freePort()
    const variables = { ...withOtherKey(), DATABASE_URL: url.href, PORT: String(port) }
    const { ended } = startWeb(variables)
    const isLive = () =>
      fetch(`http://127.0.0.1:${port}/health/live`).then(
        ({ ok }) => ok,
        () => false
      )
    while (!(await isLive())) await sleep(50)
    proxy.restore()
    assertRefused(assert, await ended)
  })
})
