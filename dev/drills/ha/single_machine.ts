import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, chownSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { postgresAccount } from '../../postgres_account.ts'
import { untilServiceReady } from '../../readiness.ts'
import { redisArguments } from '../../redis.ts'
import { BINARIES, initialiseCluster } from '../debian_postgres.ts'
import { type Parties, readParties } from '../load/parties.ts'
import { query } from '../query.ts'
import { rolesAndDatabase } from './ha_site.ts'
import { type MachinePrograms, webOf } from './machine_programs.ts'
import { Machine } from './machines.ts'

const REDIS_PORT = 6379
const SETTINGS_FILES = ['postgresql.conf', 'pg_hba.conf', 'pg_ident.conf']

interface SingleMachineOptions {
  programs: MachinePrograms
  /** The settings of several machines, which are this one's but for Redis, the standby and the proxy; the public name is theirs already. */
  env: NodeJS.ProcessEnv
  /** Of the product's roles, as the settings have it. */
  password: string
}

/** A machine as docs/production.md sets it up: PostgreSQL, Redis, a web process and a worker. */
export class SingleMachine {
  readonly machine = new Machine('old', 41)
  readonly #programs: MachinePrograms
  readonly #env: NodeJS.ProcessEnv
  readonly #password: string
  #superuserPassword = randomBytes(18).toString('base64url')

  constructor({ programs, env, password }: SingleMachineOptions) {
    this.#programs = programs
    this.#password = password
    this.#env = {
      ...env,
      TRUSTED_PROXIES: '',
      STANDBY_DATABASE_URL: '',
      REDIS_URL: `redis://127.0.0.1:${REDIS_PORT}`,
      REDIS_SENTINELS: '',
      REDIS_SENTINEL_NAME: '',
    }
  }

  get url() {
    return webOf(this.machine)
  }

  /** Everything, with the sandbox. */
  async start(webhooks: string): Promise<Parties> {
    const { machine } = this
    await this.#initialise()
    await this.#startPostgres()
    for (const sql of rolesAndDatabase(this.#password)) await query(this.#urlOf('postgres'), sql)
    const data = this.#programs.folder(machine, 'redis')
    const args = redisArguments(data, REDIS_PORT, false)
    await this.#programs.start(machine, { name: 'redis', command: 'redis-server', args })
    const sandbox = await this.#programs.createSandbox(machine, this.#env)
    await this.#programs.command(machine, this.#env, 'webhook:endpoint', 'brisk', webhooks)
    await this.#programs.startWeb(machine, this.#env)
    await this.#programs.startWorker(machine, this.#env)
    return readParties(this.#urlOf('tickets'), sandbox)
  }

  query<Row extends object>(sql: string) {
    return query<Row>(this.#urlOf('tickets'), sql)
  }

  /** Lets the machines copy it, with their passwords; it is restarted, since it listened to itself alone. */
  async admit(machines: Machine[], passwords: { superuser: string; replication: string }) {
    await this.query(`CREATE ROLE replicator LOGIN REPLICATION PASSWORD '${passwords.replication}'`)
    await this.query(`ALTER ROLE postgres PASSWORD '${passwords.superuser}'`)
    this.#superuserPassword = passwords.superuser
    // Patroni wants one with the data, where Debian has none.
    const empty = join(this.#data, 'postgresql.conf')
    const { uid, gid } = postgresAccount()!
    writeFileSync(empty, '')
    chownSync(empty, uid, gid)
    const rules = machines.map(
      ({ address }) => `host replication replicator ${address}/32 scram-sha-256\n`
    )
    appendFileSync(this.#etc('pg_hba.conf'), rules.join(''))
    this.#set({
      listen_addresses: `localhost, ${this.machine.address}`,
      wal_keep_size: '1GB',
    })
    await this.stop('postgres')
    await this.#startPostgres()
  }

  /** Whether a machine that copies it has replayed all that it has written. */
  async isReplayedBy({ name }: Machine) {
    const rows = await this.query<{ is_all: boolean | null }>(
      `SELECT replay_lsn >= pg_current_wal_lsn() AS is_all FROM pg_stat_replication WHERE application_name = '${name}'`
    )
    return rows.length === 1 && rows[0].is_all === true
  }

  async stop(...names: string[]) {
    await Promise.all(names.map((name) => this.#programs.find(name, this.machine)?.stop()))
  }

  /** Of the stopped cluster, as pg_controldata prints them: the state, and the place of the last record. */
  controlData() {
    const text = execFileSync(join(BINARIES, 'pg_controldata'), [this.#data], {
      encoding: 'utf8',
      env: { LC_ALL: 'C' },
    })
    const valueOf = (name: string) => new RegExp(`^${name}: +(.+)$`, 'm').exec(text)?.[1] ?? ''
    return {
      state: valueOf('Database cluster state'),
      checkpoint: valueOf('Latest checkpoint location'),
    }
  }

  /** Which of its programs still run. */
  get running() {
    return ['web', 'worker', 'redis', 'postgres'].filter((name) =>
      this.#programs.find(name, this.machine)
    )
  }

  /** As Debian's pg_createcluster does it, the settings do not lie with the data. */
  async #initialise() {
    await initialiseCluster(this.#programs.supervisor, {
      superuser: 'postgres',
      password: this.#superuserPassword,
      directory: this.#programs.directory,
      data: this.#data,
      log: this.#log,
    })
    for (const name of SETTINGS_FILES) renameSync(join(this.#data, name), this.#etc(name))
    const settings = {
      data_directory: this.#data,
      hba_file: this.#etc('pg_hba.conf'),
      ident_file: this.#etc('pg_ident.conf'),
      unix_socket_directories: this.#socketFolder,
      max_connections: 200,
      max_locks_per_transaction: 512,
    }
    this.#set(settings)
  }

  #set(settings: Record<string, string | number>) {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
    appendFileSync(this.#etc('postgresql.conf'), lines.join(''))
  }

  async #startPostgres() {
    const server = await this.#programs.start(
      this.machine,
      {
        name: 'postgres',
        command: join(BINARIES, 'postgres'),
        args: ['-c', `config_file=${this.#etc('postgresql.conf')}`],
        cwd: '/',
        stopSignal: 'SIGINT',
        graceMs: 30_000,
      },
      'postgres'
    )
    const answers = () =>
      query(this.#urlOf('postgres'), 'SELECT 1').then(
        () => true,
        () => false
      )
    await untilServiceReady(server, answers, this.#log)
  }

  get #log() {
    return this.#programs.logOf('postgres', this.machine)
  }

  get #socketFolder() {
    return this.#programs.folder(this.machine, 'postgres')
  }

  get #data() {
    return join(this.#socketFolder, 'data')
  }

  #etc(name: string) {
    return join(this.#programs.folder(this.machine, 'etc'), name)
  }

  /** By the socket: at first no address of another machine may be listened to. */
  #urlOf(database: string) {
    return `postgres://postgres:${this.#superuserPassword}@/${database}?host=${this.#socketFolder}`
  }
}
