import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { groupsOf } from './comparisons.ts'
import type { ArrivalsJob } from './generator/jobs.ts'
import type { LoadGenerator } from './load_generator.ts'
import type { Month } from '../tests/support/filled_month.ts'
import { runRound, summarise, type Contender, type Figures, type Pace } from './rounds.ts'
import { partOf, toJson } from './settlement.ts'
import type { Site, Testbed } from './testbed.ts'
import { freestEvent, releaseHolds } from './stock.ts'

const PER_SECOND = 50
/** Each export covers a tenth of the month, so that every round meets another part of one. */
const PARTS = 10
/** Rounds start 0, 5 or 10 seconds into an export, in turn. */
const OFFSET_MS = 5_000
const OFFSETS = 3
const STARTING_MS = 500

const REQUESTS = ['signed GET event', 'signed GET seats', 'POST bookings'] as const
type RequestName = (typeof REQUESTS)[number]

export interface LatencyDuringExport {
  request: RequestName
  /** Figures by round while nothing else runs, while other processes only count, and during an export. */
  quiet: Figures[]
  counting: Figures[]
  exporting: Figures[]
}

/**
 * Measures the latency of partners' requests while a worker on the same machine writes workbooks; while, instead, one
 * process per core only counts; and while nothing else runs.
 */
export async function measureLatencyDuringExport(
  testbed: Testbed,
  generator: LoadGenerator,
  { month, pace }: { month: Month; pace: Pace }
): Promise<LatencyDuringExport[]> {
  const { small } = testbed
  // As in compose.yaml: another worker starts the runs than the one that performs them.
  const clock = await small.startWorker(['clock'])
  const worker = await small.startWorker(['runs'])
  const jobs = await jobsOf(small)
  const groups = { ...groupsOf(testbed, small), worker: worker.pid }
  const results = REQUESTS.map((request): LatencyDuringExport => {
    return { request, quiet: [], counting: [], exporting: [] }
  })
  const measureAll = async (key: 'quiet' | 'counting' | 'exporting', round: number) => {
    for (let turn = 0; turn < REQUESTS.length; turn++) {
      const { request, [key]: rounds } = results[(round + turn) % REQUESTS.length]
      const contender: Contender = { name: 'ours', groups, job: jobs[request] }
      rounds.push(summarise([await runRound(generator, contender, pace.durationMs)]))
    }
  }
  try {
    for (const request of REQUESTS) await generator.run(await jobs[request](pace.warmUpMs))
    for (let round = 0; round < pace.rounds; round++) {
      await releaseHolds(small)
      await measureAll('quiet', round)
      await whileCounting(() => measureAll('counting', round))
      await using exports = new ConstantExports(small, month, round)
      await exports.begin()
      await delay(pace.rounds === 1 ? 0 : (round % OFFSETS) * OFFSET_MS)
      await measureAll('exporting', round)
    }
    return results
  } finally {
    await Promise.all([clock.stop(), worker.stop()])
  }
}

async function whileCounting(work: () => Promise<void>) {
  const processes = Array.from({ length: availableParallelism() }, () =>
    // In its own process group, so that Ctrl-C reaches only us.
    fork(join(import.meta.dirname, 'counting.ts'), { detached: true })
  )
  try {
    await delay(STARTING_MS)
    await work()
  } finally {
    for (const counting of processes) counting.kill('SIGKILL')
  }
}

type CreateJob = (durationMs: number) => Promise<ArrivalsJob>

async function jobsOf(small: Site): Promise<Record<RequestName, CreateJob>> {
  const { port, shownEvent, seatsEvent, sector } = small
  const partners = [small.partners.bulk, small.partners.rival]
  const { eventId, sectors } = await freestEvent(small)
  const seats = sectors.flat()
  const common = { kind: 'arrivals', port, partners, perSecond: PER_SECOND, eventId } as const
  const read =
    (path: string): CreateJob =>
    async (durationMs) => ({ ...common, path, seats: [], durationMs })
  return {
    'signed GET event': read(`/events/${shownEvent}`),
    'signed GET seats': read(`/events/${seatsEvent}/seats?sector=${sector}`),
    'POST bookings': async (durationMs) => ({ ...common, seats, durationMs }),
  }
}

/** Has a worker write one workbook after another until it is disposed of. */
class ConstantExports implements AsyncDisposable {
  #isOver = false
  #exports: Promise<void> | undefined

  readonly #site: Site
  readonly #month: Month
  #part: number

  constructor(site: Site, month: Month, part: number) {
    this.#site = site
    this.#month = month
    this.#part = part
  }

  /** Resolves when a worker has started the first export. */
  async begin() {
    const id = await this.#requestExport()
    while ((await this.#stateOf(id)) === 'queued') await delay(50)
    this.#exports = this.#exportUntilOver(id)
  }

  async [Symbol.asyncDispose]() {
    this.#isOver = true
    await this.#exports
  }

  async #exportUntilOver(first: number) {
    for (let id = first; ; id = await this.#requestExport()) {
      for (let state = 'queued'; state === 'queued' || state === 'running';) {
        if (this.#isOver) await this.#cancel(id)
        await delay(100)
        state = await this.#stateOf(id)
        if (state === 'failed') throw new Error(`The export of run ${id} has failed`)
      }
      if (this.#isOver) return
    }
  }

  async #requestExport() {
    const { partnerId, partnerCode } = this.#month
    const period = toJson(partOf(this.#month, this.#part++ % PARTS, PARTS))
    const params = { partnerCode, hasTwins: false, ...period }
    const { rows } = await this.#site.database.query<{ id: number }>(
      `INSERT INTO settlement_runs (kind, partner_id, params, language, request_sha256, asked_by, asked_by_kind)
       VALUES ('workbook', $1, $2, 'ru', gen_random_uuid(), 'bench', 'console') RETURNING id`,
      [partnerId, JSON.stringify(params)]
    )
    return rows[0].id
  }

  async #stateOf(id: number) {
    const { rows } = await this.#site.database.query<{ state: string }>(
      'SELECT state FROM settlement_runs WHERE id = $1',
      [id]
    )
    return rows[0].state
  }

  #cancel(id: number) {
    return this.#site.database.query(
      `UPDATE settlement_runs SET cancel_asked_at = clock_timestamp() WHERE id = $1 AND state = 'running'`,
      [id]
    )
  }
}
