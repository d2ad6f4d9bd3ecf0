import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { ace } from './application.ts'
import { LAST_RELEASE, RUN_SOURCES, unpackLastRelease } from './last_release.ts'
import { log, logError } from './output.ts'
import { untilReadyAt } from './readiness.ts'
import type { Supervisor } from './supervisor.ts'

/** With the last release, before its database is upgraded. */
const SALES = 3

/**
 * Functional tests of the last release that its processes must still pass on the new schema: during a rolling upgrade they go on
 * serving partners, gates and workers. Not those that compare the schema itself or plans of queries, need built pages, or record a
 * bank payment, which it cannot then (docs/production.md).
 */
const TESTS_OF_LAST_RELEASE = [
  'partner_api/',
  'sales/independent_approver.spec.ts',
  'sales/second_person.spec.ts',
  'sales/worked_examples.spec.ts',
  'catalog/',
  'partners/',
  'public_files/',
  'ledger/movements.spec.ts',
  'ledger/jobs.spec.ts',
  'races/orders.spec.ts',
  'races/events_and_sales.spec.ts',
  'races/twins.spec.ts',
  'defects/defects.spec.ts',
  'gate/gate_list.spec.ts',
  'gate/phone_scans.spec.ts',
  'gate/scans.spec.ts',
  'webhooks/deliveries.spec.ts',
  'webhooks/partner_news.spec.ts',
  'console/webhook_endpoint.spec.ts',
  'runs/runs.spec.ts',
  'worker/jobs.spec.ts',
]

/** All that `pg_dump --schema-only` writes, a line an object: the server of the tests brings no such program. */
const SCHEMA = `
  SELECT format('column %s.%s %s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
                CASE WHEN a.attnotnull THEN 'not null' END, a.attidentity::text || a.attgenerated::text,
                pg_get_expr(d.adbin, d.adrelid)) AS line
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT format('constraint %s %s %s', coalesce(conrelid::regclass::text, contypid::regtype::text), conname,
                          pg_get_constraintdef(oid))
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT 'index ' || pg_get_indexdef(indexrelid) || CASE WHEN NOT indisvalid THEN ' INVALID' ELSE '' END
    FROM pg_index JOIN pg_class i ON i.oid = indexrelid WHERE i.relnamespace = 'public'::regnamespace
  UNION ALL SELECT 'trigger ' || pg_get_triggerdef(t.oid) || ' ' || tgenabled::text
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
   WHERE c.relnamespace = 'public'::regnamespace AND NOT tgisinternal
  UNION ALL SELECT 'function ' || pg_get_functiondef(oid)
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
  UNION ALL SELECT format('view %s %s', oid::regclass, pg_get_viewdef(oid))
    FROM pg_class WHERE relnamespace IN ('public'::regnamespace, 'reports'::regnamespace) AND relkind IN ('v', 'm')
  UNION ALL SELECT format('right %s %s', c.oid::regclass, acl)
    FROM pg_class c, unnest(c.relacl) acl WHERE relnamespace IN ('public'::regnamespace, 'reports'::regnamespace)
  UNION ALL SELECT format('right %s.%s %s', a.attrelid::regclass, attname, acl)
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid, unnest(a.attacl) acl
   WHERE relnamespace = 'public'::regnamespace
  UNION ALL SELECT format('type %s %s', oid::regtype, format_type(typbasetype, typtypmod))
    FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype = 'd'
  UNION ALL SELECT format('sequence %s %s %s', sequencename, data_type, increment_by)
    FROM pg_sequences WHERE schemaname = 'public'
  UNION ALL SELECT format('option %s %s', oid::regclass, reloptions)
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND reloptions IS NOT NULL`

/** What a sale has written, and must be there afterwards. */
const SALES_WRITTEN = `
  SELECT (SELECT count(*) FROM orders WHERE stored_status = 'paid')::int AS paid_orders,
         (SELECT count(*) FROM tickets)::int AS tickets,
         (SELECT count(*) FROM journal WHERE name = 'order_confirmed')::int AS confirms,
         (SELECT count(*) FROM ledger_movements)::int AS movements`

/**
 * Installs the last release, upgrades its database while it sells tickets, and compares the schema with that of a fresh
 * installation; then this release must be ready on it, and the last one must pass its own tests on the new schema. Returns the
 * exit code.
 */
export async function checkUpgrade(
  supervisor: Supervisor,
  testEnv: NodeJS.ProcessEnv,
  directory: string
) {
  const release = unpackLastRelease(directory)
  const server = testEnv.OWNER_DATABASE_URL!
  const [upgraded, fresh] = await Promise.all(
    ['upgraded', 'fresh'].map((name) => createDatabase(server, name))
  )
  const named = (name: string) => ({
    DATABASE_URL: inDatabase(testEnv.DATABASE_URL!, name),
    OWNER_DATABASE_URL: inDatabase(server, name),
    REPORTS_DATABASE_URL: inDatabase(testEnv.REPORTS_DATABASE_URL!, name),
  })
  const env: NodeJS.ProcessEnv = {
    ...testEnv,
    NODE_ENV: 'production',
    SESSION_DRIVER: 'redis',
    LOG_LEVEL: 'error',
    ...named('upgraded'),
  }
  const migrate = ['migration:run', '--force', '--compact-output']
  // It has one role, which owns the tables.
  const shop = await openShop(supervisor, release, { ...env, DATABASE_URL: upgraded })
  for (let sale = 0; sale < SALES; sale++) await shop.sell()
  const before = await salesIn(upgraded)
  log(`${LAST_RELEASE.version} has written ${JSON.stringify(before)}`)
  const meanwhile = await sellWhile(shop, supervisor.run(ace('upgrade', migrate, env)))
  log(
    `${LAST_RELEASE.version} has sold ${meanwhile} times during the migrations, and once after them`
  )
  await shop.close()

  await supervisor.run(ace('fresh', migrate, { ...env, ...named('fresh') }))
  const web = await supervisor.start(ace('web', [], env, { args: RUN_SOURCES }))
  await Promise.race([untilReadyAt(env.APP_URL!), supervisor.failWhenOneEnds()])
  await web.stop()

  const differences = await differencesOf(upgraded, fresh)
  for (const line of differences) logError(line)
  const after = await salesIn(upgraded)
  const growth = (SALES + meanwhile + 1) / SALES
  const isKept = Object.entries(before).every(([what, count]) => after[what] === count * growth)
  if (!isKept) logError(`After the upgrade: ${JSON.stringify(after)}`)
  if (differences.length > 0 || !isKept) return 1
  log('The upgraded database has the schema and the rights of a fresh one, and all sales')
  return testLastRelease(supervisor, release, { ...testEnv, DATABASE_URL: fresh })
}

/** Its tests give attempts another time; the database keeps what was sent since, but in such a statement of the owner. */
const WITHOUT_TRIGGERS =
  "WITH free AS (SELECT set_config('session_replication_role', 'replica', true)) UPDATE confirm_attempts SET $1 FROM free WHERE"
const TESTS_THAT_CHANGE_ATTEMPTS = ['defects/defects.spec.ts', 'partners/confirm_health.spec.ts']

/** Runs tests of the last release in a database that the migrations of this one have made. Returns the exit code. */
async function testLastRelease(supervisor: Supervisor, cwd: string, env: NodeJS.ProcessEnv) {
  // Before its tests it would run its own migrations, and after them undo all, also later ones, whose files it lacks.
  rewrite(join(cwd, 'tests/bootstrap.ts'), /setup: \[.*migrate\(\)\]/, 'setup: []')
  for (const spec of TESTS_THAT_CHANGE_ATTEMPTS)
    rewrite(
      join(cwd, 'tests/functional', spec),
      /UPDATE confirm_attempts SET (.+?) WHERE/,
      WITHOUT_TRIGGERS
    )
  const files = TESTS_OF_LAST_RELEASE.map((path) => `--files=${path}`)
  const command = ['test', '--no-clear', 'functional', ...files]
  const tests = await supervisor.start(
    ace('last release', command, env, { cwd, output: 'inherit', graceMs: 3_000 })
  )
  const { code } = await tests.ended
  log(`${LAST_RELEASE.version} on the new schema: ${code === 0 ? 'its tests pass' : 'tests fail'}`)
  return code ?? 1
}

function rewrite(file: string, what: RegExp, by: string) {
  const source = readFileSync(file, 'utf8')
  if (!what.test(source)) throw new Error(`${file} has no ${what.source}`)
  writeFileSync(file, source.replace(what, by))
}

interface Shop {
  /** Books, orders, confirms and fetches the tickets; fails when one of them is refused. */
  sell: () => Promise<void>
  close: () => Promise<void>
}

/** The last release with its sandbox, selling through the client that it publishes. */
async function openShop(
  supervisor: Supervisor,
  cwd: string,
  env: NodeJS.ProcessEnv
): Promise<Shop> {
  const sandboxFile = join(cwd, 'sandbox.json')
  await supervisor.run(
    ace('install', ['migration:run', '--force', '--compact-output'], env, { cwd })
  )
  await supervisor.run(ace('seed', ['sandbox:seed', `--file=${sandboxFile}`], env, { cwd }))
  const web = await supervisor.start(ace('release', [], env, { cwd, args: RUN_SOURCES }))
  await Promise.race([untilReadyAt(env.APP_URL!), supervisor.failWhenOneEnds()])
  const sandbox = JSON.parse(readFileSync(sandboxFile, 'utf8')) as {
    partners: { api_key: string; secret: string }[]
  }
  const partner = {
    PARTNER_BASE_URL: `${env.APP_URL}/api/v1/partners`,
    PARTNER_API_KEY: sandbox.partners[0].api_key,
    PARTNER_SECRET: sandbox.partners[0].secret,
  }
  const sell = () =>
    supervisor.run({
      name: 'sale',
      command: process.execPath,
      args: ['docs/api/examples/first_ticket.mjs'],
      cwd,
      env: { ...env, ...partner },
      output: { file: join(cwd, 'sales.log') },
    })
  return { sell, close: () => web.stop() }
}

/** Sells until the work is done, and once more. Returns how many sales there were meanwhile. */
async function sellWhile({ sell }: Shop, work: Promise<void>) {
  let isDone = false
  let sales = 0
  const keepSelling = async () => {
    for (; !isDone; sales++) await sell()
  }
  await Promise.all([work.finally(() => (isDone = true)), keepSelling()])
  await sell()
  return sales
}

async function createDatabase(server: string, name: string) {
  await rowsOf(server, `CREATE DATABASE ${name}`)
  return inDatabase(server, name)
}

function inDatabase(address: string, name: string) {
  const url = new URL(address)
  url.pathname = `/${name}`
  return url.href
}

async function salesIn(url: string) {
  const [row] = await rowsOf(url, SALES_WRITTEN)
  return row as Record<string, number>
}

async function rowsOf(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return rows
  } finally {
    await client.end()
  }
}

async function differencesOf(upgraded: string, fresh: string) {
  const [ours, theirs] = await Promise.all(
    [upgraded, fresh].map(async (url) => {
      const rows = await rowsOf(url, SCHEMA)
      return new Set(rows.map(({ line }) => String(line)))
    })
  )
  return [
    ...[...ours.difference(theirs)].map((line) => `only after the upgrade: ${line}`),
    ...[...theirs.difference(ours)].map((line) => `only in a fresh database: ${line}`),
  ]
}
