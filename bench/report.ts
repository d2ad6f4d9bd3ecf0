import type { LatencyDuringExport } from './latency_during_export.ts'
import type { Comparison } from './comparisons.ts'
import type { Freshness } from './freshness.ts'
import type { RoundTrips } from './round_trips.ts'
import type { Measurement } from './build_jobs/jobs.ts'
import { median, ratioOf, type Figures } from './rounds.ts'
import type { EvidenceResult, Exports, MatchingResult } from './settlement.ts'
import type { Sweeps } from './sweeps.ts'
import { table, type Align } from './markdown.ts'

interface Row {
  name: string
  ours: string
  limit: string
  ratio: string
  target: string
  isMet: boolean
  /** Rates are not judged when rounds are short; counts of what must never happen always are. */
  isRate: boolean
}

const MIN_RATIO_AT_SCALE = 0.9
const MIN_FLOWS = 400
const MAX_HOLD_MS = 100
const MIN_DELIVERIES = 0.35
const MAX_SWEEP_SECONDS = 60
const MAX_BOOKING_MS = 150
/** How many times longer a sweep of the same number may take in a table that has grown. */
const MAX_SWEEP_GROWTH = 2
const MAX_EXPORT_RATIO = 1.5
const MAX_EXPORT_MEGABYTES = 350
/** The growth of peak memory for ten times as many rows. */
const MAX_EXPORT_GROWTH = 1.5
const MAX_EXPORT_BLOCK_MS = 250
const MAX_RULES_SECONDS = 20
const MAX_MATCHING_SECONDS = 20
const MAX_EVIDENCE_MS = 200
const MAX_RISE_DURING_EXPORT = 1.2
const EXPECTED =
  /^200$|^sold$|^done$|^booking_expired$|^\w+ 20[01]$|^booking 409 SEATS_NOT_AVAILABLE$/
const PROCESSES = ['web', 'worker', 'postgres', 'redis', 'generator']

/** Collects the measurements and compares them with the targets. */
export class Report {
  readonly #rows: Row[] = []
  readonly #atScale: Row[] = []
  readonly #figures: [name: string, figures: Figures][] = []
  readonly #unexpected = new Map<string, number>()
  #roundTrips: RoundTrips[] = []

  roundTrips(trips: RoundTrips[]) {
    this.#roundTrips = trips
  }

  comparison({ title, target }: Comparison, all: Record<string, Figures>) {
    const { ours, limit } = all
    const atScale = all['at scale']
    this.#rows.push(ratioRow(title, ours, limit, target))
    this.#atScale.push(ratioRow(`${title}, at scale`, atScale, ours, MIN_RATIO_AT_SCALE))
    this.#addFigures(title, ours)
    this.#addFigures(`${title}: its limit`, limit)
    this.#addFigures(`${title}: at scale`, atScale)
  }

  freshness({ checks, stale }: Freshness) {
    this.#never(`reads that began after a commit and missed it, of ${whole(checks)}`, stale)
  }

  rush(figures: Figures, oversold: number) {
    const { perSecond } = figures
    this.#rows.push({
      ...bare('flows of buyers who all want the same sectors, a second', whole(perSecond)),
      target: `≥ ${MIN_FLOWS}`,
      isMet: perSecond >= MIN_FLOWS,
      isRate: true,
    })
    this.#addFigures('flow in a rush', figures)
    this.#never('seats sold twice in that rush', oversold)
  }

  holds(figures: Figures) {
    this.#rows.push({
      ...bare('hold at 100 requests a second, p95 in ms', figures.p95.toFixed(1)),
      target: `< ${MAX_HOLD_MS}`,
      isMet: figures.p95 < MAX_HOLD_MS,
      isRate: true,
    })
    this.#addFigures('hold at 100 a second', figures)
  }

  deliveries({ ours, limit }: Record<'ours' | 'limit', Figures>) {
    this.#rows.push(ratioRow('webhooks delivered, against empty jobs', ours, limit, MIN_DELIVERIES))
    this.#addFigures('webhook delivered', ours)
    this.#addFigures('webhook delivered: its limit, an empty job', limit)
  }

  sweeps({ holds, seconds, bookings, few }: Sweeps) {
    const inTime = (name: string, value: string, target: string, isMet: boolean) =>
      this.#rows.push({ ...bare(name, value), target, isMet, isRate: true })
    inTime(
      `${whole(holds)} holds that ran out at once, swept in seconds`,
      seconds.toFixed(1),
      `≤ ${MAX_SWEEP_SECONDS}`,
      seconds <= MAX_SWEEP_SECONDS
    )
    inTime(
      'bookings meanwhile, p95 in ms',
      bookings.p95.toFixed(1),
      `< ${MAX_BOOKING_MS}`,
      bookings.p95 < MAX_BOOKING_MS
    )
    const growth = few.inLarge / few.inSmall
    this.#rows.push({
      name: `ms of a sweep of ${whole(few.due)}, with ${whole(few.grownBy)} bookings more in the table`,
      ours: whole(few.inLarge),
      limit: whole(few.inSmall),
      ratio: growth.toFixed(2),
      target: `≤ ${MAX_SWEEP_GROWTH.toFixed(2)}`,
      isMet: growth <= MAX_SWEEP_GROWTH,
      isRate: true,
    })
    this.#addFigures('booking during a sweep', bookings)
  }

  exports({ tickets, ours, bare, few }: Exports) {
    const book = `workbook of ${whole(tickets)} tickets`
    this.#atMost(
      `${book}, seconds, against bare exceljs`,
      [ours.seconds, bare.seconds],
      MAX_EXPORT_RATIO
    )
    const memory = [ours.peakMegabytes, bare.peakMegabytes].map(whole)
    this.#rows.push({
      name: `${book}, peak memory in MB`,
      ours: memory[0],
      limit: memory[1],
      ratio: '',
      target: `< ${MAX_EXPORT_MEGABYTES}`,
      isMet: ours.peakMegabytes < MAX_EXPORT_MEGABYTES,
      isRate: true,
    })
    const growth: [number, number] = [ours.peakMegabytes, few.ours.peakMegabytes]
    this.#atMost(
      `${book}, against that of ${whole(few.tickets)}, peak memory`,
      growth,
      MAX_EXPORT_GROWTH
    )
    this.#below(
      `${book}, longest wait of the event loop in ms`,
      ours.longestBlockMs,
      MAX_EXPORT_BLOCK_MS
    )
  }

  rules({ counts, seconds, peakMegabytes }: Measurement) {
    const summary = `${whole(counts.cases)} cases, ${whole(peakMegabytes)} MB at most`
    const name = `a month of ${whole(counts.orders)} orders under all rules, seconds (${summary})`
    this.#below(name, seconds, MAX_RULES_SECONDS)
  }

  matching({ rows, orders, measurement: { counts, seconds, peakMegabytes } }: MatchingResult) {
    const summary = `${whole(counts.matched)} matched, ${whole(peakMegabytes)} MB at most`
    const name = `a register of ${whole(rows)} rows read and matched with ${whole(orders)} orders, seconds (${summary})`
    this.#below(name, seconds, MAX_MATCHING_SECONDS)
  }

  evidence({ registers, rows, month, lastDays }: EvidenceResult) {
    const of = `${registers} confirmed registers of ${whole(rows)} rows altogether`
    for (const [period, { counts }] of [
      ['a check of the month', month],
      ['a check of the last two days', lastDays],
    ] as const) {
      const name = `evidence of ${of} for ${period}, ms (${whole(counts.differing)} orders in it)`
      this.#below(name, counts.milliseconds, MAX_EVIDENCE_MS)
    }
  }

  latencyDuringExport(all: LatencyDuringExport[]) {
    for (const { request, quiet, counting, exporting } of all) {
      for (const part of ['p50', 'p95'] as const) {
        this.#rows.push(rise(`${request} during an export, ${part} in ms`, part, exporting, quiet))
        const name = `the same, against processes that only count, ${part} in ms`
        this.#rows.push(rise(name, part, exporting, counting))
      }
      for (const figures of [...quiet, ...counting, ...exporting]) this.#expect(figures)
    }
  }

  exitCode({ isQuick }: { isQuick: boolean }) {
    const counted = this.#allRows().filter(({ isRate }) => !isRate || !isQuick)
    return counted.every(({ isMet }) => isMet) ? 0 : 1
  }

  markdown() {
    return [
      this.#verdicts(),
      'CPU milliseconds of each process for one request, and the spread of the rounds:',
      this.#costs(),
      'The statements and commands of a single request; concurrent requests share their reads:',
      this.#trips(),
    ].join('\n\n')
  }

  #allRows(): Row[] {
    const unexpected = [...this.#unexpected].map(([what, times]) => `${times} × ${what}`)
    const row = never(['unexpected answers', ...unexpected].join(', '), unexpected.length)
    return [...this.#rows, ...this.#atScale, row]
  }

  #verdicts() {
    const rows = this.#allRows().map(({ name, ours, limit, ratio, target, isMet }) => {
      return [name, ours, limit, ratio, target, isMet ? 'met' : '**missed**']
    })
    const head = ['', 'ours', 'limit', 'ratio', 'target', '']
    return table(head, rows, aligned(4))
  }

  #costs() {
    const rows = this.#figures.map(([name, { perSecond, spread, p50, p95, cpuMs }]) => [
      name,
      whole(perSecond),
      `${Math.round(spread * 100)} %`,
      p50.toFixed(1),
      p95.toFixed(1),
      ...PROCESSES.map((process) => cpuMs[process]?.toFixed(3) ?? ''),
    ])
    const head = ['', 'a second', 'spread', 'p50 ms', 'p95 ms', ...PROCESSES]
    return table(head, rows, aligned(head.length - 1))
  }

  #trips() {
    const rows = this.#roundTrips.map(({ request, statements, commands }) => {
      const names = statements.map(({ name, text }) => name || text)
      return [
        request,
        String(names.length),
        names.join(', '),
        String(commands.length),
        commands.join(', '),
      ]
    })
    const head = ['', 'PostgreSQL', 'statements', 'Redis', 'commands']
    return table(head, rows, ['left', 'right', 'left', 'right', 'left'])
  }

  #addFigures(name: string, figures: Figures) {
    this.#figures.push([name, figures])
    this.#expect(figures)
  }

  #expect(figures: Figures) {
    for (const [what, times] of Object.entries(figures.answers)) {
      if (!EXPECTED.test(what))
        this.#unexpected.set(what, (this.#unexpected.get(what) ?? 0) + times)
    }
  }

  #below(name: string, value: number, most: number) {
    const text = value < 100 ? value.toFixed(1) : whole(value)
    this.#rows.push({ ...bare(name, text), target: `< ${most}`, isMet: value < most, isRate: true })
  }

  #atMost(name: string, [ours, limit]: [number, number], most: number) {
    const ratio = ours / limit
    this.#rows.push({
      name,
      ours: ours.toFixed(1),
      limit: limit.toFixed(1),
      ratio: ratio.toFixed(2),
      target: `≤ ${most.toFixed(2)}`,
      isMet: ratio <= most,
      isRate: true,
    })
  }

  #never(name: string, times: number) {
    this.#rows.push(never(name, times))
  }
}

const whole = (value: number) => Math.round(value).toLocaleString('en')
const bare = (name: string, ours: string) => ({ name, ours, limit: '', ratio: '' })

/** How many times longer the same request takes: the median over the rounds. */
function rise(name: string, part: 'p50' | 'p95', ours: Figures[], limit: Figures[]): Row {
  const ratio = median(ours.map((figures, round) => figures[part] / limit[round][part]))
  const middle = (rounds: Figures[]) => median(rounds.map((figures) => figures[part])).toFixed(1)
  return {
    name,
    ours: middle(ours),
    limit: middle(limit),
    ratio: ratio.toFixed(2),
    target: `≤ ${MAX_RISE_DURING_EXPORT.toFixed(2)}`,
    isMet: ratio <= MAX_RISE_DURING_EXPORT,
    isRate: true,
  }
}

const aligned = (numbers: number): Align[] => ['left', ...Array<Align>(numbers).fill('right')]

const never = (name: string, times: number): Row => ({
  ...bare(name, whole(times)),
  target: '0',
  isMet: times === 0,
  isRate: false,
})

function ratioRow(name: string, ours: Figures, limit: Figures, target: number): Row {
  const ratio = ratioOf(ours, limit)
  return {
    name,
    ours: whole(ours.perSecond),
    limit: whole(limit.perSecond),
    ratio: ratio.toFixed(2),
    target: `≥ ${target.toFixed(2)}`,
    isMet: ratio >= target,
    isRate: true,
  }
}
