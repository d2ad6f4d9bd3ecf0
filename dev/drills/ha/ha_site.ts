import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { Redis } from 'ioredis'
import { testVariables } from '../../environment.ts'
import { log } from '../../output.ts'
import { poll } from '../../poll.ts'
import { APPLICATION, REPORTS, urlsOfRoles } from '../../postgres.ts'
import { logTail } from '../../readiness.ts'
import { StartUpError } from '../../start_up_error.ts'
import type { DebianPackage } from '../debian_packages.ts'
import { POSTGRES } from '../debian_postgres.ts'
import { type Parties, readParties } from '../load/parties.ts'
import { query } from '../query.ts'
import { type MachinePrograms, product, WEB_PORT, WORKER_PORT } from './machine_programs.ts'
import { HOST, Machine, NETWORK } from './machines.ts'

export const HA_PACKAGES: DebianPackage[] = [
  POSTGRES,
  { name: 'patroni', program: 'patroni', unit: 'patroni' },
  { name: 'etcd-server', program: 'etcd', unit: 'etcd' },
  { name: 'haproxy', program: 'haproxy', unit: 'haproxy' },
  { name: 'keepalived', program: 'keepalived', unit: 'keepalived' },
  { name: 'redis-server', program: 'redis-server', unit: 'redis-server' },
  { name: 'iproute2', program: 'ip' },
]

/** The drill looks from outside of all machines. */
const ADMIT_DRILL = `    - host all postgres ${HOST}/32 scram-sha-256`
const READY_WITHIN_MS = 180_000
const WRONG_ENDS_WITHIN_MS = 60_000
const PATRONI_PORT = 8008
const SENTINEL_PORT = 26379
/** Two rounds of Patroni: a machine that has come back may be restarted in the first. */
const STAYS_WHOLE_MS = 11_000
const ASK_WITHIN_MS = 2_000
/** As `sentinel.conf` names it. */
const REDIS_NAME = 'tickets'

const secret = () => randomBytes(18).toString('base64url')

interface Member {
  name: string
  role: string
  state: string
}

export const membersInWords = (members: Member[]) =>
  members.map(({ name, role }) => `${name} ${role}`).join(', ')

/** The roles and the database of the product, made by the superuser. */
export const rolesAndDatabase = (password: string) => [
  ...['tickets', APPLICATION, REPORTS].map(
    (role) => `CREATE ROLE ${role} LOGIN PASSWORD '${password}'`
  ),
  'CREATE DATABASE tickets OWNER tickets',
]

/** Three database machines, two of the application, and two that end TLS: the files of `deploy/ha`, each in its machine. */
export class HaSite {
  readonly databases = [new Machine('db1', 11), new Machine('db2', 12), new Machine('db3', 13)]
  readonly applications = [new Machine('app1', 21), new Machine('app2', 22)]
  readonly fronts = [new Machine('front1', 31), new Machine('front2', 32)]
  /** Of the front machine that has it. */
  readonly publicAddress = `${NETWORK}30`
  /** Of PostgreSQL. The product's roles have that of the superuser. */
  readonly passwords = { superuser: secret(), replication: secret() }
  readonly #redis = secret()
  readonly #programs: MachinePrograms
  /** The settings of web and worker. */
  readonly env: NodeJS.ProcessEnv
  ca = ''

  constructor(programs: MachinePrograms) {
    this.#programs = programs
    const sentinels = this.databases.map(({ address }) => `${address}:${SENTINEL_PORT}`).join(',')
    this.env = {
      ...testVariables(
        {
          databaseUrls: urlsOfRoles(
            `postgres://tickets:${this.passwords.superuser}@127.0.0.1:5432/tickets`
          ),
          redisUrl: `redis://:${this.#redis}@sentinel`,
        },
        programs.directory,
        WEB_PORT
      ),
      STANDBY_DATABASE_URL: `postgres://${APPLICATION}:${this.passwords.superuser}@127.0.0.1:5433/tickets`,
      NODE_ENV: 'production',
      DEPLOYMENT: 'sandbox',
      LOCAL_WEBHOOKS: 'true',
      SESSION_DRIVER: 'redis',
      LOG_LEVEL: 'warn',
      HOST: '0.0.0.0',
      APP_URL: this.url,
      TRUSTED_PROXIES: this.fronts.map(({ address }) => address).join(','),
      WORKER_PORT: String(WORKER_PORT),
      REDIS_SENTINELS: sentinels,
      REDIS_SENTINEL_NAME: REDIS_NAME,
    }
  }

  get machines() {
    return [...this.databases, ...this.applications, ...this.fronts]
  }

  get url() {
    return `https://${this.publicAddress}`
  }

  async startDatabases() {
    for (const machine of this.databases) await this.startEtcd(machine)
    for (const machine of this.databases) await this.startPatroni(machine)
    await this.untilWhole()
    await this.startRedisOnAll()
  }

  /** All three as a standby of another PostgreSQL: the first copies it, the others copy the first. */
  async startDatabasesAsStandbyOf(source: Machine) {
    const [first, ...others] = this.databases
    for (const machine of this.databases) await this.startEtcd(machine)
    await this.startPatroni(first, source)
    await this.#until('the standby leader', async () => {
      const members = await this.members()
      return members.some((each) => isStandbyLeader(each) && isRunning(each))
    })
    for (const machine of others) await this.startPatroni(machine)
    await this.#until('three members that follow', async () => {
      const members = await this.members()
      return members.filter(isRunning).length === 3 && members.some(isStandbyLeader)
    })
  }

  /** The first becomes the primary. */
  async endStandby() {
    const [first] = this.databases
    const change = ['edit-config', 'tickets', '--set', 'standby_cluster=null', '--force']
    await this.#programs.run(first, {
      name: 'patronictl',
      command: 'patronictl',
      args: ['-c', this.#patroniFile(first), ...change],
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
    })
  }

  async startRedisOnAll() {
    for (const machine of this.databases) await this.startRedis(machine)
    for (const machine of this.databases) await this.startSentinel(machine)
  }

  async startEtcd(machine: Machine) {
    const file = this.#programs.configure('etcd', machine, [
      ['/var/lib/etcd/tickets', this.#programs.folder(machine, 'etcd')],
    ])
    const env = { PATH: process.env.PATH, ...parseEnv(readFileSync(file, 'utf8')) }
    await this.#programs.start(machine, { name: 'etcd', command: 'etcd', args: [], env })
  }

  async startPatroni(machine: Machine, standbyOf?: Machine) {
    const args = [this.#patroniFile(machine, standbyOf)]
    const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }
    await this.#programs.start(
      machine,
      { name: 'patroni', command: 'patroni', args, env },
      'postgres'
    )
  }

  #patroniFile(machine: Machine, standbyOf?: Machine) {
    const folder = this.#programs.folder(machine, 'postgres')
    const replaced: [string, string][] = [
      ['/var/lib/postgresql/15/tickets', join(folder, 'data')],
      ['/var/lib/postgresql/patroni.pgpass', join(folder, 'pgpass')],
      // The machines of the drill share a file system.
      ['/var/run/postgresql', folder],
      // A virtual machine without the device: Patroni must not look for it.
      ['mode: automatic', 'mode: off'],
      [
        '    - host all postgres 0.0.0.0/0 reject',
        `${ADMIT_DRILL}\n    - host all postgres 0.0.0.0/0 reject`,
      ],
      ['SUPERUSER_PASSWORD', this.passwords.superuser],
      ['REPLICATION_PASSWORD', this.passwords.replication],
    ]
    if (standbyOf) replaced.push(['  dcs:\n', `  dcs:\n${standbyCluster(standbyOf)}`])
    return this.#programs.configure('patroni.yml', machine, replaced)
  }

  async startRedis(machine: Machine) {
    const file = this.#programs.configure('redis.conf', machine, [
      ['/var/lib/redis', this.#programs.folder(machine, 'redis')],
      ['REDIS_PASSWORD', this.#redis],
    ])
    const [first] = this.databases
    // The Sentinels write the current primary into the file of one that they know.
    const isReplica = machine !== first
    const args = isReplica ? [file, '--replicaof', `${first.address} 6379`] : [file]
    await this.#programs.start(machine, { name: 'redis', command: 'redis-server', args })
  }

  async startSentinel(machine: Machine) {
    const file = this.#programs.configure('sentinel.conf', machine, [
      ['/var/lib/redis', this.#programs.folder(machine, 'sentinel')],
      ['REDIS_PASSWORD', this.#redis],
    ])
    await this.#programs.start(machine, {
      name: 'sentinel',
      command: 'redis-server',
      args: [file, '--sentinel'],
    })
  }

  /** All of a database machine that was killed. */
  async startDatabase(machine: Machine) {
    await this.startEtcd(machine)
    await this.startPatroni(machine)
    await this.startRedis(machine)
    await this.startSentinel(machine)
  }

  /** All of an application machine that was killed. */
  async startApplicationMachine(machine: Machine) {
    await this.#startProxyToPostgres(machine)
    await this.startWeb(machine)
    await this.startWorker(machine)
  }

  /** Proxies, migrations, the sandbox, two web processes and two workers. */
  async startApplication(webhooks: string): Promise<Parties> {
    await this.startProxies()
    for (const sql of rolesAndDatabase(this.passwords.superuser))
      await query(await this.primaryUrl('postgres'), sql)
    const [first] = this.applications
    const sandbox = await this.#programs.createSandbox(first, this.env)
    await this.#programs.command(first, this.env, 'webhook:endpoint', 'brisk', webhooks)
    for (const machine of this.applications) {
      await this.startWeb(machine)
      await this.startWorker(machine)
    }
    return readParties(await this.primaryUrl(), sandbox)
  }

  /** To PostgreSQL on each application machine, and to web on both fronts. */
  async startProxies() {
    for (const machine of this.applications) await this.#startProxyToPostgres(machine)
    for (const machine of this.fronts) await this.startFront(machine)
  }

  /** TLS, and the public address if the other one has it not. */
  async startFront(machine: Machine) {
    const pem: [string, string] = ['/etc/haproxy/tickets.pem', this.#certificateFile]
    await this.#startProxy(machine, this.#programs.configure('haproxy_web.cfg', machine, [pem]))
    const peer = this.fronts.find((each) => each !== machine)!
    const file = this.#programs.configure('keepalived.conf', machine, [
      ['PEER_ADDRESS', peer.address],
      ['MY_INTERFACE', machine.networkInterface],
    ])
    const pid = (name: string) => join(this.#programs.folder(machine, 'keepalived'), name)
    const files = ['-f', file, '-p', pid('pid'), '-r', pid('vrrp.pid')]
    const args = ['--dont-fork', '--log-console', '--vrrp', ...files]
    await this.#programs.start(machine, { name: 'keepalived', command: 'keepalived', args })
  }

  #startProxyToPostgres(machine: Machine) {
    return this.#startProxy(machine, this.#programs.configure('haproxy_postgres.cfg', machine))
  }

  async #startProxy(machine: Machine, file: string) {
    const args = ['-db', '-f', file]
    await this.#programs.start(machine, { name: 'haproxy', command: 'haproxy', args })
  }

  startWeb(machine: Machine) {
    return this.#programs.startWeb(machine, this.env)
  }

  startWorker(machine: Machine) {
    return this.#programs.startWorker(machine, this.env)
  }

  find(name: string, machine: Machine) {
    return this.#programs.find(name, machine)
  }

  /** As Patroni on any machine that answers sees them. */
  async members(): Promise<Member[]> {
    for (const machine of this.databases) {
      const members = await this.#membersAsSeenBy(machine)
      if (members.length > 0) return members
    }
    return []
  }

  /** None when its Patroni does not answer. */
  async #membersAsSeenBy({ address }: Machine): Promise<Member[]> {
    try {
      const response = await fetch(`http://${address}:${PATRONI_PORT}/cluster`, {
        signal: AbortSignal.timeout(2_000),
      })
      return ((await response.json()) as { members: Member[] }).members
    } catch {
      return []
    }
  }

  /** The machine that answers as the primary now. */
  async primary(): Promise<Machine | undefined> {
    for (const machine of this.databases) {
      const isPrimary = await fetch(`http://${machine.address}:${PATRONI_PORT}/primary`, {
        signal: AbortSignal.timeout(1_000),
      }).then(
        ({ ok }) => ok,
        () => false
      )
      if (isPrimary) return machine
    }
    return undefined
  }

  /** The primary of Redis as most Sentinels see it; undefined while they disagree. */
  async redisPrimary(): Promise<Machine | undefined> {
    const addresses = await Promise.all(this.databases.map(askSentinel))
    return this.databases.find(
      ({ address }) => addresses.filter((each) => each === address).length > addresses.length / 2
    )
  }

  /** Whether both web processes use Redis. */
  async haveRedis() {
    const answers = await Promise.all(this.applications.map(({ address }) => hasRedis(address)))
    return answers.every(Boolean)
  }

  async primaryUrl(database = 'tickets') {
    const machine = await this.primary()
    if (!machine) throw new StartUpError('no machine is the primary')
    return this.superuserUrlOf(machine, database)
  }

  superuserUrlOf({ address }: Machine, database = 'tickets') {
    return `postgres://postgres:${this.passwords.superuser}@${address}:5432/${database}`
  }

  /** Asks Patroni to move the primary. */
  async switchOver(from: Machine) {
    const response = await fetch(`http://${from.address}:${PATRONI_PORT}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: from.name }),
      signal: AbortSignal.timeout(60_000),
    })
    return `${response.status} ${await response.text()}`
  }

  /**
   * Resolves once all three machines have agreed on the primary and run for a while, with a synchronous standby. One that was cut off
   * takes itself for the primary until it has asked the others.
   */
  untilWhole() {
    let wholeSince = Infinity
    return this.#until('three members that agree, one of them synchronous', async () => {
      const views = await Promise.all(this.databases.map((each) => this.#membersAsSeenBy(each)))
      const leaders = new Set(views.map((members) => members.find(isLeader)?.name))
      const areWhole = views.every(isWhole) && leaders.size === 1
      wholeSince = areWhole ? Math.min(wholeSince, performance.now()) : Infinity
      return performance.now() - wholeSince >= STAYS_WHOLE_MS
    })
  }

  /** What a machine is answered that signs in as the superuser of another one's PostgreSQL. */
  signInAsSuperuser(from: Machine, to: Machine) {
    return from.call(
      'psql',
      '--no-psqlrc',
      '--tuples-only',
      '--command=SELECT 1',
      this.superuserUrlOf(to, 'postgres')
    )
  }

  databaseUrlOf({ address }: Machine) {
    return `postgres://${APPLICATION}:${this.passwords.superuser}@${address}:5432/tickets`
  }

  /** Starts a web process with a wrong setting; how it ended, and the problem that it named. */
  async startWrongly(setting: string, value: string) {
    const [machine] = this.applications
    const name = `wrong_${setting}`
    const env = { ...this.env, [setting]: value, PORT: String(WEB_PORT + 10) }
    const web = await this.#programs.start(machine, product(name, env, 'bin/server.js'))
    const ending = await Promise.race([web.ended, delay(WRONG_ENDS_WITHIN_MS, undefined)])
    await web.stop()
    const lines = readFileSync(this.#programs.logOf(name, machine), 'utf8').split('\n')
    const fatal = lines.find((line) => line.includes('"level":"fatal"'))
    const problem = fatal ? (JSON.parse(fatal) as { setting?: string; msg: string }) : undefined
    return { code: ending?.code, problem }
  }

  get #certificateFile() {
    return join(this.#programs.directory, 'tickets.pem')
  }

  /** Of the fronts; buyers trust it. */
  createCertificate() {
    const { directory } = this.#programs
    const [key, certificate] = [join(directory, 'tls.key'), join(directory, 'tls.crt')]
    const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
    const subject = ['-subj', '/CN=tickets', '-addext', `subjectAltName=IP:${this.publicAddress}`]
    const files = ['-keyout', key, '-out', certificate]
    execFileSync('openssl', [...kind, ...subject, ...files], { stdio: 'ignore' })
    this.ca = readFileSync(certificate, 'utf8')
    writeFileSync(this.#certificateFile, this.ca + readFileSync(key, 'utf8'))
  }

  async #until(what: string, isSo: () => Promise<boolean>) {
    const began = performance.now()
    if (!(await poll(isSo, { withinMs: READY_WITHIN_MS, everyMs: 500 }))) {
      const logs = await Promise.all(
        this.databases.map((machine) => logTail(this.#programs.logOf('patroni', machine), 4))
      )
      throw new StartUpError(`${what}: not in time. ${logs.join('\n')}`)
    }
    log(`${what}: after ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  }
}

/** In `bootstrap: dcs:` of the machine that copies the other PostgreSQL. */
const standbyCluster = ({ address }: Machine) =>
  `    standby_cluster:\n      host: ${address}\n      port: 5432\n`

const isLeader = ({ role }: Member) => role === 'leader'
const isStandbyLeader = ({ role }: Member) => role === 'standby_leader'
const isRunning = ({ state }: Member) => ['running', 'streaming'].includes(state)

const isWhole = (members: Member[]) =>
  members.filter(isRunning).length === 3 &&
  members.some(isLeader) &&
  members.some(({ role }) => role === 'sync_standby')

/** Where Redis' primary is, by the Sentinel of a machine; undefined when it doesn't answer. */
async function askSentinel({ address }: Machine): Promise<string | undefined> {
  const sentinel = new Redis({
    host: address,
    port: SENTINEL_PORT,
    lazyConnect: true,
    connectTimeout: ASK_WITHIN_MS,
    commandTimeout: ASK_WITHIN_MS,
    retryStrategy: () => null,
  })
  sentinel.on('error', () => {})
  try {
    await sentinel.connect()
    const found = (await sentinel.call('SENTINEL', 'get-master-addr-by-name', REDIS_NAME)) as
      [string, string] | null
    return found?.[0]
  } catch {
    return undefined
  } finally {
    sentinel.disconnect()
  }
}

const hasRedis = (address: string) =>
  fetch(`http://${address}:${WEB_PORT}/health/ready`, { signal: AbortSignal.timeout(3_000) })
    .then((response) => response.json() as Promise<{ redis?: boolean }>)
    .then(
      ({ redis }) => redis === true,
      () => false
    )
