import env from '#start/env'
import { WebProcess, freePort } from '#tests/functional/races/support/web_process'
import { RedisProcess } from '#tests/functional/races/support/redis_process'
import { sleep } from '#tests/functional/races/support/crowd'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { test } from '@japa/runner'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { start, startWeb, type Outcome } from './support.js'

/** The address of the tests' database, with these parts of it changed. */
function databaseWith(
  parts: Partial<Record<'host' | 'username' | 'password' | 'pathname', string>>
) {
  const url = new URL(env.get('DATABASE_URL'))
  Object.assign(url, parts)
  return url.href
}

const DEPLOYED = { NODE_ENV: 'production', LOG_LEVEL: 'fatal' }

/** The first line of the start that failed. */
const problemOf = ({ text }: Outcome) =>
  JSON.parse(text.trimEnd().split('\n')[0]) as { level: string; setting: string; msg: string }

/** How a web process and a worker end that are started so. */
async function endingsOf(variables: NodeJS.ProcessEnv) {
  const given = { ...DEPLOYED, ...variables }
  const web = startWeb({ ...given, PORT: String(await freePort()) })
  const outcomes = await Promise.all([web.ended, start(['queue:work'], given).ended])
  return outcomes.map((outcome) => ({ ...outcome, problem: problemOf(outcome) }))
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

test.group('Servers that are not what a setting says', (group) => {
  const scratch = scratchDirectory(group)
  group.each.timeout(150_000)

  /** `redis-server` with these lines in its file. */
  async function aServer(
    cleanup: (act: () => Promise<void>) => void,
    lines: string[],
    ...args: string[]
  ) {
    const port = await freePort()
    const file = scratch.at(`server_${port}.conf`)
    writeFileSync(file, [`port ${port}`, `dir ${scratch.path}`, ...lines, ''].join('\n'))
    const child = spawn(process.env.REDIS_SERVER ?? 'redis-server', [file, ...args], {
      stdio: 'ignore',
    })
    cleanup(async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    })
    while (!(await isListening(port))) await sleep(20)
    return port
  }

  test('a replica of Redis ends the process with the name of the setting', async ({
    assert,
    cleanup,
  }) => {
    const primary = await RedisProcess.start()
    cleanup(() => primary.kill())
    const port = await aServer(cleanup, [`replicaof 127.0.0.1 ${primary.port}`])
    const variables = {
      ...DEPLOYED,
      REDIS_URL: `redis://127.0.0.1:${port}`,
      PORT: String(await freePort()),
    }
    const outcome = await startWeb(variables).ended
    assert.equal(outcome.exitCode, 1, outcome.text)
    assert.containsSubset(problemOf(outcome), { level: 'fatal', setting: 'REDIS_URL' })
  })

  // The user `reader` may sign in, but not ask for the role.
  const USERS = ['requirepass right', 'user reader on >right ~* +get']

  for (const [problem, credentials, message] of [
    ['without a password', '', /^REDIS_URL: NOAUTH /],
    ['with another password', ':another@', /^REDIS_URL: WRONGPASS /],
    ['with a user who lacks rights', 'reader:right@', /^REDIS_URL: NOPERM /],
  ] as const)
    test(`REDIS_URL ${problem} ends web and worker`, async ({ assert, cleanup }) => {
      const port = await aServer(cleanup, USERS)
      const REDIS_URL = `redis://${credentials}127.0.0.1:${port}`
      for (const { exitCode, text, problem: found } of await endingsOf({ REDIS_URL })) {
        assert.equal(exitCode, 1, text)
        assert.equal(found.setting, 'REDIS_URL')
        assert.match(found.msg, message)
        assert.notInclude(text, 'another')
      }
    })

  test('with Sentinel, the passwords of the Sentinels and of the primary are tried', async ({
    assert,
    cleanup,
  }) => {
    const primary = await aServer(cleanup, USERS)
    const watched = [
      `sentinel monitor tickets 127.0.0.1 ${primary} 1`,
      'sentinel auth-pass tickets right',
      'requirepass sentinels',
    ]
    const sentinel = await aServer(cleanup, watched, '--sentinel')
    const changed = await aServer(
      cleanup,
      [...watched.slice(0, 2), 'requirepass changed'],
      '--sentinel'
    )
    const endOf = async (variables: NodeJS.ProcessEnv) => {
      const outcome = await startWeb({
        ...DEPLOYED,
        REDIS_URL: 'redis://:right@127.0.0.1:1',
        REDIS_SENTINEL_NAME: 'tickets',
        PORT: String(await freePort()),
        ...variables,
      }).ended
      assert.equal(outcome.exitCode, 1, outcome.text)
      return problemOf(outcome)
    }

    for (const [password, message] of [
      ['', /^REDIS_SENTINEL_PASSWORD: NOAUTH /],
      ['another', /^REDIS_SENTINEL_PASSWORD: WRONGPASS /],
    ] as const) {
      const { setting, msg } = await endOf({
        REDIS_SENTINELS: `127.0.0.1:${sentinel}`,
        REDIS_SENTINEL_PASSWORD: password,
      })
      assert.equal(setting, 'REDIS_SENTINEL_PASSWORD')
      assert.match(msg, message)
    }
    // A Sentinel that refuses is passed over while another one answers: it leads to the primary, which refuses.
    const { setting, msg } = await endOf({
      REDIS_SENTINELS: `127.0.0.1:${changed},127.0.0.1:${sentinel}`,
      REDIS_SENTINEL_PASSWORD: 'sentinels',
      REDIS_URL: 'redis://:another@127.0.0.1:1',
    })
    assert.equal(setting, 'REDIS_URL')
    assert.match(msg, /^REDIS_URL: WRONGPASS /)
  })

  test('a Redis that accepts connections and never answers is no reason not to start', async ({
    assert,
    cleanup,
  }) => {
    const redis = await RedisProcess.start()
    cleanup(() => redis.kill())
    redis.freeze()
    const web = await WebProcess.start({ REDIS_URL: `redis://:any@127.0.0.1:${redis.port}` })
    const { status } = await fetch(`${web.url}/health/live`)
    assert.equal(status, 200)
    redis.thaw()
    await web.stop()
  })

  test('a name that no Sentinel knows ends web and worker; a known one is followed', async ({
    assert,
    cleanup,
  }) => {
    const primary = await RedisProcess.start()
    cleanup(() => primary.kill())
    const watched = `sentinel monitor tickets 127.0.0.1 ${primary.port} 1`
    const port = await aServer(cleanup, [watched], '--sentinel')
    const sentinels = {
      ...DEPLOYED,
      // Nobody listens there: only the Sentinel says where Redis is.
      REDIS_URL: 'redis://127.0.0.1:1',
      REDIS_SENTINELS: `127.0.0.1:${port}`,
      PORT: String(await freePort()),
    }
    for (const begin of [startWeb, (given: NodeJS.ProcessEnv) => start(['queue:work'], given)]) {
      const outcome = await begin({ ...sentinels, REDIS_SENTINEL_NAME: 'ticktes' }).ended
      assert.equal(outcome.exitCode, 1, outcome.text)
      assert.containsSubset(problemOf(outcome), { setting: 'REDIS_SENTINEL_NAME' })
    }
    const { child, ended } = startWeb({ ...sentinels, REDIS_SENTINEL_NAME: 'tickets' })
    const ready = () =>
      fetch(`http://127.0.0.1:${sentinels.PORT}/health/ready`).then(
        async (response) => (await response.json()) as { redis: boolean },
        () => null
      )
    let answer = await ready()
    while (!answer && child.exitCode === null) {
      await sleep(50)
      answer = await ready()
    }
    child.kill('SIGTERM')
    await ended
    assert.isTrue(answer?.redis)
  })

  for (const [problem, parts, message] of [
    [
      'another password',
      { password: 'another' },
      /password authentication failed for user "tickets_app"/,
    ],
    ['a database that is not there', { pathname: '/nowhere' }, /database "nowhere" does not exist/],
    [
      'a role that reads no table',
      { username: 'tickets_reports' },
      /the role tickets_reports can't read what invariants check \(SELECT on /,
    ],
  ] as const)
    test(`STANDBY_DATABASE_URL with ${problem} ends web and worker`, async ({ assert }) => {
      const STANDBY_DATABASE_URL = databaseWith(parts)
      for (const { exitCode, text, problem: found } of await endingsOf({ STANDBY_DATABASE_URL })) {
        assert.equal(exitCode, 1, text)
        assert.equal(found.setting, 'STANDBY_DATABASE_URL')
        assert.match(found.msg, message)
      }
    })

  for (const [problem, parts, message] of [
    ['does not answer', { host: '127.0.0.1:1' }, /the standby does not answer/],
    ['has become the primary', {}, /leads to a primary/],
  ] as const)
    test(`a standby that ${problem} is warned of, and keeps nobody from selling`, async ({
      assert,
    }) => {
      const web = await WebProcess.start({
        LOG_LEVEL: 'warn',
        STANDBY_DATABASE_URL: databaseWith(parts),
      })
      const warned = web.logged.filter(({ setting }) => setting === 'STANDBY_DATABASE_URL')
      assert.equal(await web.stop(), 0)
      assert.lengthOf(warned, 1)
      assert.equal(warned[0].level, 'warn')
      assert.match(warned[0].msg, message)
    })

  test('Sentinels without a name, and a place without a port, are refused', async ({ assert }) => {
    const outcome = await startWeb({ ...DEPLOYED, REDIS_SENTINELS: 'sentinel' }).ended
    assert.equal(outcome.exitCode, 1)
    const settings = outcome.text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { setting: string }).setting)
    assert.deepEqual(settings, ['REDIS_SENTINELS', 'REDIS_SENTINEL_NAME'])
  })
})
