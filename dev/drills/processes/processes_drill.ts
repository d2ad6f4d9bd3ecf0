import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { aReceiver } from '../../../tests/support/receiver.ts'
import { ace } from '../../application.ts'
import { testVariables } from '../../environment.ts'
import { root } from '../../paths.ts'
import { poll } from '../../poll.ts'
import { freePort } from '../../ports.ts'
import { untilReadyAt } from '../../readiness.ts'
import { createEphemeralDirectory, removeServices, startServices } from '../../start_services.ts'
import { StartUpError } from '../../start_up_error.ts'
import { Supervisor } from '../../supervisor.ts'
import { type DrillReport, seen } from '../drill_report.ts'
import { type Buyer, Buyers } from './buyers.ts'
import { judgeExchanges, type StoredTicket } from './judge_exchanges.ts'

const BUILD = join(root, 'build')
const SOURCES = ['app/**', 'config/**', 'database/**', 'providers/**', 'start/**', 'resources/**']
/** Each request and answer of the last drill. */
const EXCHANGES = join(root, 'tmp/drill_exchanges.jsonl')
const WEBS = ['web 1', 'web 2']
const KILLED = [...WEBS, 'worker', 'Redis', 'PostgreSQL']
const KILLS = 20
const BUYERS = 6
const HOLDERS = 2
const HOLDER_PAUSE_MS = 250
const BACK_WITHIN_MS = 60_000
/** A killed worker's lease of an endpoint is 45 seconds; then another one sends. */
const WEBHOOKS_WITHIN_MS = 75_000

const EXPIRY = 'booking_expired'

const listed = (problems: string[]) => problems.slice(0, 5).join(', ')

/** Kills each process of a production build under load, and judges afterwards what the buyers were answered. */
export async function processesDrill(report: DrillReport, cleanup: AsyncDisposableStack) {
  const directory = await createEphemeralDirectory()
  const supervisor = new Supervisor(directory)
  cleanup.defer(() => removeServices(directory))
  cleanup.defer(() => supervisor.stop())
  const receiver = await aReceiver()
  cleanup.defer(() => receiver.close())

  let site!: Site
  await report.require(
    'two web processes and a worker of the production build are ready',
    async () => {
      await buildIfStale(supervisor)
      site = await startSite(supervisor, directory, receiver.url)
      return seen('ready')
    }
  )
  const { ports } = site
  // A process that is killed often must still start again at once.
  const ending = supervisor.keepRunning({ most: KILLS, withinMs: 60_000 })
  ending.catch(() => {})

  const buyers = new Buyers(ports)
  for (let n = 0; n < BUYERS; n++) buyers.startBuying(site.buyer)
  for (let n = 0; n < HOLDERS; n++) buyers.startHolding(site.holder, HOLDER_PAUSE_MS)
  cleanup.defer(() => buyers.abandon())
  await killInTurn(report, supervisor, site, buyers)
  await report.check('every request is answered in the end', async () => {
    await buyers.stop()
    const { length } = buyers.unanswered
    return seen(`${length} unanswered of ${buyers.exchanges.length}`, length === 0)
  })
  writeFileSync(EXCHANGES, buyers.exchanges.map((each) => `${JSON.stringify(each)}\n`).join(''))

  await judge(report, site, buyers)
  await checkWebhooks(report, buyers, receiver.received)
  await report.check('web and worker stop with code 0', async () => {
    const programs = [...WEBS, 'worker'].map((name) => supervisor.find(name)!)
    const stopping = supervisor.stop()
    const endings = await Promise.all(programs.map(({ ended }) => ended))
    await stopping
    const texts = endings.map(({ name, code, signal }) => `${name} ${signal ?? code}`)
    return seen(
      texts.join(', '),
      endings.every(({ code }) => code === 0)
    )
  })
}

interface Site {
  ports: number[]
  databaseUrl: string
  workerPort: number
  buyer: Buyer
  holder: Buyer
}

async function buildIfStale(supervisor: Supervisor) {
  const entry = join(BUILD, 'bin/server.js')
  const builtAt = existsSync(entry) ? statSync(entry).mtimeMs : 0
  const isStale = globSync(SOURCES, { cwd: root }).some(
    (path) => statSync(join(root, path)).mtimeMs > builtAt
  )
  if (isStale) await supervisor.run(ace('build', ['build'], process.env))
}

async function startSite(
  supervisor: Supervisor,
  directory: string,
  webhooks: string
): Promise<Site> {
  // Not ephemeral: a killed PostgreSQL must find its commits on disk.
  const services = await startServices({ directory, ephemeral: false, supervisor })
  const [first, second, workerPort] = [await freePort(), await freePort(), await freePort()]
  const common = {
    ...testVariables(services, directory, first),
    NODE_ENV: 'production',
    DEPLOYMENT: 'sandbox',
    LOCAL_WEBHOOKS: 'true',
    LOG_LEVEL: 'warn',
  }
  const inBuild = (name: string) => ({
    cwd: BUILD,
    output: { file: join(directory, `${name}.log`) },
  })
  const command = (name: string, ...args: string[]) =>
    supervisor.run(ace(name, [name, ...args], common, inBuild('commands')))
  const sandbox = join(directory, 'sandbox.json')
  await command('migration:run', '--force')
  await command('sandbox:seed', `--file=${sandbox}`)
  await command('webhook:endpoint', 'brisk', webhooks)

  for (const [index, port] of [first, second].entries()) {
    const name = WEBS[index]
    const env = { ...common, PORT: String(port) }
    await supervisor.start(ace(name, [], env, { ...inBuild(name), args: ['bin/server.js'] }))
  }
  const env = { ...common, WORKER_PORT: String(workerPort) }
  await supervisor.start(ace('worker', ['queue:work'], env, inBuild('worker')))
  const ports = [first, second]
  const ready = Promise.all(
    [...ports, workerPort].map((port) => untilReadyAt(`http://127.0.0.1:${port}`))
  )
  await Promise.race([ready, supervisor.failWhenOneEnds()])
  const parties = await readParties(services.databaseUrls.application, sandbox)
  return { ports, databaseUrl: services.databaseUrls.application, workerPort, ...parties }
}

/** Buyers share the first half of the arena's seats, those who only hold have the rest. */
async function readParties(databaseUrl: string, sandbox: string) {
  const { partners, events } = JSON.parse(readFileSync(sandbox, 'utf8'))
  const eventId = events.find(({ purpose }: any) => purpose === 'arena').event_id
  const rows = await query<{ space_id: string }>(
    databaseUrl,
    'SELECT space_id FROM event_seats WHERE event_id = $1 AND price_tenge IS NOT NULL ORDER BY id',
    [eventId]
  )
  const seats = rows.map(({ space_id: seat }) => seat)
  const half = seats.length / 2
  const party = (code: string, own: string[]): Buyer => {
    const { api_key: apiKey, secret } = partners.find((each: any) => each.code === code)
    return { partner: code, apiKey, secret, eventId, seats: own }
  }
  return { buyer: party('bulk', seats.slice(0, half)), holder: party('brisk', seats.slice(half)) }
}

async function killInTurn(report: DrillReport, supervisor: Supervisor, site: Site, buyers: Buyers) {
  const slowest = new Map<string, number>()
  const mustHold = `${KILLS} kills (${KILLED.join(', ')} in turn): each is back within ${BACK_WITHIN_MS / 1_000} s, sales go on`
  await report.check(mustHold, async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const name = KILLED[kill % KILLED.length]
      await untilSold(buyers, 5)
      const killed = supervisor.find(name)!
      const began = performance.now()
      killed.kill()
      await killed.ended
      const isBack = async () => supervisor.find(name) !== undefined && (await areReady(site))
      if (!(await poll(isBack, { withinMs: BACK_WITHIN_MS, everyMs: 100 }))) {
        throw new StartUpError(`${name} was not back in time after kill ${kill + 1}`)
      }
      const seconds = (performance.now() - began) / 1_000
      slowest.set(name, Math.max(seconds, slowest.get(name) ?? 0))
    }
    await untilSold(buyers, 5)
    const texts = [...slowest].map(([name, seconds]) => `${name} ${seconds.toFixed(1)} s`)
    return seen(`slowest return: ${texts.join(', ')}`)
  })
}

async function untilSold(buyers: Buyers, more: number) {
  const wanted = buyers.sales + more
  if (!(await poll(() => buyers.sales >= wanted, { withinMs: BACK_WITHIN_MS }))) {
    throw new StartUpError('Nothing was sold for a minute')
  }
}

async function areReady({ ports, workerPort }: Site) {
  const questions = [...ports.map((port) => `${port}/health/ready`), `${workerPort}/health/live`]
  const answers = await Promise.all(
    questions.map((path) =>
      fetch(`http://127.0.0.1:${path}`, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => ok,
        () => false
      )
    )
  )
  return answers.every(Boolean)
}

async function judge(report: DrillReport, { databaseUrl, buyer }: Site, buyers: Buyers) {
  const stored = await query<StoredTicket>(
    databaseUrl,
    `SELECT t.order_id, o.stored_status AS order_status, t.number, s.space_id, t.status
       FROM tickets t JOIN orders o ON o.id = t.order_id JOIN event_seats s ON s.id = t.event_seat_id
      WHERE t.event_id = $1`,
    [buyer.eventId]
  )
  const verdict = judgeExchanges(buyers.exchanges, stored)
  const none = (mustHold: string, problems: string[], text: string) =>
    report.check(mustHold, async () =>
      seen(problems.length === 0 ? text : `${text}: ${listed(problems)}`, problems.length === 0)
    )
  const { lost, soldTwice, unexpected, differing } = verdict
  await none('answered sales lost: 0', lost, `${lost.length} of ${verdict.answeredSales}`)
  await none('seats sold twice: 0', soldTwice, `${soldTwice.length} of ${stored.length}`)
  await none(
    'other answers than 503 with Retry-After or a broken connection: 0',
    unexpected,
    `${unexpected.length} kinds; 503 with Retry-After ${verdict.refused}, broken connections ${verdict.broken}`
  )
  await none(
    'repeats are answered the same',
    differing,
    `${differing.length} of ${verdict.repeats} repeats differ`
  )
}

/** Every hold that was answered has ended, and its partner must have been notified of it. */
async function checkWebhooks(
  report: DrillReport,
  buyers: Buyers,
  received: { headers: any; json: any }[]
) {
  await report.check('webhooks lost: 0', async () => {
    const held = new Set(
      buyers.exchanges
        .filter(({ partner, data }) => partner === 'brisk' && data)
        .map(({ data }) => data.booking_id as string)
    )
    const expiries = () => received.filter(({ headers }) => headers['x-webhook-event'] === EXPIRY)
    const missing = () => {
      const notified = new Set(expiries().map(({ json }) => json.booking_id))
      return [...held].filter((booking) => !notified.has(booking))
    }
    await poll(() => missing().length === 0, { withinMs: WEBHOOKS_WITHIN_MS, everyMs: 250 })
    const lost = missing()
    const byBooking = Map.groupBy(expiries(), ({ json }) => json.booking_id)
    const renamed = [...byBooking.values()].filter(
      (each) => new Set(each.map(({ headers }) => headers['x-webhook-id'])).size > 1
    )
    const again = expiries().length - byBooking.size
    const text = `${lost.length} of ${held.size}; ${again} sent again, ${renamed.length} of them under another id`
    return seen(text, held.size > 0 && lost.length === 0 && renamed.length === 0)
  })
}

async function query<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: unknown[]
) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Row>(text, values)
    return rows
  } finally {
    await client.end()
  }
}
