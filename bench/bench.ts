import { parseArgs } from 'node:util'
import { log } from '../dev/output.ts'
import { removeServices, createEphemeralDirectory } from '../dev/start_services.ts'
import { StartUpError } from '../dev/start_up_error.ts'
import { Supervisor } from '../dev/supervisor.ts'
import { startBare } from './bare_server.ts'
import { measureBeside } from './beside.ts'
import { comparisons, groupsOf, READERS } from './comparisons.ts'
import { measureDeliveries } from './deliveries.ts'
import { checkFreshness, type Freshness } from './freshness.ts'
import { LoadGenerator } from './load_generator.ts'
import { writeDocument } from './document.ts'
import { Report } from './report.ts'
import { countRoundTrips } from './round_trips.ts'
import { runRound, summarise, takeTurns, type Pace } from './rounds.ts'
import { Settlement, type SettlementSize } from './settlement.ts'
import { raiseStage, type Stage } from './stage.ts'
import { measureSweeps, type SweepSize } from './sweeps.ts'
import { freeSectors, freestEvent, oversold, releaseHolds } from './stock.ts'

const COMPARED = ['event', 'seats', 'booking', 'flow'] as const
const NAMES = [
  ...COMPARED,
  ...(['rush', 'hold', 'webhooks', 'sweep'] as const),
  ...(['export', 'rules', 'matching', 'beside'] as const),
]
type Name = (typeof NAMES)[number]

const FULL: Pace & Size = {
  ...{ rounds: 9, lasts: 2_200, warmUp: 2_500, arenas: 6, timesEvents: 100 },
  ...{ holds: 100_000, grownBy: 250_000 },
  ...{ exportedTickets: 1_000_000, judgedOrders: 1_000_000, registerRows: 200_000 },
}
const QUICK: Pace & Size = {
  ...{ rounds: 1, lasts: 700, warmUp: 300, arenas: 2, timesEvents: 3 },
  ...{ holds: 4_000, grownBy: 5_000 },
  ...{ exportedTickets: 8_000, judgedOrders: 5_000, registerRows: 4_000 },
}
const RUSH_CONNECTIONS = 40
const ARRIVALS_PER_SECOND = 100

interface Size extends SweepSize, SettlementSize {
  arenas: number
  timesEvents: number
}

/** Measures, prints, and answers with the exit code: 1 when a target is missed. */
export async function bench(args: string[], cleanup: AsyncDisposableStack): Promise<number> {
  const { isQuick, names } = readArguments(args)
  const pace = isQuick ? QUICK : FULL
  const directory = await createEphemeralDirectory()
  const supervisor = new Supervisor(directory)
  const generator = new LoadGenerator()
  cleanup.defer(() => removeServices(directory))
  cleanup.defer(() => supervisor.stop())
  cleanup.defer(() => generator.stop())

  // Only comparisons ask the large site.
  const isCompared = COMPARED.some((name) => names.has(name))
  const timesEvents = isCompared ? pace.timesEvents : 1
  const stage = await raiseStage({ supervisor, directory, ...pace, timesEvents })
  cleanup.defer(() => stage.small.database.end().then(() => stage.large.database.end()))
  const bare = await startBare(supervisor, directory, stage.small)
  const report = new Report()

  log('Counting round trips')
  const trips = await countRoundTrips(stage)
  report.roundTrips(trips)

  for (const comparison of comparisons({ stage, bare, trips })) {
    if (!names.has(comparison.name)) continue
    log(`Measuring ${comparison.title}`)
    report.comparison(comparison, await takeTurns(generator, comparison.contenders, pace))
    if (comparison.name === 'seats')
      report.freshness(await freshnessUnderLoad(stage, generator, pace))
  }
  if (names.has('rush')) await measureRush(stage, generator, pace, report)
  if (names.has('hold')) await measureHolds(stage, generator, pace, report)

  if (names.has('webhooks')) {
    log('Measuring deliveries of webhooks')
    report.deliveries(await measureDeliveries(stage, generator, pace))
  }
  if (names.has('sweep')) {
    log('Measuring sweeps of what has run out')
    report.sweeps(await measureSweeps(stage, generator, pace))
  }
  await measureSettlement({ stage, generator, pace, names, directory }, report)

  console.log(`\n${report.markdown()}\n`)
  if (!isQuick && names.size === NAMES.length) await writeDocument(report.markdown())
  return report.exitCode({ isQuick })
}

interface Setting {
  stage: Stage
  generator: LoadGenerator
  pace: Pace & Size
  names: Set<string>
  directory: string
}

async function measureSettlement({ names, ...setting }: Setting, report: Report) {
  const { stage, generator, pace, directory } = setting
  const settlement = new Settlement(stage.small, directory, pace)
  if (names.has('export')) {
    log('Measuring exports of a month')
    report.exports(await settlement.measureExports())
  }
  if (names.has('rules')) {
    log('Measuring the rules over a month')
    report.rules(await settlement.measureRules())
  }
  if (names.has('matching')) {
    log('Measuring a register of a month')
    report.matching(await settlement.measureMatching())
  }
  if (names.has('beside')) {
    log('Measuring partners beside an export')
    const month = await settlement.sold()
    report.beside(await measureBeside(stage, generator, { month, pace }))
  }
}

async function freshnessUnderLoad(
  stage: Stage,
  generator: LoadGenerator,
  { lasts }: Pace
): Promise<Freshness> {
  const { port, seatsEvent, sector, partners } = stage.small
  const path = `/events/${seatsEvent}/seats?sector=${sector}`
  const job = {
    kind: 'read',
    port,
    path,
    partner: partners.bulk,
    connections: READERS,
    lasts,
  } as const
  let isOver = false
  const load = generator.run(job).finally(() => (isOver = true))
  const [seats] = await freeSectors(stage.small, seatsEvent)
  const [freshness] = await Promise.all([checkFreshness(stage.small, seats, () => isOver), load])
  return freshness
}

async function measureRush(
  { small, ...stage }: Stage,
  generator: LoadGenerator,
  pace: Pace,
  report: Report
) {
  log('Measuring a rush of buyers on the same sectors')
  const partners = [small.partners.bulk, small.partners.rival]
  const soldTwice: string[] = []
  const contender = {
    name: 'ours' as const,
    groups: groupsOf({ small, ...stage }, small),
    job: async (lasts: number) => {
      await releaseHolds(small)
      const { eventId, sectors } = await freestEvent(small)
      const crowd = { connections: RUSH_CONNECTIONS, lasts }
      return { kind: 'rush', port: small.port, partners, eventId, sectors, ...crowd } as const
    },
  }
  const rounds = []
  for (let round = 0; round < Math.min(3, pace.rounds); round++) {
    const result = await runRound(generator, contender, 2 * pace.lasts)
    soldTwice.push(...result.outcome.soldTwice)
    rounds.push(result)
  }
  report.rush(summarise(rounds), soldTwice.length + (await oversold(small)))
}

async function measureHolds(
  { small, ...stage }: Stage,
  generator: LoadGenerator,
  pace: Pace,
  report: Report
) {
  log(`Measuring holds at ${ARRIVALS_PER_SECOND} a second`)
  await releaseHolds(small)
  const { eventId, sectors } = await freestEvent(small)
  const contender = {
    name: 'ours' as const,
    groups: groupsOf({ small, ...stage }, small),
    job: async (lasts: number) => {
      const partners = [small.partners.bulk, small.partners.rival]
      const seats = sectors.slice(0, 3).flat()
      const rate = { perSecond: ARRIVALS_PER_SECOND, lasts }
      return { kind: 'arrivals', port: small.port, partners, eventId, seats, ...rate } as const
    },
  }
  report.holds(summarise([await runRound(generator, contender, 4 * pace.lasts)]))
}

function readArguments(args: string[]) {
  const { quick, only } = parseArgs({
    args,
    options: { quick: { type: 'boolean' }, only: { type: 'string', multiple: true } },
  }).values
  const unknown = only?.find((name) => !NAMES.includes(name as Name))
  if (unknown) throw new StartUpError(`--only ${unknown}: choose one of ${NAMES.join(', ')}`)
  return { isQuick: quick ?? false, names: new Set<string>(only ?? NAMES) }
}
