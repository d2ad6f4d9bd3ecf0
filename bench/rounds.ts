import { cpuSeconds, difference, type Seconds } from './cpu.ts'
import type { Job, Outcome } from './generator/jobs.ts'
import type { LoadGenerator } from './load_generator.ts'

/** One side of a comparison. */
export interface Contender {
  name: 'ours' | 'limit' | 'at scale'
  job(durationMs: number): Promise<Job>
  /** Names and ids of the processes whose CPU time counts. */
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
  /** The duration of one round, in ms. */
  durationMs: number
  warmUpMs: number
}

interface Round {
  outcome: Outcome
  cpu: Seconds
}

/** Runs the contenders in turn, so that a slow phase of the machine affects all of them. */
export async function takeTurns<Name extends Contender['name']>(
  generator: LoadGenerator,
  contenders: (Contender & { name: Name })[],
  { rounds, durationMs, warmUpMs }: Pace
): Promise<Record<Name, Figures>> {
  for (const contender of contenders) await generator.run(await contender.job(warmUpMs))
  const results = new Map(contenders.map((each) => [each.name, [] as Round[]]))
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) {
      results.get(contender.name)!.push(await runRound(generator, contender, durationMs))
    }
  }
  const entries = [...results].map(([name, all]) => [name, summarise(all)])
  return Object.fromEntries(entries)
}

export async function runRound(
  generator: LoadGenerator,
  contender: Contender,
  durationMs: number
): Promise<Round> {
  const job = await contender.job(durationMs)
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

/** The median ratio of two contenders over the rounds, which cancels out whatever slows down both. */
export const ratioOf = (one: Figures, other: Figures) =>
  median(one.rates.map((rate, round) => rate / other.rates[round]))

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

export function median(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
