import env from '#start/env'
import { sleep } from '#tests/functional/races/support/crowd'
import { WebProcess, freePort } from '#tests/functional/races/support/web_process'
import { Authority } from '#tests/support/certificates'
import { maintain } from '#tests/support/other_database'
import { ownerRows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { test } from '@japa/runner'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { startWeb } from './support.js'

/** In the data directory of the tests' PostgreSQL. */
const CERTIFICATE = 'encrypted_connections.pem'
const KEY = 'encrypted_connections.key'

interface Pair {
  cert: string
  key: string
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('connect', () => socket.destroy())
    socket.once('error', () => resolve(false))
  })

/** The tests' PostgreSQL takes TLS connections, too, with this certificate, until the test ends. */
async function encryptPostgres({ cert, key }: Pair, cleanup: (act: () => Promise<void>) => void) {
  const [{ directory }] = await ownerRows(`SELECT current_setting('data_directory') AS directory`)
  const owner = await stat(directory as string)
  const files = [CERTIFICATE, KEY].map((name) => join(directory as string, name))
  for (const [index, content] of [cert, key].entries()) {
    await writeFile(files[index], content, { mode: 0o600 })
    await chown(files[index], owner.uid, owner.gid)
  }
  cleanup(async () => {
    for (const setting of ['ssl', 'ssl_cert_file', 'ssl_key_file'])
      await maintain(`ALTER SYSTEM RESET ${setting}`)
    await maintain('SELECT pg_reload_conf()')
    for (const file of files) await rm(file)
  })
  await maintain(`ALTER SYSTEM SET ssl_cert_file = '${CERTIFICATE}'`)
  await maintain(`ALTER SYSTEM SET ssl_key_file = '${KEY}'`)
  await maintain('ALTER SYSTEM SET ssl = on')
  await maintain('SELECT pg_reload_conf()')
  const isOn = async () => {
    const [{ ssl }] = await ownerRows(`SELECT current_setting('ssl') AS ssl`)
    return ssl === 'on'
  }
  while (!(await isOn())) await sleep(20)

  const url = new URL(env.get('DATABASE_URL'))
  url.hostname = 'localhost'
  url.searchParams.set('sslmode', 'verify-full')
  return url.href
}

test.group('Encrypted connections', (group) => {
  const scratch = scratchDirectory(group)
  group.each.timeout(150_000)
  const authority = new Authority()
  group.teardown(() => authority.remove())

  /** A Redis that speaks nothing but TLS. */
  async function encryptedRedis({ cert, key }: Pair, cleanup: (act: () => Promise<void>) => void) {
    const port = await freePort()
    const settings = {
      'port': 0,
      'tls-port': port,
      'tls-cert-file': await scratch.write('redis.pem', cert),
      'tls-key-file': await scratch.write('redis.key', key),
      'tls-auth-clients': 'no',
      'bind': '127.0.0.1',
      'save': '',
    }
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
    const child = spawn(process.env.REDIS_SERVER ?? 'redis-server', args, {
      stdio: 'ignore',
      cwd: scratch.path,
    })
    cleanup(async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    })
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error('redis-server was built without TLS')
      await sleep(20)
    }
    return `rediss://localhost:${port}`
  }

  const trusting = async () => ({
    NODE_EXTRA_CA_CERTS: await scratch.write('ca.pem', authority.certificate),
  })

  test('PostgreSQL with verify-full and Redis with rediss:// are ready', async ({
    assert,
    cleanup,
  }) => {
    const ours = authority.issue({ name: 'DNS:localhost', days: 1 })
    const DATABASE_URL = await encryptPostgres(ours, cleanup)
    const web = await WebProcess.start({
      ...(await trusting()),
      DATABASE_URL,
      REDIS_URL: await encryptedRedis(ours, cleanup),
    })
    const ready = await fetch(`${web.url}/health/ready`)
    const answer = await ready.json()
    const connections = await ownerRows(
      `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
        WHERE application_name = 'ticket-partners' AND usename = 'tickets_app' AND ssl`
    )
    await web.stop()
    assert.deepEqual(answer, { status: 'ready', postgres: true, redis: true })
    assert.isNotEmpty(connections)
  })

  for (const [problem, name, isTrusted] of [
    ['that an unknown authority has signed', 'DNS:localhost', false],
    ['for another name', 'DNS:other.example', true],
  ] as const)
    test(`a certificate ${problem} ends the process with the name of the setting`, async ({
      assert,
      cleanup,
    }) => {
      const pair = authority.issue({ name, days: 1 })
      const addresses = {
        DATABASE_URL: await encryptPostgres(pair, cleanup),
        REDIS_URL: await encryptedRedis(pair, cleanup),
      }
      for (const setting of ['DATABASE_URL', 'REDIS_URL'] as const) {
        const outcome = await startWeb({
          NODE_ENV: 'production',
          LOG_LEVEL: 'fatal',
          PORT: String(await freePort()),
          ...(isTrusted && (await trusting())),
          [setting]: addresses[setting],
        }).ended
        assert.equal(outcome.exitCode, 1, outcome.text)
        const [line] = outcome.text.split('\n')
        const said = JSON.parse(line) as { setting: string; msg: string }
        assert.equal(said.setting, setting)
        assert.match(said.msg, isTrusted ? /other\.example/ : /certificate/)
      }
    })
})
