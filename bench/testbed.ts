import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { ace } from '../dev/application.ts'
import { testVariables, variablesOf } from '../dev/environment.ts'
import { log } from '../dev/output.ts'
import { root } from '../dev/paths.ts'
import { freePort } from '../dev/ports.ts'
import { type DatabaseUrls, inDatabase } from '../dev/postgres.ts'
import { untilReadyAt } from '../dev/readiness.ts'
import { startServices } from '../dev/start_services.ts'
import type { RunningProcess, Supervisor } from '../dev/supervisor.ts'
import type { Partner } from './generator/jobs.ts'
import { redisPid } from './redis_inspection.ts'
import { buildLargeHall, addEvents } from './scale.ts'

/** A database with its own web process. */
export interface Site {
  port: number
  webPid: number
  /** With the rights of the application. */
  databaseUrl: string
  ownerUrl: string
  redisUrl: string
  /** A connection of the owner. */
  database: pg.Client
  partners: { bulk: Partner; rival: Partner }
  /** An event that exists in both sites and is only read. */
  shownEvent: string
  /** An event whose sectors have a thousand seats, and one of these sectors. */
  seatsEvent: string
  sector: string
  /** Events whose seats the load sells. */
  soldEvents: string[]
  /** Somebody of the staff with all rights. */
  administrator: { email: string; password: string }
  /** Starts a worker of these queues, by default of all. */
  startWorker(queues?: string[]): Promise<RunningProcess>
  /** Settings for programs of the build that use this database. */
  environment: NodeJS.ProcessEnv
}

export interface Testbed {
  /** The sandbox and a few arenas. */
  small: Site
  /** A hundred times as many events, and a hall ten times as large. */
  large: Site
  postgresLog: string
  pids: { postgres: number; redis: number }
}

export interface TwinsOptions {
  supervisor: Supervisor
  directory: string
  /** The number of events on sale in the small site. */
  arenas: number
}

export interface TestbedOptions extends TwinsOptions {
  timesEvents: number
}

export const BUILD = join(root, 'build')
const LARGE = 'large'
const BULK_TITLE = 'Load'

/** Starts a durable PostgreSQL and Redis and, from the production build, two web processes with filled databases. */
export async function startTestbed(options: TestbedOptions): Promise<Testbed> {
  const { runner, services, large } = await prepareDatabases(options)
  log('Filling the two databases')
  const [smallSite, largeSite] = await Promise.all([
    startSmallSite(runner, services, options),
    startLargeSite(runner, large, options),
  ])
  return testbedOf(smallSite, largeSite, options.directory, services)
}

/** The same with two databases that differ in what `fill` puts into them and in nothing else. */
export async function startTwins(
  options: TwinsOptions,
  fill: (database: pg.Client, site: 'small' | 'large') => Promise<void>
): Promise<Testbed> {
  const { runner, services, large } = await prepareDatabases(options)
  const start = async (addresses: Addresses, site: 'small' | 'large') => {
    const database = await open(addresses.databaseUrls.owner)
    await fill(database, site)
    await database.end()
    return startSmallSite(runner, addresses, options)
  }
  const smallSite = await start(services, 'small')
  return testbedOf(smallSite, await start(large, 'large'), options.directory, services)
}

/** Two databases with the sandbox, and what runs the production build on them. */
async function prepareDatabases({ supervisor, directory }: TwinsOptions) {
  log('Building')
  await supervisor.run(ace('build', ['build'], process.env))
  // Not ephemeral: without fsync a sale would be cheaper than in production.
  const services = await startServices({ directory, ephemeral: false, supervisor })
  const common = {
    ...testVariables(services, directory, await freePort()),
    // Empty means the default; test settings turn it off.
    EXPORT_THROTTLE: '',
    NODE_ENV: 'production',
    DEPLOYMENT: 'sandbox',
    LOG_LEVEL: 'info',
  }
  const runner = new BuildRunner(supervisor, directory, common)
  await runner.command('migration:run', ['--force'], services.databaseUrls)
  await runner.command('sandbox:seed', [], services.databaseUrls)

  const { owner } = services.databaseUrls
  const maintenance = await open(inDatabase(services.databaseUrls, 'postgres').owner)
  await maintenance.query(`CREATE DATABASE ${LARGE} TEMPLATE ${new URL(owner).pathname.slice(1)}`)
  await maintenance.end()
  const large = {
    databaseUrls: inDatabase(services.databaseUrls, LARGE),
    redisUrl: `${services.redisUrl}/1`,
  }
  return { runner, services, large }
}

async function testbedOf(
  small: Site,
  large: Site,
  directory: string,
  { redisUrl }: Addresses
): Promise<Testbed> {
  const postgresLog = join(directory, 'postgres.log')
  const pids = { postgres: await postgresPid(small.database), redis: await redisPid(redisUrl) }
  return { small, large, postgresLog, pids }
}

interface Addresses {
  databaseUrls: DatabaseUrls
  redisUrl: string
}

async function startSmallSite(runner: BuildRunner, addresses: Addresses, { arenas }: TwinsOptions) {
  const database = await open(addresses.databaseUrls.owner)
  const { rows } = await database.query('SELECT hall_id FROM events WHERE id = $1', [arenaEvent()])
  for (let n = 0; n < arenas; n++) await runner.createEvent(rows[0].hall_id, addresses.databaseUrls)
  return finish(runner, addresses, database, arenaEvent())
}

async function startLargeSite(
  runner: BuildRunner,
  addresses: Addresses,
  { arenas, timesEvents }: TestbedOptions
) {
  const database = await open(addresses.databaseUrls.owner)
  const { rows } = await database.query<{ events: number }>(
    'SELECT count(*)::int AS events FROM events'
  )
  await addEvents(database, (rows[0].events + arenas) * timesEvents)
  const hall = await buildLargeHall(database)
  await runner.createEvent(hall, addresses.databaseUrls)
  return finish(runner, addresses, database)
}

async function finish(
  runner: BuildRunner,
  addresses: Addresses,
  database: pg.Client,
  shown?: string
): Promise<Site> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT id FROM events WHERE title ->> 'en' = $1 ORDER BY id`,
    [BULK_TITLE]
  )
  const soldEvents = rows.map(({ id }) => id)
  await database.query(
    `INSERT INTO event_grants (partner_id, event_id)
     SELECT p.id, e FROM partners p, unnest($1::text[]) e WHERE p.code IN ('bulk', 'rival')`,
    [soldEvents]
  )
  await analyseFilled(database)
  await database.query('CHECKPOINT')
  const partners = {
    bulk: await partner(database, 'bulk'),
    rival: await partner(database, 'rival'),
  }
  const { port, pid } = await runner.startWeb(addresses)
  const seatsEvent = shown ?? soldEvents[0]
  const sector = await firstSector(database, seatsEvent)
  const events = { shownEvent: arenaEvent(), seatsEvent, sector, soldEvents }
  const startWorker = (queues?: string[]) => runner.startWorker(addresses, queues)
  const environment = runner.environmentFor(addresses)
  const processes = { port, webPid: pid, startWorker, environment }
  const { databaseUrls, redisUrl } = addresses
  const { application: databaseUrl, owner: ownerUrl } = databaseUrls
  const { staff } = readSandbox()
  const administrator = staff.find(({ role }) => role === 'admin')!
  return {
    databaseUrl,
    ownerUrl,
    redisUrl,
    database,
    administrator,
    partners,
    ...events,
    ...processes,
  }
}

/**
 * Analyses the filled tables, as autovacuum would within a minute. Like autovacuum it leaves out empty tables: one that was
 * analysed while empty gets plans for an empty table.
 */
async function analyseFilled(database: pg.Client) {
  const { rows } = await database.query<{ tables: string | null }>(
    `SELECT string_agg(relid::regclass::text, ', ') AS tables FROM pg_stat_user_tables WHERE n_live_tup > 0`
  )
  await database.query(`VACUUM (ANALYZE) ${rows[0].tables}`)
}

async function firstSector(database: pg.Client, eventId: string) {
  const { rows } = await database.query<{ public_id: string }>(
    `SELECT s.public_id FROM sectors s JOIN events e USING (hall_id) WHERE e.id = $1 ORDER BY s.position LIMIT 1`,
    [eventId]
  )
  return rows[0].public_id
}

async function partner(database: pg.Client, code: string): Promise<Partner> {
  const { rows } = await database.query<{ id: number }>('SELECT id FROM partners WHERE code = $1', [
    code,
  ])
  const { api_key: apiKey, secret } = readSandbox().partners.find((each) => each.code === code)!
  return { id: rows[0].id, apiKey, secret }
}

/** Runs commands, web processes and workers of the production build. */
class BuildRunner {
  readonly #supervisor: Supervisor
  readonly #directory: string
  readonly #common: NodeJS.ProcessEnv

  constructor(supervisor: Supervisor, directory: string, common: NodeJS.ProcessEnv) {
    this.#supervisor = supervisor
    this.#directory = directory
    this.#common = common
  }

  command(name: string, args: string[], databaseUrls: DatabaseUrls) {
    const env = { ...this.#common, ...variablesOf(databaseUrls) }
    return this.#supervisor.run(ace(name.split(':')[0], [name, ...args], env, { cwd: BUILD }))
  }

  environmentFor({ databaseUrls, redisUrl }: Addresses) {
    return { ...this.#common, ...variablesOf(databaseUrls), REDIS_URL: redisUrl }
  }

  createEvent(hall: number, databaseUrls: DatabaseUrls) {
    const titles = ['ru', 'kk', 'en'].map((language) => `--title-${language}=${BULK_TITLE}`)
    const day = 24 * 3600 * 1000
    const at = (days: number) => new Date(Date.now() + days * day).toISOString()
    const times = [`--starts-at=${at(90)}`, `--sales-start-at=${at(-1)}`]
    const prices = ['standard', 'vip', 'fan'].map((code) => `--price=${code}:12000`)
    return this.command(
      'event:create',
      [String(hall), ...titles, ...times, ...prices],
      databaseUrls
    )
  }

  async startWeb({ databaseUrls, redisUrl }: Addresses) {
    const port = await freePort()
    const appUrl = `http://127.0.0.1:${port}`
    const places = {
      PORT: String(port),
      APP_URL: appUrl,
      DATABASE_URL: databaseUrls.application,
      REDIS_URL: redisUrl,
    }
    const output = { file: join(this.#directory, `web-${port}.log`) }
    const env = { ...this.#common, ...places }
    const web = await this.#supervisor.start(
      ace('web', [], env, { cwd: BUILD, args: ['bin/server.js'], output })
    )
    await Promise.race([untilReadyAt(appUrl), this.#supervisor.failWhenOneEnds()])
    return { port, pid: web.pid }
  }

  async startWorker({ databaseUrls, redisUrl }: Addresses, queues: string[] = []) {
    const places = {
      DATABASE_URL: databaseUrls.application,
      REDIS_URL: redisUrl,
      LOCAL_WEBHOOKS: 'true',
    }
    const output = { file: join(this.#directory, 'worker.log') }
    const command = ['queue:work', ...queues.map((queue) => `--queues=${queue}`)]
    const env = { ...this.#common, ...places }
    return this.#supervisor.start(ace('worker', command, env, { cwd: BUILD, output }))
  }
}

interface Sandbox {
  staff: { role: string; email: string; password: string }[]
  partners: { code: string; api_key: string; secret: string }[]
  events: { purpose: string; event_id: string }[]
}

const readSandbox = (): Sandbox => JSON.parse(readFileSync(join(BUILD, 'tmp/sandbox.json'), 'utf8'))

const arenaEvent = () => readSandbox().events.find(({ purpose }) => purpose === 'arena')!.event_id

async function open(connectionString: string) {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function postgresPid(database: pg.Client) {
  const { rows } = await database.query<{ text: string }>(
    `SELECT pg_read_file('postmaster.pid') AS text`
  )
  return Number.parseInt(rows[0].text)
}
