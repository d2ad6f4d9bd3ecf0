import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { Redis } from 'ioredis'
import { ace } from '../../application.ts'
import { testVariables } from '../../environment.ts'
import { log } from '../../output.ts'
import { root } from '../../paths.ts'
import { poll } from '../../poll.ts'
import { APPLICATION, REPORTS, urlsOfRoles } from '../../postgres.ts'
import { postgresAccount } from '../../postgres_account.ts'
import { logTail } from '../../readiness.ts'
import { StartUpError } from '../../start_up_error.ts'
import type { ProcessSpec, Supervisor } from '../../supervisor.ts'
import { type Parties, readParties } from '../load/parties.ts'
import { BUILD } from '../production_build.ts'
import { query } from '../query.ts'
import { createNetwork, Machine, NETWORK } from './machines.ts'

const FILES = join(root, 'deploy/ha')
const READY_WITHIN_MS = 180_000
const WRONG_ENDS_WITHIN_MS = 60_000
const PATRONI_PORT = 8008
const SENTINEL_PORT = 26379
const ASK_WITHIN_MS = 2_000
/** As `sentinel.conf` names it. */
const REDIS_NAME = 'tickets'
const WEB_PORT = 3333
const WORKER_PORT = 3334

const secret = () => randomBytes(18).toString('base64url')

interface Member {
  name: string
  role: string
  state: string
}

/** Three database machines, two of the application, and one that ends TLS: the files of `deploy/ha`, each in its machine. */
export class HaSite {
  readonly databases = [new Machine('db1', 11), new Machine('db2', 12), new Machine('db3', 13)]
  readonly applications = [new Machine('app1', 21), new Machine('app2', 22)]
  readonly front = new Machine('front', 31)
  readonly #supervisor: Supervisor
  readonly #directory: string
  readonly #superuser = secret()
  readonly #replication = secret()
  readonly #redis = secret()
  #env: NodeJS.ProcessEnv = {}
  ca = ''

  constructor(supervisor: Supervisor, directory: string) {
    this.#supervisor = supervisor
    this.#directory = directory
  }

  get machines() {
    return [...this.databases, ...this.applications, this.front]
  }

  get url() {
    return `https://${this.front.address}`
  }

  createNetwork(cleanup: AsyncDisposableStack) {
    createNetwork(this.machines, cleanup)
  }

  async startDatabases() {
    for (const machine of this.databases) await this.startEtcd(machine)
    for (const machine of this.databases) await this.startPatroni(machine)
    await this.untilWhole()
    for (const machine of this.databases) await this.startRedis(machine)
    for (const machine of this.databases) await this.startSentinel(machine)
  }

  async startEtcd(machine: Machine) {
    const file = this.#configure('etcd', machine, [
      ['/var/lib/etcd/tickets', this.#folder(machine, 'etcd')],
    ])
    const env = { PATH: process.env.PATH, ...parseEnv(readFileSync(file, 'utf8')) }
    await this.#start(machine, { name: 'etcd', command: 'etcd', args: [], env })
  }

  async startPatroni(machine: Machine) {
    const folder = this.#folder(machine, 'postgres')
    const file = this.#configure('patroni.yml', machine, [
      ['/var/lib/postgresql/15/tickets', join(folder, 'data')],
      ['/var/lib/postgresql/patroni.pgpass', join(folder, 'pgpass')],
      // The machines of the drill share a file system.
      ['/var/run/postgresql', folder],
      // A virtual machine without the device: Patroni must not look for it.
      ['mode: automatic', 'mode: off'],
      ['SUPERUSER_PASSWORD', this.#superuser],
      ['REPLICATION_PASSWORD', this.#replication],
    ])
    const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }
    const spec = { name: 'patroni', command: 'patroni', args: [file], env }
    await this.#start(machine, spec, 'postgres')
  }

  async startRedis(machine: Machine) {
    const file = this.#configure('redis.conf', machine, [
      ['/var/lib/redis', this.#folder(machine, 'redis')],
      ['REDIS_PASSWORD', this.#redis],
    ])
    const [first] = this.databases
    // The Sentinels write the current primary into the file of one that they know.
    const isReplica = machine !== first
    const args = isReplica ? [file, '--replicaof', `${first.address} 6379`] : [file]
    await this.#start(machine, { name: 'redis', command: 'redis-server', args })
  }

  async startSentinel(machine: Machine) {
    const file = this.#configure('sentinel.conf', machine, [
      ['/var/lib/redis', this.#folder(machine, 'sentinel')],
      ['REDIS_PASSWORD', this.#redis],
    ])
    await this.#start(machine, {
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

  /** Proxies, migrations, the sandbox, two web processes and two workers. */
  async startApplication(): Promise<Parties> {
    for (const machine of this.applications) {
      const file = this.#configure('haproxy_postgres.cfg', machine)
      await this.#start(machine, { name: 'haproxy', command: 'haproxy', args: ['-db', '-f', file] })
    }
    await this.#createRoles()
    const sentinels = this.databases.map(({ address }) => `${address}:${SENTINEL_PORT}`).join(',')
    this.#env = {
      ...testVariables(
        {
          databaseUrls: urlsOfRoles(`postgres://tickets:${this.#superuser}@127.0.0.1:5432/tickets`),
          redisUrl: `redis://:${this.#redis}@sentinel`,
        },
        this.#directory,
        WEB_PORT
      ),
      NODE_ENV: 'production',
      DEPLOYMENT: 'sandbox',
      SESSION_DRIVER: 'redis',
      LOG_LEVEL: 'warn',
      HOST: '0.0.0.0',
      APP_URL: this.url,
      TRUSTED_PROXIES: this.front.address,
      WORKER_PORT: String(WORKER_PORT),
      REDIS_SENTINELS: sentinels,
      REDIS_SENTINEL_NAME: REDIS_NAME,
    }
    const [first] = this.applications
    const sandbox = join(this.#directory, 'sandbox.json')
    await this.#command(first, 'migration:run', '--force')
    await this.#command(first, 'sandbox:seed', `--file=${sandbox}`)
    for (const machine of this.applications) {
      await this.startWeb(machine)
      await this.startWorker(machine)
    }
    await this.#startFront()
    const parties = await readParties(await this.primaryUrl(), sandbox)
    return parties
  }

  async startWeb(machine: Machine) {
    await this.#start(machine, this.#program('web', 'bin/server.js'))
    await this.#until(`web ${machine.name}`, () => isReady(machine, WEB_PORT))
  }

  async startWorker(machine: Machine) {
    await this.#start(machine, this.#program('worker', 'ace.js', 'queue:work'))
    await this.#until(`worker ${machine.name}`, () => isReady(machine, WORKER_PORT))
  }

  find(name: string, machine: Machine) {
    return this.#supervisor.find(`${name} ${machine.name}`)
  }

  /** Without the proxy in front. */
  webOf({ address }: Machine) {
    return `http://${address}:${WEB_PORT}`
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
    return `postgres://postgres:${this.#superuser}@${machine.address}:5432/${database}`
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
   * Resolves once all three machines agree on the primary and run, with a synchronous standby. One that was cut off takes itself for
   * the primary until it has asked the others.
   */
  untilWhole() {
    return this.#until('three members that agree, one of them synchronous', async () => {
      const views = await Promise.all(this.databases.map((each) => this.#membersAsSeenBy(each)))
      const leaders = new Set(views.map((members) => members.find(isLeader)?.name))
      return views.every(isWhole) && leaders.size === 1
    })
  }

  databaseUrlOf({ address }: Machine) {
    return `postgres://${APPLICATION}:${this.#superuser}@${address}:5432/tickets`
  }

  /** Starts a web process with a wrong setting; how it ended, and the problem that it named. */
  async startWrongly(setting: string, value: string) {
    const [machine] = this.applications
    const name = `wrong_${setting}`
    const spec = this.#program(name, 'bin/server.js')
    const env = { ...this.#env, [setting]: value, PORT: String(WEB_PORT + 10) }
    const web = await this.#start(machine, { ...spec, env })
    const ending = await Promise.race([web.ended, delay(WRONG_ENDS_WITHIN_MS, undefined)])
    await web.stop()
    const lines = readFileSync(this.logOf(name, machine), 'utf8').split('\n')
    const fatal = lines.find((line) => line.includes('"level":"fatal"'))
    const problem = fatal ? (JSON.parse(fatal) as { setting?: string; msg: string }) : undefined
    return { code: ending?.code, problem }
  }

  async #createRoles() {
    for (const role of ['tickets', APPLICATION, REPORTS])
      await query(
        await this.primaryUrl('postgres'),
        `CREATE ROLE ${role} LOGIN PASSWORD '${this.#superuser}'`
      )
    await query(await this.primaryUrl('postgres'), 'CREATE DATABASE tickets OWNER tickets')
  }

  async #startFront() {
    const pem = join(this.#directory, 'tickets.pem')
    const [key, certificate] = [join(this.#directory, 'tls.key'), join(this.#directory, 'tls.crt')]
    const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
    const subject = ['-subj', '/CN=tickets', '-addext', `subjectAltName=IP:${this.front.address}`]
    const files = ['-keyout', key, '-out', certificate]
    execFileSync('openssl', [...kind, ...subject, ...files], { stdio: 'ignore' })
    this.ca = readFileSync(certificate, 'utf8')
    writeFileSync(pem, this.ca + readFileSync(key, 'utf8'))
    const file = this.#configure('haproxy_web.cfg', this.front, [['/etc/haproxy/tickets.pem', pem]])
    await this.#start(this.front, {
      name: 'haproxy',
      command: 'haproxy',
      args: ['-db', '-f', file],
    })
  }

  #program(name: string, ...args: string[]) {
    return { name, command: process.execPath, args, env: this.#env, cwd: BUILD }
  }

  #command(machine: Machine, ...args: string[]) {
    const spec = ace(args[0], [], this.#env, {
      args: ['ace.js', ...args],
      cwd: BUILD,
      output: { file: join(this.#directory, 'commands.log') },
    })
    return this.#supervisor.run(machine.runs(spec))
  }

  async #start(
    machine: Machine,
    program: Pick<ProcessSpec, 'name' | 'command' | 'args'> & Partial<ProcessSpec>,
    user?: string
  ) {
    const file = this.logOf(program.name, machine)
    const output = { file }
    const env = program.env ?? { PATH: process.env.PATH, LC_ALL: 'C' }
    const role = program.name === 'web' || program.name === 'worker' ? 'program' : 'service'
    return this.#supervisor.start(machine.runs({ ...program, env, output, role }, user))
  }

  logOf(name: string, machine: Machine) {
    return join(this.#directory, `${name}_${machine.name}.log`)
  }

  #folder(machine: Machine, name: string) {
    const folder = join(this.#directory, machine.name, name)
    mkdirSync(folder, { recursive: true })
    if (name === 'postgres') {
      const { uid, gid } = postgresAccount()!
      chownSync(folder, uid, gid)
      chmodSync(folder, 0o700)
    }
    return folder
  }

  /** The published file with the names, addresses and secrets of a machine. */
  #configure(name: string, machine: Machine, replaced: [string, string][] = []) {
    const own: [string, string][] = [
      ...replaced,
      ['MY_NAME', machine.name],
      ['MY_ADDRESS', machine.address],
      ['10.0.0.', NETWORK],
    ]
    const published = readFileSync(join(FILES, name), 'utf8')
    const text = own.reduce((before, [from, to]) => before.replaceAll(from, to), published)
    for (const [from] of replaced)
      if (!published.includes(from)) throw new StartUpError(`deploy/ha/${name} has no "${from}"`)
    const file = join(this.#directory, `${machine.name}_${name}`)
    writeFileSync(file, text, { mode: 0o644 })
    return file
  }

  async #until(what: string, isSo: () => Promise<boolean>) {
    const began = performance.now()
    if (!(await poll(isSo, { withinMs: READY_WITHIN_MS, everyMs: 500 }))) {
      const logs = await Promise.all(
        this.databases.map((machine) => logTail(this.logOf('patroni', machine), 4))
      )
      throw new StartUpError(`${what}: not in time. ${logs.join('\n')}`)
    }
    log(`${what}: after ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  }
}

const isLeader = ({ role }: Member) => role === 'leader'
const isRunning = ({ state }: Member) => ['running', 'streaming'].includes(state)

const isWhole = (members: Member[]) =>
  members.filter(isRunning).length === 3 &&
  members.some(isLeader) &&
  members.some(({ role }) => role === 'sync_standby')

const isReady = ({ address }: Machine, port: number) =>
  fetch(`http://${address}:${port}/health/ready`, { signal: AbortSignal.timeout(3_000) }).then(
    ({ ok }) => ok,
    () => false
  )

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
