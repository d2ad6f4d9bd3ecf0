import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { keptDirectory, root } from './paths.ts'
import { poll } from './poll.ts'
import { freePort } from './ports.ts'
import { clusterData, type DatabaseUrls, inDatabase, startPostgres } from './postgres.ts'
import { claimDirectory, ownerOf } from './process_records.ts'
import { Supervisor } from './supervisor.ts'

/** Where the keeper writes the URLs of its PostgreSQL. */
const URLS_FILE = join(keptDirectory, 'urls.json')
const STARTS_WITHIN_MS = 20_000
const ENDS_WHEN_IDLE_FOR_MS = 15 * 60_000
/** Whoever holds this lock uses the database of the tests. */
const IN_USE = 1
const DATABASE = 'tests'

/** Runs all migrations in the database of these URLs. */
type Migrate = (urls: DatabaseUrls) => Promise<void>

interface KeptDatabase {
  urls: DatabaseUrls
  giveBack(): Promise<void>
}

/**
 * A database with all tables, in a PostgreSQL that runs on after the tests: it is the copy of one that was migrated before, so
 * that a run of one file need not wait for a cluster and for migrations. Undefined while another run uses it.
 */
export async function borrowDatabase(migrate: Migrate): Promise<KeptDatabase | undefined> {
  const client = await connectToKeeper()
  if (!client) return undefined
  const giveBack = () => client.end()
  try {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS "isFree"', [IN_USE])
    if (!rows[0].isFree) {
      await giveBack()
      return undefined
    }
    const template = await migratedDatabase(client, migrate)
    await client.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`)
    await client.query(`CREATE DATABASE ${DATABASE} TEMPLATE ${template}`)
    // A copy has everything of its template but the rights on the database itself.
    await client.query(`REVOKE TEMPORARY ON DATABASE ${DATABASE} FROM PUBLIC`)
    return { urls: await urlsOf(DATABASE), giveBack }
  } catch (error) {
    await giveBack()
    throw error
  }
}

/** The keeper: starts PostgreSQL, and ends when nobody has been connected for a quarter of an hour. */
export async function keepPostgres(cleanup: AsyncDisposableStack) {
  const directory = keptDirectory
  await claimDirectory(directory)
  // Written without fsync: what a killed keeper has left may be broken.
  await rm(clusterData(directory) ?? '', { recursive: true, force: true })
  const supervisor = new Supervisor(directory)
  cleanup.defer(() => supervisor.stop())
  const port = await freePort()
  const urls = await startPostgres({ supervisor, directory, ephemeral: true, port })
  await writeFile(URLS_FILE, JSON.stringify(urls), { mode: 0o600 })
  await untilIdle()
  return 0
}

async function untilIdle() {
  let usedAt = Date.now()
  while (Date.now() - usedAt < ENDS_WHEN_IDLE_FOR_MS) {
    await delay(30_000)
    if (await hasClients()) usedAt = Date.now()
  }
}

async function hasClients() {
  const client = await connect('postgres')
  if (!client) return false
  const { rowCount } = await client.query(
    `SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
  )
  await client.end()
  return rowCount! > 0
}

async function connectToKeeper() {
  if (!ownerOf(keptDirectory)) await startKeeper()
  let client: pg.Client | undefined
  // A PostgreSQL without a keeper is one that the next keeper stops.
  const isConnected = async () => {
    if (ownerOf(keptDirectory)) client = await connect('postgres')
    return client !== undefined
  }
  await poll(isConnected, { withinMs: STARTS_WITHIN_MS })
  return client
}

async function startKeeper() {
  await mkdir(keptDirectory, { recursive: true })
  const log = openSync(join(keptDirectory, 'keeper.log'), 'w')
  // Without npm's variables, by which it would end together with npm.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  )
  const keeper = spawn(process.execPath, ['bin/keep_postgres.ts'], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', log, log],
  })
  keeper.unref()
}

async function connect(database: string) {
  if (!existsSync(URLS_FILE)) return undefined
  const { owner } = await urlsOf(database)
  const client = new pg.Client({ connectionString: owner })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch {
    return undefined
  }
}

async function urlsOf(database: string) {
  const urls = JSON.parse(await readFile(URLS_FILE, 'utf8')) as DatabaseUrls
  return inDatabase(urls, database)
}

/** A database that these migrations have run in. Its name says which ones, so that a changed one is noticed. */
async function migratedDatabase(client: pg.Client, migrate: Migrate): Promise<string> {
  const name = `migrated_${await hashOfMigrations()}`
  const known = await client.query<{ datname: string }>(
    `SELECT datname FROM pg_database WHERE datname LIKE 'migrated%'`
  )
  const names = known.rows.map(({ datname }) => datname)
  if (names.includes(name)) return name
  for (const former of names) await client.query(`DROP DATABASE ${former} WITH (FORCE)`)
  const unfinished = 'migrating'
  await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`)
  await client.query(`CREATE DATABASE ${unfinished}`)
  await migrate(await urlsOf(unfinished))
  await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`)
  return name
}

async function hashOfMigrations() {
  const directory = join(root, 'database')
  const hash = createHash('sha256')
  const migrations = await readdir(join(directory, 'migrations'))
  // With the rights that are given after them.
  const files = [...migrations.map((file) => `migrations/${file}`), 'privileges.ts', 'roles.ts']
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(join(directory, file)))
  return hash.digest('hex').slice(0, 16)
}
