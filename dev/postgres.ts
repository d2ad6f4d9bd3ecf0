import { createHash, randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { poll } from './poll.ts'
import { canEnter, postgresAccount, sharedFolder } from './postgres_account.ts'
import { type PostgresBinaries, postgresBinaries } from './postgres_binaries.ts'
import { commandLineOf, identify, isAlive } from './process_records.ts'
import { logTail, untilServiceReady } from './readiness.ts'
import { StartUpError } from './start_up_error.ts'
import type { Account, Supervisor } from './supervisor.ts'

const USER = 'tickets'
const DATABASE = 'tickets'
const SHUTDOWN_WITHIN_MS = 30_000

type Cluster = { data: string; password: string }

type PostgresOptions = {
  supervisor: Supervisor
  directory: string
  port: number
  ephemeral: boolean
}

type StartOptions = {
  supervisor: Supervisor
  directory: string
  ephemeral: boolean
  account: Account | undefined
  binaries: PostgresBinaries
}

/** Starts a private PostgreSQL cluster on the loopback address; returns the URL of its database. */
export async function startPostgres({ port, ...given }: PostgresOptions) {
  const account = postgresAccount()
  const options: StartOptions = { ...given, account, binaries: await postgresBinaries(account) }
  const cluster = await openCluster(options)
  await startServer(options, cluster, port)
  await createDatabase(cluster, port)
  return urlOf(cluster, port, DATABASE)
}

/** The data directory of a start-up directory's cluster, which may lie outside it. */
export function clusterData(directory: string) {
  return readCluster(directory)?.data
}

async function openCluster(options: StartOptions): Promise<Cluster> {
  const known = readCluster(options.directory)
  if (known && existsSync(known.data)) {
    await stopLeftoverPostgres(known.data)
    assertSameVersion(known, options.binaries)
    return known
  }
  const cluster = { data: chooseData(options), password: randomBytes(24).toString('base64url') }
  await initialise(options, cluster)
  const file = clusterFile(options.directory)
  await writeFile(file, `${JSON.stringify(cluster, null, 2)}\n`, { mode: 0o600 })
  return cluster
}

/**
 * Shuts down a server that an earlier start-up left on this data directory. Removes a `postmaster.pid` whose process has
 * ended or is another program that has reused its id.
 */
async function stopLeftoverPostgres(data: string) {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) {
    return
  }
  const server = identify(Number.parseInt(readFileSync(file, 'utf8')))
  if (!server || !commandLineOf(server.pid).includes(data)) {
    rmSync(file, { force: true })
    return
  }
  process.kill(server.pid, 'SIGINT')
  if (!(await poll(() => !isAlive(server), { withinMs: SHUTDOWN_WITHIN_MS }))) {
    process.kill(server.pid, 'SIGQUIT')
  }
}

function chooseData({ directory, account }: StartOptions) {
  if (!account || canEnter(account, directory)) {
    return join(directory, 'postgres')
  }
  const key = createHash('sha256').update(directory).digest('hex').slice(0, 12)
  return join(sharedFolder(key), 'postgres')
}

/** Initialises under another name and renames at the end, so that an interrupted initialisation never looks like a cluster. */
async function initialise(
  { supervisor, directory, account, binaries, ephemeral }: StartOptions,
  { data, password }: Cluster
) {
  const unfinished = `${data}.new`
  const passwordFile = join(dirname(data), `${basename(data)}.password`)
  await rm(data, { recursive: true, force: true })
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  for (const path of account ? [unfinished, passwordFile] : []) {
    chownSync(path, account!.uid, account!.gid)
  }
  const log = join(directory, 'initdb.log')
  await writeFile(log, '')
  try {
    await supervisor.run({
      name: 'initdb',
      command: binaries.initdb,
      args: initdbArguments(unfinished, passwordFile, ephemeral),
      cwd: '/',
      env: serverEnvironment(),
      account,
      output: { file: log },
    })
  } catch (error) {
    throw error instanceof StartUpError
      ? new StartUpError(`${error.message}\n${await logTail(log)}`)
      : error
  } finally {
    await rm(passwordFile, { force: true })
  }
  await rename(unfinished, data)
}

function initdbArguments(data: string, passwordFile: string, ephemeral: boolean) {
  return [
    `--pgdata=${data}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // C.UTF-8 knows upper and lower case of Cyrillic letters on every machine; plain C only those of ASCII.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(ephemeral ? ['--no-sync'] : []),
  ]
}

async function startServer(
  { supervisor, directory, account, binaries, ephemeral }: StartOptions,
  cluster: Cluster,
  port: number
) {
  const log = join(directory, 'postgres.log')
  await writeFile(log, '')
  const server = await supervisor.start({
    name: 'PostgreSQL',
    command: binaries.postgres,
    args: ['-D', cluster.data, ...serverSettings(port, ephemeral)],
    cwd: '/',
    env: serverEnvironment(),
    account,
    output: { file: log },
    role: 'service',
    // Fast shutdown: it ends the sessions and keeps what they have committed.
    stopSignal: 'SIGINT',
    graceMs: SHUTDOWN_WITHIN_MS,
  })
  await untilServiceReady(server, () => acceptsConnections(cluster, port), log)
}

function serverSettings(port: number, ephemeral: boolean) {
  const optionss = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    // Statements that read every month of a table lock all of its partitions and indexes (docs/operations.md).
    max_locks_per_transaction: 512,
    shared_buffers: '256MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    synchronous_commit: 'on',
    ...(ephemeral && { fsync: 'off', full_page_writes: 'off' }),
  }
  return Object.entries(optionss).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Without our own variables: PGDATA, PGPORT and the like would change the server's behaviour. */
function serverEnvironment() {
  return { PATH: process.env.PATH, LC_ALL: 'C' }
}

async function acceptsConnections(cluster: Cluster, port: number) {
  try {
    await query(cluster, port, 'SELECT 1')
    return true
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code === '28P01') {
      throw new StartUpError(
        `PostgreSQL refuses the password in postgres.json next to its log: it is not this cluster's (${cluster.data}). Start again with --fresh.`
      )
    }
    return false
  }
}

async function createDatabase(cluster: Cluster, port: number) {
  const existing = `SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`
  const { rowCount } = await query(cluster, port, existing)
  if (rowCount === 0) {
    await query(cluster, port, `CREATE DATABASE ${DATABASE}`)
  }
}

async function query(cluster: Cluster, port: number, sql: string) {
  const client = new pg.Client({
    connectionString: urlOf(cluster, port, 'postgres'),
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await client.query(sql)
  } finally {
    await client.end().catch(() => {})
  }
}

function urlOf({ password }: Cluster, port: number, database: string) {
  return `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`
}

function clusterFile(directory: string) {
  return join(directory, 'postgres.json')
}

function readCluster(directory: string): Cluster | undefined {
  const file = clusterFile(directory)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

function assertSameVersion({ data }: Cluster, { majorVersion }: PostgresBinaries) {
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (version !== majorVersion) {
    throw new StartUpError(
      `${data} was created by PostgreSQL ${version}, and this is ${majorVersion}: start again with --fresh.`
    )
  }
}
