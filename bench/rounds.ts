import { cpuSeconds, difference, type Seconds } from './cpu.ts'
import type { Job, Outcome } from './generator/jobs.ts'
import type { LoadGenerator } from './load_generator.ts'

/** One side of a comparison. */
export interface Contender {
  name: 'ours' | 'limit' | 'at scale'
  job(lasts: number): Promise<Job>
  /** The process group that serves it, beside PostgreSQL and Redis. */
  groups: Record<string, number>
}

export interface Figures {
  /** Units per second of each round. */
  rates: number[]
  /** Their median. */
  perSecond: number
  /** (Highest − lowest) / median of the rounds. */
  spread: number
  /** The medians of the rounds' percentiles, in ms. */
  p50: number
  p95: number
  p99: number
  /** CPU milliseconds that one unit costs each process. */
  cpuMs: Seconds
  answers: Record<string, number>
}

export interface Pace {
  rounds: number
  /** Of one round, in ms. */
  lasts: number
  warmUp: number
}

interface Round {
  outcome: Outcome
  cpu: Seconds
}

/** Takes turns, so that what slows the machine down for a while slows all of them. */
export async function takeTurns<Name extends Contender['name']>(
  generator: LoadGenerator,
  contenders: (Contender & { name: Name })[],
  { rounds, lasts, warmUp }: Pace
): Promise<Record<Name, Figures>> {
  for (const contender of contenders) await generator.run(await contender.job(warmUp))
  const results = new Map(contenders.map((each) => [each.name, [] as Round[]]))
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) {
      results.get(contender.name)!.push(await runRound(generator, contender, lasts))
    }
  }
  const entries = [...results].map(([name, all]) => [name, summarise(all)])
  return Object.fromEntries(entries)
}

export async function runRound(
  generator: LoadGenerator,
  contender: Contender,
  lasts: number
): Promise<Round> {
  const job = await contender.job(lasts)
  const groups = { ...contender.groups, generator: generator.pid }
  const before = cpuSeconds(groups)
  const outcome = await generator.run(job)
  return { outcome, cpu: difference(cpuSeconds(groups), before) }
}

export function summarise(rounds: Round[]): Figures {
  const outcomes = rounds.map(({ outcome }) => outcome)
  const rates = outcomes.map((each) => each.perSecond)
  const done = sum(outcomes.map((each) => each.done))
  const perUnit = (name: string) => (1000 * sum(rounds.map(({ cpu }) => cpu[name]))) / done
  const perSecond = median(rates)
  return {
    rates,
    perSecond,
    spread: (Math.max(...rates) - Math.min(...rates)) / perSecond,
    p50: median(outcomes.map((each) => each.p50)),
    p95: median(outcomes.map((each) => each.p95)),
    p99: median(outcomes.map((each) => each.p99)),
    cpuMs: Object.fromEntries(Object.keys(rounds[0].cpu).map((name) => [name, perUnit(name)])),
    answers: addUp(outcomes.map((each) => each.answers)),
  }
}

function addUp(all: Record<string, number>[]) {
  const total: Record<string, number> = {}
  for (const answers of all) {
    for (const [what, times] of Object.entries(answers)) total[what] = (total[what] ?? 0) + times
  }
  return total
}

/** How two figures of the same turns compare: the median over the turns, so that what slows both does not count. */
export const ratioOf = (one: Figures, other: Figures) =>
  median(one.rates.map((rate, round) => rate / other.rates[round]))

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

export function median(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
