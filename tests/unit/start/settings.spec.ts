import { NODE_MAJOR, nodeProblem } from '#start/checks'
import { SETTINGS } from '#start/settings'
import { Secret } from '@adonisjs/core/helpers'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

const ROOT = new URL('../../../', import.meta.url)
const KEY = 'k'.repeat(32)

type Name = keyof typeof SETTINGS

/** Reads one setting by its rule, in a deployment of this kind. */
function read(name: Name, text: string, deployment = 'sandbox', others: object = {}) {
  const before = { ...process.env }
  Object.assign(process.env, { DEPLOYMENT: deployment }, others)
  try {
    const value = SETTINGS[name](name, text)
    return value instanceof Secret ? value.release() : value
  } finally {
    for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key]
    Object.assign(process.env, before)
  }
}

const WRONG: [Name, string, string][] = [
  ['NODE_ENV', 'prod', 'NODE_ENV must be one of development, production, test'],
  ['HOST', 'not a host', 'HOST must be an address or a host name'],
  ['PORT', '99999', 'PORT must be a whole number from 1 to 65535'],
  ['PORT', '0', 'PORT must be a whole number from 1 to 65535'],
  ['PORT', '', 'PORT is not set'],
  ['WORKER_PORT', '-1', 'WORKER_PORT must be a whole number from 1 to 65535'],
  ['APP_URL', 'ftp://tickets.kz', 'APP_URL must be a URL of the form http://… or https://…'],
  ...['https://tickets.kz/shop', 'https://tickets.kz/?a=b', 'https://me:word@tickets.kz'].map(
    (url): [Name, string, string] => [
      'APP_URL',
      url,
      'APP_URL must have a host, perhaps a port, and nothing else',
    ]
  ),
  [
    'ON_DUTY_EMAILS',
    'anna@example.kz, bolat',
    'ON_DUTY_EMAILS must be addresses separated by commas',
  ],
  ['APP_KEY', 'k'.repeat(31), 'APP_KEY must have at least 32 characters (openssl rand -base64 32)'],
  ['APP_KEY', '', 'APP_KEY is not set'],
  ['LINK_KEY', 'short', 'LINK_KEY must have at least 32 characters (openssl rand -base64 32)'],
  [
    'METRICS_TOKEN',
    'short',
    'METRICS_TOKEN must have at least 32 characters (openssl rand -base64 32)',
  ],
  [
    'DATABASE_URL',
    'mysql://localhost/tickets',
    'DATABASE_URL must be a URL of the form postgres://… or postgresql://…',
  ],
  [
    'DATABASE_URL',
    'postgres://localhost',
    'DATABASE_URL must end with the name of a database: postgres://…/tickets',
  ],
  ['REDIS_URL', 'localhost:6379', 'REDIS_URL must be a URL of the form redis://… or rediss://…'],
  ['DB_POOL_MAX', '1', 'DB_POOL_MAX must be a whole number from 2 to 1000'],
  ['CONTRACT_PHASE', '3', 'CONTRACT_PHASE must be a whole number from 1 to 2'],
  [
    'PLATFORM_PREFIX',
    'tix',
    'PLATFORM_PREFIX must be 2 to 10 capital letters and digits, a letter first',
  ],
  [
    'PLATFORM_PREFIX',
    'T',
    'PLATFORM_PREFIX must be 2 to 10 capital letters and digits, a letter first',
  ],
  ...['12345678901', '170240054321'].map((bin): [Name, string, string] => [
    'PLATFORM_BIN',
    bin,
    'PLATFORM_BIN must be 12 digits with the control digit of a BIN',
  ]),
  ['SESSION_DRIVER', 'file', 'SESSION_DRIVER must be one of redis, memory'],
  ['WEBHOOK_RETENTION_DAYS', '6', 'WEBHOOK_RETENTION_DAYS must be a whole number from 7 to 730'],
  ['RUN_RETENTION_DAYS', '0', 'RUN_RETENTION_DAYS must be a whole number from 1 to 3650'],
  ['MEMO_LIMIT_TENGE', '1.5', 'MEMO_LIMIT_TENGE must be a whole number from 0 to 1000000000000'],
  ['VAT_LIMIT_PERCENT', '101', 'VAT_LIMIT_PERCENT must be a number from 0 to 100'],
  ['SECOND_PERSON', 'yes', 'SECOND_PERSON must be true or false'],
  ['SMTP_URL', 'http://mail', 'SMTP_URL must be smtp://host:port or smtps://host:port'],
  ['MAIL_FROM', 'nobody', 'MAIL_FROM must be an address, or "Name <address>"'],
  ['TRUSTED_PROXIES', 'nginx', 'TRUSTED_PROXIES has nginx, which is no address or CIDR range'],
]

const WORLD = ['0.0.0.0/0', '::/0', '10.0.0.0/7', '2000::/3', '::ffff:0:0/96', '10.0.0.1,0.0.0.0/1']

test.group('Settings', () => {
  for (const [name, text, message] of WRONG) {
    test(`${name}=${text} is refused`, ({ assert }) => {
      assert.throws(() => read(name, text), message)
    })
  }

  for (const range of WORLD) {
    test(`TRUSTED_PROXIES=${range} is refused: it has more than own proxies`, ({ assert }) => {
      assert.throws(
        () => read('TRUSTED_PROXIES', range),
        /^TRUSTED_PROXIES has \S+, which is more than your own proxies: every client could/
      )
    })
  }

  test('a live deployment needs https and must not set what is for development', ({ assert }) => {
    assert.equal(read('APP_URL', 'http://tickets.kz'), 'http://tickets.kz')
    assert.equal(read('APP_URL', 'https://tickets.kz', 'live'), 'https://tickets.kz')
    assert.throws(
      () => read('APP_URL', 'http://tickets.kz', 'live'),
      'APP_URL must begin with https:// on a live deployment'
    )
    for (const name of ['LOCAL_WEBHOOKS', 'SMTP_ANY_CERTIFICATE'] as const) {
      assert.isTrue(read(name, 'true'))
      assert.isFalse(read(name, 'false', 'live'))
      assert.throws(
        () => read(name, 'true', 'live'),
        `${name} is for development: a live deployment must not set it`
      )
    }
  })

  test('sessions of a live deployment are in Redis', ({ assert }) => {
    assert.equal(read('SESSION_DRIVER', 'memory'), 'memory')
    assert.equal(read('SESSION_DRIVER', 'redis', 'live'), 'redis')
    assert.isUndefined(read('SESSION_DRIVER', '', 'live'))
    assert.throws(
      () => read('SESSION_DRIVER', 'memory', 'live'),
      'SESSION_DRIVER must be redis on a live deployment: memory is for tests'
    )
  })

  test('SMTP_URL and MAIL_FROM belong together', ({ assert }) => {
    assert.throws(
      () => read('MAIL_FROM', '', 'sandbox', { SMTP_URL: 'smtp://mail:25' }),
      'MAIL_FROM is not set, but SMTP_URL is: set both, or neither'
    )
    assert.throws(
      () => read('SMTP_URL', '', 'sandbox', { MAIL_FROM: 'tickets@example.kz' }),
      'SMTP_URL is not set, but MAIL_FROM is: set both, or neither'
    )
  })

  test('correct values are read, and empty optional ones count as none', ({ assert }) => {
    assert.equal(read('LINK_KEY', KEY), KEY)
    assert.equal(read('PORT', '3333'), 3333)
    assert.equal(read('PLATFORM_BIN', '971240001315'), '971240001315')
    for (const url of ['https://tickets.kz/', 'http://localhost:4000', 'https://билеты.kz:443'])
      assert.equal(read('APP_URL', url), url)
    assert.equal(read('ON_DUTY_EMAILS', 'anna@example.kz,'), 'anna@example.kz,')
    assert.equal(read('COMMISSION_LIMIT_PERCENT', '12.5'), 12.5)
    const proxies = '10.0.0.0/8, 127.0.0.1,fc00::/7,::ffff:10.0.0.0/104'
    assert.equal(read('TRUSTED_PROXIES', proxies), proxies)
    assert.isUndefined(read('WORKER_PORT', ''))
    assert.isUndefined(read('METRICS_TOKEN', ''))
  })

  test('no message has the value of a secret', ({ assert }) => {
    const secrets: [Name, string][] = [
      ['APP_KEY', 'hunter2'],
      ['METRICS_TOKEN', 'hunter2'],
      ['DATABASE_URL', 'mysql://tickets:hunter2@localhost/tickets'],
      ['REDIS_URL', 'http://:hunter2@localhost'],
      ['SMTP_URL', 'http://user:hunter2@mail'],
    ]
    for (const [name, text] of secrets) {
      try {
        read(name, text)
        assert.fail(`${name} was accepted`)
      } catch (error) {
        assert.notInclude((error as Error).message, 'hunter2')
      }
    }
  })

  test('a secret may be the content of a file', ({ assert }) => {
    const path = join(tmpdir(), `setting-${randomUUID()}`)
    writeFileSync(path, `${KEY}\n`)
    try {
      assert.equal(read('APP_KEY', '', 'sandbox', { APP_KEY_FILE: path }), KEY)
      assert.equal(read('METRICS_TOKEN', '', 'sandbox', { METRICS_TOKEN_FILE: path }), KEY)
      assert.throws(
        () => read('APP_KEY', KEY, 'sandbox', { APP_KEY_FILE: path }),
        'APP_KEY_FILE is set, and APP_KEY too: set one of them'
      )
      writeFileSync(path, ' \n')
      assert.throws(
        () => read('METRICS_TOKEN', '', 'sandbox', { METRICS_TOKEN_FILE: path }),
        `METRICS_TOKEN_FILE names ${path}, which is empty`
      )
      writeFileSync(path, 'hunter2')
      assert.throws(
        () => read('APP_KEY', '', 'sandbox', { APP_KEY_FILE: path }),
        'APP_KEY must have at least 32 characters (openssl rand -base64 32)'
      )
    } finally {
      rmSync(path)
    }
    assert.throws(
      () => read('DATABASE_URL', '', 'sandbox', { DATABASE_URL_FILE: path }),
      `DATABASE_URL_FILE names ${path}, which can't be read (ENOENT)`
    )
    assert.throws(
      () => read('MAIL_FROM', '', 'sandbox', { SMTP_URL_FILE: path }),
      'MAIL_FROM is not set, but SMTP_URL is: set both, or neither'
    )
  })

  test('former keys are separated by commas or lines, each long enough', ({ assert }) => {
    const keys = (text: string) => SETTINGS.LINK_PREVIOUS_KEYS('LINK_PREVIOUS_KEYS', text)
    const other = 'o'.repeat(32)
    for (const text of [`${KEY},${other}`, `${KEY}\n${other}\n`])
      assert.deepEqual(
        keys(text)?.map((key) => key.release()),
        [KEY, other]
      )
    assert.isUndefined(keys(''))
    assert.throws(
      () => keys(`${KEY},short`),
      'LINK_PREVIOUS_KEYS must have at least 32 characters (openssl rand -base64 32)'
    )
  })

  test('.env.example has every setting, and keeps every rule once its secrets are filled in', ({
    assert,
  }) => {
    const example = parseEnv(readFileSync(new URL('.env.example', ROOT), 'utf8'))
    const names = Object.keys(SETTINGS) as Name[]
    assert.includeMembers(Object.keys(example), names)
    const generated = { APP_KEY: KEY, LINK_KEY: KEY }
    const services = {
      DATABASE_URL: 'postgres://localhost/tickets',
      REDIS_URL: 'redis://localhost',
    }
    const values: Record<string, string | undefined> = { ...example, ...generated, ...services }
    for (const name of names) assert.doesNotThrow(() => read(name, values[name] ?? ''))
  })
})

test.group("Node's version", () => {
  test('an older one is refused, with the version that is needed', ({ assert }) => {
    assert.deepEqual(nodeProblem('20.20.2'), {
      message: 'Node 24 or later is needed; this is 20.20.2',
    })
    assert.isUndefined(nodeProblem('24.0.0'))
    assert.isUndefined(nodeProblem('30.1.0'))
  })

  test('is that of package.json', ({ assert }) => {
    const { engines } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))
    assert.equal(engines.node, `>=${NODE_MAJOR}`)
  })
})
