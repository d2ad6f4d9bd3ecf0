import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { APPLICATION, REPORTS, urlsOfRoles } from '../postgres.ts'
import { postgresAccount } from '../postgres_account.ts'
import { untilServiceReady } from '../readiness.ts'
import type { RunningProcess, Supervisor } from '../supervisor.ts'
import type { DebianPackage } from './debian_packages.ts'
import { query } from './query.ts'

export const BINARIES = '/usr/lib/postgresql/15/bin'
const USER = 'tickets'
const DATABASE = 'tickets'

export const POSTGRES: DebianPackage = {
  name: 'postgresql-15',
  program: `${BINARIES}/postgres`,
  unit: 'postgresql',
}

interface ClusterOptions {
  supervisor: Supervisor
  /** Of the process; also the name of its log. */
  name: string
  directory: string
  data: string
  port: number
  password?: string
  settings?: Record<string, string | number>
}

/** A cluster of Debian's PostgreSQL 15, with the programs that back it up and restore it. */
export class DebianPostgres {
  readonly #options: ClusterOptions
  readonly password: string

  constructor(options: ClusterOptions) {
    this.#options = options
    this.password = options.password ?? randomBytes(24).toString('base64url')
  }

  get url() {
    return this.urlOf(DATABASE)
  }

  get urls() {
    return urlsOfRoles(this.url)
  }

  urlOf(database: string) {
    return `postgres://${USER}:${this.password}@127.0.0.1:${this.#options.port}/${database}`
  }

  get data() {
    return this.#options.data
  }

  async initialise() {
    const { supervisor, directory, data } = this.#options
    const { password, log } = this
    await initialiseCluster(supervisor, { superuser: USER, password, directory, data, log })
  }

  async createRoles() {
    for (const role of [APPLICATION, REPORTS])
      await query(this.urlOf('postgres'), `CREATE ROLE ${role} LOGIN PASSWORD '${this.password}'`)
  }

  async createDatabase(name = DATABASE) {
    await query(this.urlOf('postgres'), `CREATE DATABASE ${name}`)
  }

  /** Starts the server; resolves when it answers. */
  async start(): Promise<RunningProcess> {
    const { supervisor, name, data, port, settings } = this.#options
    const all = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: '',
      max_connections: 200,
      max_locks_per_transaction: 512,
      timezone: 'UTC',
      log_timezone: 'UTC',
      ...settings,
    }
    const args = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`])
    const server = await supervisor.start({
      ...this.#spec('postgres', ['-D', data, ...args]),
      name,
      role: 'service',
      stopSignal: 'SIGINT',
      graceMs: 30_000,
    })
    const answers = () =>
      query(this.urlOf('postgres'), 'SELECT 1').then(
        () => true,
        () => false
      )
    await untilServiceReady(server, answers, this.log)
    return server
  }

  get log() {
    return join(this.#options.directory, `${this.#options.name}.log`)
  }

  /** Runs a program of the packages against this cluster, such as pg_basebackup. */
  run(program: string, args: string[]) {
    const { supervisor, port } = this.#options
    const connection = {
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGUSER: USER,
      PGPASSWORD: this.password,
    }
    const spec = this.#spec(program, args)
    return supervisor.run({ ...spec, env: { ...spec.env, ...connection } })
  }

  #spec(program: string, args: string[]) {
    return programOfPostgres(program, args, this.log)
  }
}

interface NewCluster {
  superuser: string
  password: string
  /** For what initdb reads. */
  directory: string
  data: string
  log: string
}

/** An empty cluster. */
export async function initialiseCluster(
  supervisor: Supervisor,
  { superuser, password, directory, data, log }: NewCluster
) {
  makeOwn(data)
  const passwordFile = join(directory, 'postgres.password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  const account = postgresAccount()!
  chownSync(passwordFile, account.uid, account.gid)
  const args = [
    `--pgdata=${data}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ]
  try {
    await supervisor.run(programOfPostgres('initdb', args, log))
  } finally {
    rmSync(passwordFile)
  }
}

function programOfPostgres(program: string, args: string[], log: string) {
  writeFileSync(log, '', { flag: 'a' })
  return {
    name: program,
    command: join(BINARIES, program),
    args,
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    account: postgresAccount(),
    output: { file: log },
  }
}

/** An empty directory of PostgreSQL's account. */
export function makeOwn(path: string) {
  const { uid, gid } = postgresAccount()!
  mkdirSync(path, { recursive: true })
  chownSync(path, uid, gid)
  chmodSync(path, 0o700)
}

/** Stops the execution of a process and its children: in PostgreSQL each has a group of its own. */
export const freeze = (pid: number) => signalTree(pid, 'SIGSTOP')
export const thaw = (pid: number) => signalTree(pid, 'SIGCONT')

function signalTree(pid: number, signal: 'SIGSTOP' | 'SIGCONT') {
  const children = childrenOf(pid)
  try {
    process.kill(pid, signal)
  } catch (error) {
    // A process whose client has left ends as soon as it goes on.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  for (const child of children) signalTree(child, signal)
}

function childrenOf(pid: number) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number)
}

function parentOf(pid: string) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^PPid:\s*(\d+)/m.exec(status)?.[1])
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}

/** A file system of its own of this size, which can be filled; unmounted by the clean-up. */
export function mountSmall(path: string, megabytes: number, cleanup: AsyncDisposableStack) {
  mkdirSync(path, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'drill', path])
  cleanup.defer(() => {
    // Lazily: a process that was just killed may still hold a file.
    execFileSync('umount', ['--lazy', path])
  })
}

const BALLAST = 'ballast'
const CHUNK = Buffer.alloc(1 << 20)

/** Fills a mounted file system to the last byte. */
export function fill(path: string) {
  const file = join(path, BALLAST)
  for (const chunk of [CHUNK, CHUNK.subarray(0, 4096)]) {
    try {
      for (;;) writeFileSync(file, chunk, { flag: 'a' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}

export const makeRoom = (path: string) => rmSync(join(path, BALLAST), { force: true })
