import { parseArgs } from 'node:util'
import { log } from '../dev/output.ts'
import { removeServices, createEphemeralDirectory } from '../dev/start_services.ts'
import { StartUpError } from '../dev/start_up_error.ts'
import { Supervisor } from '../dev/supervisor.ts'
import { startBare } from './bare_server.ts'
import { readParameterNames } from './build_process.ts'
import { comparisons, groupsOf, READERS } from './comparisons.ts'
import { measureDeliveries } from './deliveries.ts'
import { checkFreshness, type Freshness } from './freshness.ts'
import { measureLatencyDuringExport } from './latency_during_export.ts'
import { LoadGenerator } from './load_generator.ts'
import { formatMarkdown, writeDocument } from './markdown.ts'
import { Report } from './report.ts'
import { countRoundTrips } from './round_trips.ts'
import { runRound, summarise, takeTurns, type Pace } from './rounds.ts'
import { SettlementMeasurements, type SettlementSize } from './settlement.ts'
import { startTestbed, type Testbed } from './testbed.ts'
import { measureSweeps, type SweepSize } from './sweeps.ts'
import { freeSectors, freestEvent, oversold, releaseHolds } from './stock.ts'

const COMPARED = ['event', 'seats', 'booking', 'flow'] as const
const NAMES = [
  ...COMPARED,
  'rush',
  'hold',
  'webhooks',
  'sweep',
  'export',
  'rules',
  'matching',
  'evidence',
  'throttle',
] as const
type Name = (typeof NAMES)[number]
const USAGE = `npm run bench -- [--quick] [--only <name>]…
  --quick  short rounds and small tables, to see that everything works
  --only   measures only this, may be repeated: ${NAMES.join(', ')}`

const FULL: Pace & Size = {
  rounds: 9,
  durationMs: 2_200,
  warmUpMs: 2_500,
  arenas: 6,
  timesEvents: 100,
  holds: 100_000,
  grownBy: 250_000,
  exportedTickets: 1_000_000,
  judgedOrders: 1_000_000,
  registerRows: 200_000,
  evidenceRows: 50_000,
}
const QUICK: Pace & Size = {
  rounds: 1,
  durationMs: 700,
  warmUpMs: 300,
  arenas: 2,
  timesEvents: 3,
  holds: 4_000,
  grownBy: 5_000,
  exportedTickets: 8_000,
  judgedOrders: 5_000,
  registerRows: 4_000,
  evidenceRows: 500,
}
const RUSH_CONNECTIONS = 40
const ARRIVALS_PER_SECOND = 100

interface Size extends SweepSize, SettlementSize {
  arenas: number
  timesEvents: number
}

/** Measures and prints the report. Returns the exit code: 1 when a target is missed. */
export async function bench(args: string[], cleanup: AsyncDisposableStack): Promise<number> {
  const { isQuick, names, help } = readArguments(args)
  if (help) {
    console.log(USAGE)
    return 0
  }
  const pace = isQuick ? QUICK : FULL
  const directory = await createEphemeralDirectory()
  const supervisor = new Supervisor(directory)
  const generator = new LoadGenerator()
  cleanup.defer(() => removeServices(directory))
  cleanup.defer(() => supervisor.stop())
  cleanup.defer(() => generator.stop())

  // Only comparisons use the large site.
  const isCompared = COMPARED.some((name) => names.has(name))
  const timesEvents = isCompared ? pace.timesEvents : 1
  const testbed = await startTestbed({ supervisor, directory, ...pace, timesEvents })
  cleanup.defer(() => testbed.small.database.end().then(() => testbed.large.database.end()))
  const bare = await startBare(supervisor, directory, testbed.small)
  const report = new Report()

  log('Counting round trips')
  const trips = await countRoundTrips(testbed)
  report.roundTrips(trips)

  const parameterNames = isCompared ? await readParameterNames(testbed.small) : {}
  for (const comparison of comparisons({ testbed, bare, trips, parameterNames })) {
    if (!names.has(comparison.name)) continue
    log(`Measuring ${comparison.title}`)
    report.comparison(comparison, await takeTurns(generator, comparison.contenders, pace))
    if (comparison.name === 'seats')
      report.freshness(await freshnessUnderLoad(testbed, generator, pace))
  }
  if (names.has('rush')) await measureRush(testbed, generator, pace, report)
  if (names.has('hold')) await measureHolds(testbed, generator, pace, report)

  if (names.has('webhooks')) {
    log('Measuring deliveries of webhooks')
    report.deliveries(await measureDeliveries(testbed, generator, pace))
  }
  if (names.has('sweep')) {
    log('Measuring sweeps of expired holds')
    report.sweeps(await measureSweeps(testbed, generator, pace))
  }
  await measureSettlement({ testbed, generator, pace, names, directory }, report)

  console.log(`\n${await formatMarkdown(report.markdown())}`)
  if (!isQuick && names.size === NAMES.length) await writeDocument(report.markdown())
  return report.exitCode({ isQuick })
}

interface Setting {
  testbed: Testbed
  generator: LoadGenerator
  pace: Pace & Size
  names: Set<string>
  directory: string
}

async function measureSettlement({ names, ...setting }: Setting, report: Report) {
  const { testbed, generator, pace, directory } = setting
  const settlement = new SettlementMeasurements(testbed.small, directory, pace)
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
  if (names.has('evidence')) {
    log('Measuring the evidence of a month of registers')
    report.evidence(await settlement.measureEvidence())
  }
  if (names.has('throttle')) {
    log('Measuring the latency of requests during an export')
    const month = await settlement.sold()
    report.latencyDuringExport(
      await measureLatencyDuringExport(testbed, generator, { month, pace })
    )
  }
}

async function freshnessUnderLoad(
  testbed: Testbed,
  generator: LoadGenerator,
  { durationMs }: Pace
): Promise<Freshness> {
  const { port, seatsEvent, sector, partners } = testbed.small
  const path = `/events/${seatsEvent}/seats?sector=${sector}`
  const job = {
    kind: 'read',
    port,
    path,
    partner: partners.bulk,
    connections: READERS,
    durationMs,
  } as const
  let isOver = false
  const load = generator.run(job).finally(() => (isOver = true))
  const [seats] = await freeSectors(testbed.small, seatsEvent)
  const [freshness] = await Promise.all([checkFreshness(testbed.small, seats, () => isOver), load])
  return freshness
}

async function measureRush(
  { small, ...testbed }: Testbed,
  generator: LoadGenerator,
  pace: Pace,
  report: Report
) {
  log('Measuring a rush of buyers on the same sectors')
  const partners = [small.partners.bulk, small.partners.rival]
  const soldTwice: string[] = []
  const contender = {
    name: 'ours' as const,
    groups: groupsOf({ small, ...testbed }, small),
    job: async (durationMs: number) => {
      await releaseHolds(small)
      const { eventId, sectors } = await freestEvent(small)
      const crowd = { connections: RUSH_CONNECTIONS, durationMs }
      return { kind: 'rush', port: small.port, partners, eventId, sectors, ...crowd } as const
    },
  }
  const rounds = []
  for (let round = 0; round < Math.min(3, pace.rounds); round++) {
    const result = await runRound(generator, contender, 2 * pace.durationMs)
    soldTwice.push(...result.outcome.soldTwice)
    rounds.push(result)
  }
  report.rush(summarise(rounds), soldTwice.length + (await oversold(small)))
}

async function measureHolds(
  { small, ...testbed }: Testbed,
  generator: LoadGenerator,
  pace: Pace,
  report: Report
) {
  log(`Measuring holds at ${ARRIVALS_PER_SECOND} a second`)
  await releaseHolds(small)
  const { eventId, sectors } = await freestEvent(small)
  const contender = {
    name: 'ours' as const,
    groups: groupsOf({ small, ...testbed }, small),
    job: async (durationMs: number) => {
      const partners = [small.partners.bulk, small.partners.rival]
      const seats = sectors.slice(0, 3).flat()
      const rate = { perSecond: ARRIVALS_PER_SECOND, durationMs }
      return { kind: 'arrivals', port: small.port, partners, eventId, seats, ...rate } as const
    },
  }
  report.holds(summarise([await runRound(generator, contender, 4 * pace.durationMs)]))
}

function readArguments(args: string[]) {
  const { quick, only, help } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      help: { type: 'boolean', default: false },
    },
  }).values
  const unknown = only?.find((name) => !NAMES.includes(name as Name))
  if (unknown) throw new StartUpError(`--only ${unknown}: choose one of ${NAMES.join(', ')}`)
  return { isQuick: quick, help, names: new Set<string>(only ?? NAMES) }
}
