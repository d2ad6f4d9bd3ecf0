import { execFileSync } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { ace } from './application.ts'
import { testVariables } from './environment.ts'
import { log, logError } from './output.ts'
import { root } from './paths.ts'
import { poll } from './poll.ts'
import { freePort } from './ports.ts'
import { canInstallPackages, disableUnit, findProgram, installPackages } from './programs.ts'
import { logTail, untilReadyAt } from './readiness.ts'
import { runProgram } from './run_program.ts'
import { createEphemeralDirectory, removeServices, startServices } from './start_services.ts'
import { StartUpError } from './start_up_error.ts'
import { Supervisor, type RunningProcess } from './supervisor.ts'

/**
 * `node dev/rolling_restart.ts [--requests=10000]` restarts two web processes in turn behind nginx, with the published block
 * of `deploy/nginx`, while clients send signed requests. Prints how each was answered; fails on any 5xx or lost answer.
 */
const BLOCK = join(root, 'deploy/nginx/ticket-partners.conf')
const CLIENTS = 16
const LEAST_RESTARTS = 4
const API = '/api/v1/partners'

interface Partner {
  api_key: string
  secret: string
}

interface Sandbox {
  partners: Partner[]
}

interface Restarted {
  start(): Promise<RunningProcess>
  port: number
}

async function findOrInstallNginx(supervisor: Supervisor) {
  const present = findProgram('nginx')
  if (present) return present
  if (!canInstallPackages()) {
    throw new StartUpError('nginx is needed: apt-get install nginx-light')
  }
  await installPackages(supervisor, 'nginx-light')
  await disableUnit(supervisor, 'nginx')
  return findProgram('nginx')!
}

async function liftLimits(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('UPDATE partners SET requests_per_minute = 1000000, requests_in_flight = 1000')
  await client.end()
}

async function aWeb(
  supervisor: Supervisor,
  env: NodeJS.ProcessEnv,
  name: string
): Promise<Restarted> {
  const port = await freePort()
  const args = ['--import=@poppinss/ts-exec', 'bin/server.ts']
  const start = async () => {
    const web = await supervisor.start(ace(name, [], { ...env, PORT: String(port) }, { args }))
    await untilReadyAt(`http://127.0.0.1:${port}`)
    return web
  }
  return { start, port }
}

interface Proxy {
  nginx: string
  directory: string
  port: number
  upstreams: number[]
}

/** The published block with our ports, certificate and log in place of its own. */
async function startNginx(supervisor: Supervisor, { nginx, directory, port, upstreams }: Proxy) {
  const at = (name: string) => join(directory, name)
  const subject = ['-subj', '/CN=tickets.example.kz', '-days', '1', '-nodes']
  const files = ['-keyout', at('tls.key'), '-out', at('tls.pem')]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...subject, ...files], {
    stdio: 'ignore',
  })
  const ours: [string, string][] = [
    ['server 127.0.0.1:3333 ', `server 127.0.0.1:${upstreams[0]} `],
    ['server 127.0.0.1:3335 ', `server 127.0.0.1:${upstreams[1]} `],
    ['listen 80;', `listen 127.0.0.1:${await freePort()};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    ['/etc/ssl/tickets.example.kz.pem', at('tls.pem')],
    ['/etc/ssl/private/tickets.example.kz.key', at('tls.key')],
    ['/var/log/nginx/ticket-partners.log', at('access.log')],
    ['/var/log/nginx/error.log', at('nginx_errors.log')],
  ]
  const block = ours.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new StartUpError(`${BLOCK} has no "${from}"`)
      return text.replace(from, to)
    },
    readFileSync(BLOCK, 'utf8')
  )
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  mkdirSync(at('nginx'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${at('nginx')}/${name};`)
    .join('\n')
  writeFileSync(
    at('nginx.conf'),
    `${user}pid ${at('nginx.pid')};\nerror_log ${at('nginx_errors.log')};\nevents {}\nhttp {\n${temporary}\n${block}}\n`
  )
  await supervisor.start({
    name: 'nginx',
    command: nginx,
    args: ['-p', directory, '-c', at('nginx.conf'), '-g', 'daemon off;'],
    output: 'lines',
    role: 'service',
  })
  const answers = () =>
    send({ port, method: 'GET', path: '/health/live' }).then(
      ({ status }) => status === 404,
      () => false
    )
  if (!(await poll(answers, { withinMs: 10_000 }))) {
    throw new StartUpError(`nginx does not start:\n${await logTail(at('nginx_errors.log'))}`)
  }
}

interface Sent {
  port: number
  method: string
  path: string
  body?: string
  headers?: Record<string, string>
}

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS, rejectUnauthorized: false })

async function send({ port, method, path, body = '', headers }: Sent) {
  const sent = request({ host: '127.0.0.1', port, method, path, headers, agent })
  sent.end(body)
  const [response] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode as number, text: Buffer.concat(chunks).toString() }
}

/** Signed requests of several clients: two bookings, then a page of the change feed. */
class Load {
  readonly answers = new Map<string, number>()
  slowestMs = 0
  #sent = 0
  #isLongEnough = false
  #eventId = ''
  #seats: string[] = []
  readonly #port: number
  readonly #sandbox: Sandbox
  readonly #least: number

  constructor(port: number, sandbox: Sandbox, least: number) {
    this.#port = port
    this.#sandbox = sandbox
    this.#least = least
  }

  async run() {
    await this.#findSeats()
    await Promise.all(Array.from({ length: CLIENTS }, () => this.#client()))
  }

  /** From now on it may end, once enough requests have been sent. */
  mayEnd() {
    this.#isLongEnough = true
  }

  get isOver() {
    return this.#isLongEnough && this.#sent >= this.#least
  }

  async #client() {
    while (!this.isOver) {
      const n = this.#sent++
      const began = performance.now()
      const outcome = await (n % 3 === 2 ? this.#readFeed() : this.#book(n)).then(
        ({ status }) => String(status),
        (error: NodeJS.ErrnoException) => error.code ?? error.message
      )
      this.slowestMs = Math.max(this.slowestMs, performance.now() - began)
      this.answers.set(outcome, (this.answers.get(outcome) ?? 0) + 1)
    }
  }

  #readFeed() {
    return this.#signed('GET', '/events?limit=5')
  }

  /** Seats are soon gone: then the answer is 409, which was asked of the database as well. */
  #book(n: number) {
    const booking = { event_id: this.#eventId, seats: [this.#seats[n % this.#seats.length]] }
    const body = JSON.stringify({ ...booking, partner_booking_id: randomUUID() })
    return this.#signed('POST', '/bookings', body)
  }

  async #findSeats() {
    const events = await this.#read('/events?limit=50')
    this.#eventId = events.find(({ status }) => status === 'sales_open')!.event_id
    const [{ sector_id: sector }] = await this.#read(`/events/${this.#eventId}/seats`)
    const seats = await this.#read(`/events/${this.#eventId}/seats?sector=${sector}`)
    this.#seats = seats.map(({ space_id: id }) => id)
  }

  async #read(path: string) {
    const { text } = await this.#signed('GET', path)
    return (JSON.parse(text) as { data: Record<string, string>[] }).data
  }

  #signed(method: string, path: string, body = '') {
    const { api_key: apiKey, secret } = this.#sandbox.partners[0]
    const timestamp = String(Math.floor(Date.now() / 1000))
    const canonical = `${timestamp}\n${method}\n${API}${path}\n${body}`
    const headers: Record<string, string> = {
      'X-Api-Key': apiKey,
      'X-Timestamp': timestamp,
      'X-Signature': createHmac('sha256', secret).update(canonical).digest('hex'),
      'Content-Length': String(Buffer.byteLength(body)),
    }
    if (body) headers['Content-Type'] = 'application/json'
    return send({ port: this.#port, method, path: API + path, body, headers })
  }
}

/** Restarts one process after the other until the load is over; returns how long each stop took. */
async function restartInTurn(webs: Restarted[], running: RunningProcess[], load: Load) {
  const stopMs: number[] = []
  while (!load.isOver) {
    const index = stopMs.length % webs.length
    const began = performance.now()
    await running[index].stop()
    stopMs.push(performance.now() - began)
    running[index] = await webs[index].start()
    if (stopMs.length >= LEAST_RESTARTS) load.mayEnd()
  }
  return stopMs
}

function report(load: Load, stopMs: number[]) {
  const total = [...load.answers.values()].reduce((sum, count) => sum + count, 0)
  const rows = [...load.answers].toSorted().map(([outcome, count]) => `  ${outcome}: ${count}`)
  const seconds = (Math.max(...stopMs) / 1000).toFixed(1)
  log(
    [
      `${total} requests during ${stopMs.length} restarts, by answer:`,
      ...rows,
      `The slowest answer took ${Math.round(load.slowestMs)} ms, the slowest stop ${seconds} s.`,
    ].join('\n')
  )
  const failed = [...load.answers].filter(([outcome]) => !/^[1-4]\d\d$/.test(outcome))
  for (const [outcome, count] of failed) logError(`${count} × ${outcome}`)
  return failed.length === 0 ? 0 : 1
}

const { values: flags } = parseArgs({
  options: { requests: { type: 'string', default: '10000' } },
})

await runProgram(async (cleanup) => {
  const directory = await createEphemeralDirectory()
  const supervisor = new Supervisor(directory)
  cleanup.defer(() => removeServices(directory))
  cleanup.defer(() => supervisor.stop())

  const nginx = await findOrInstallNginx(supervisor)
  const services = await startServices({ directory, ephemeral: true, supervisor })
  const env: NodeJS.ProcessEnv = {
    ...testVariables(services, directory, await freePort()),
    NODE_ENV: 'production',
    TRUSTED_PROXIES: '127.0.0.1',
    SESSION_DRIVER: 'redis',
    LOG_LEVEL: 'error',
  }
  const sandboxFile = join(directory, 'sandbox.json')
  await supervisor.run(ace('migrate', ['migration:run', '--force'], env))
  await supervisor.run(ace('seed', ['sandbox:seed', `--file=${sandboxFile}`], env))
  await liftLimits(services.databaseUrls.owner)

  const webs = await Promise.all(['web 1', 'web 2'].map((name) => aWeb(supervisor, env, name)))
  const running = await Promise.all(webs.map((web) => web.start()))
  const port = await freePort()
  await startNginx(supervisor, { nginx, directory, port, upstreams: webs.map((web) => web.port) })

  const sandbox = JSON.parse(readFileSync(sandboxFile, 'utf8')) as Sandbox
  const load = new Load(port, sandbox, Number(flags.requests))
  const restarts = restartInTurn(webs, running, load)
  await load.run()
  return report(load, await restarts)
})
