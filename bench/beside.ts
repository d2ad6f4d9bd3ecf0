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
import type { Site, Stage } from './stage.ts'
import { freestEvent, releaseHolds } from './stock.ts'

const PER_SECOND = 50
/** Exports of a tenth of the month each, so that a round meets them at another stage than the one before. */
const PARTS = 10
const LATER_MS = 5_000
const STAGES = 3
const STARTING_MS = 500

export const ASKED = ['signed GET event', 'signed GET seats', 'POST bookings'] as const
type Asked = (typeof ASKED)[number]

export interface Beside {
  asked: Asked
  /** Round by round. */
  quiet: Figures[]
  counting: Figures[]
  exporting: Figures[]
}

/**
 * What partners wait for while a worker on the same machine writes workbooks, while a process a core only counts in its
 * stead, and while nobody else does anything.
 */
export async function measureBeside(
  stage: Stage,
  generator: LoadGenerator,
  { month, pace }: { month: Month; pace: Pace }
): Promise<Beside[]> {
  const { small } = stage
  // As compose.yaml does: who starts runs is not who is busy with them.
  const clock = await small.startWorker(['clock'])
  const worker = await small.startWorker(['runs'])
  const jobs = await jobsOf(small)
  const groups = { ...groupsOf(stage, small), worker: worker.pid }
  const results = ASKED.map((asked): Beside => ({ asked, quiet: [], counting: [], exporting: [] }))
  const askAll = async (key: 'quiet' | 'counting' | 'exporting', round: number) => {
    for (let turn = 0; turn < ASKED.length; turn++) {
      const { asked, [key]: rounds } = results[(round + turn) % ASKED.length]
      const contender: Contender = { name: 'ours', groups, job: jobs[asked] }
      rounds.push(summarise([await runRound(generator, contender, pace.lasts)]))
    }
  }
  try {
    for (const asked of ASKED) await generator.run(await jobs[asked](pace.warmUp))
    for (let round = 0; round < pace.rounds; round++) {
      await releaseHolds(small)
      await askAll('quiet', round)
      await whileCounting(() => askAll('counting', round))
      await using exports = new Exports(small, month, round)
      await exports.begin()
      await delay(pace.rounds === 1 ? 0 : (round % STAGES) * LATER_MS)
      await askAll('exporting', round)
    }
    return results
  } finally {
    await Promise.all([clock.stop(), worker.stop()])
  }
}

async function whileCounting(work: () => Promise<void>) {
  // Groups of their own: a Ctrl-C reaches us alone.
  const all = Array.from({ length: availableParallelism() }, () =>
    fork(join(import.meta.dirname, 'counting.ts'), { detached: true })
  )
  try {
    await delay(STARTING_MS)
    await work()
  } finally {
    for (const counting of all) counting.kill('SIGKILL')
  }
}

type Ask = (lasts: number) => Promise<ArrivalsJob>

async function jobsOf(small: Site): Promise<Record<Asked, Ask>> {
  const { port, shownEvent, seatsEvent, sector } = small
  const partners = [small.partners.bulk, small.partners.rival]
  const { eventId, sectors } = await freestEvent(small)
  const seats = sectors.flat()
  const common = { kind: 'arrivals', port, partners, perSecond: PER_SECOND, eventId } as const
  const read =
    (path: string): Ask =>
    async (lasts) => ({ ...common, path, seats: [], lasts })
  return {
    'signed GET event': read(`/events/${shownEvent}`),
    'signed GET seats': read(`/events/${seatsEvent}/seats?sector=${sector}`),
    'POST bookings': async (lasts) => ({ ...common, seats, lasts }),
  }
}

/** Workbooks that a worker writes one after another until this is disposed of. */
class Exports implements AsyncDisposable {
  #isOver = false
  #going: Promise<void> | undefined

  readonly #site: Site
  readonly #month: Month
  #part: number

  constructor(site: Site, month: Month, part: number) {
    this.#site = site
    this.#month = month
    this.#part = part
  }

  /** Until a worker is at it. */
  async begin() {
    const id = await this.#ask()
    while ((await this.#stateOf(id)) === 'queued') await delay(50)
    this.#going = this.#goOn(id)
  }

  async [Symbol.asyncDispose]() {
    this.#isOver = true
    await this.#going
  }

  async #goOn(first: number) {
    for (let id = first; ; id = await this.#ask()) {
      for (let state = 'queued'; state === 'queued' || state === 'running';) {
        if (this.#isOver) await this.#cancel(id)
        await delay(100)
        state = await this.#stateOf(id)
        if (state === 'failed') throw new Error(`The export of run ${id} has failed`)
      }
      if (this.#isOver) return
    }
  }

  async #ask() {
    const { partnerId, partnerCode } = this.#month
    const period = toJson(partOf(this.#month, this.#part++ % PARTS, PARTS))
    const params = { partnerCode, hasTwins: false, ...period }
    const { rows } = await this.#site.database.query<{ id: number }>(
      `INSERT INTO settlement_runs (kind, partner_id, params, language, question_sha256, asked_by, asked_by_kind)
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
