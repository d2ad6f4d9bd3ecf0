import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExportJob, JobCounts, Measurement } from './build_jobs/jobs.ts'
import { measureJob } from './build_process.ts'
import { fillMonth, type Month, type MonthSize } from '../tests/support/filled_month.ts'
import { MOST_ROWS, writeRegister } from '../tests/support/filled_register.ts'
import type { Site } from './testbed.ts'

const TICKETS_AN_ORDER = 4
/** Paid orders in a hundred of a month (tests/support/filled_month.ts). */
const PAID = 95
/** Of one source, one after the other. */
const EVIDENCE_REGISTERS = 6
const DAYS_OF_A_REGISTER = 5
const DAYS_OF_A_MONTH = 31
/** Of the period that is checked every few minutes (app/defects/jobs/check_partners.ts). */
const LAST_DAYS = 2
const DAY_MS = 86_400_000

export interface SettlementSize {
  /** Of the month that is exported. */
  exportedTickets: number
  judgedOrders: number
  registerRows: number
  /** Of each of the registers that are read as evidence. */
  evidenceRows: number
}

export interface Exports {
  tickets: number
  /** The whole month. */
  ours: Measurement
  bare: Measurement
  few: { tickets: number; ours: Measurement }
}

export interface MatchingResult {
  rows: number
  orders: number
  measurement: Measurement
}

export interface EvidenceResult {
  registers: number
  /** Of all of them. */
  rows: number
  /** For a check of the whole month, and of the last days of the last register. */
  month: Measurement
  lastDays: Measurement
}

/** Measures settlement on generated months, each filled on first use. */
export class SettlementMeasurements {
  readonly #site: Site
  readonly #directory: string
  readonly #size: SettlementSize
  #sold: Promise<Month> | undefined

  constructor(site: Site, directory: string, size: SettlementSize) {
    this.#site = site
    this.#directory = directory
    this.#size = size
  }

  /** The month that is exported. */
  sold() {
    const orders = Math.ceil((this.#size.exportedTickets / TICKETS_AN_ORDER / PAID) * 100)
    return (this.#sold ??= this.#fill({ orders, ticketsPerOrder: TICKETS_AN_ORDER }, 'MS'))
  }

  /** Exports the month, its first tenth, and the month again by bare exceljs. */
  async measureExports(): Promise<Exports> {
    const month = await this.sold()
    const tenth = partOf(month, 0, 10)
    const few = await this.#export('export', month, tenth)
    const ours = await this.#export('export', month, month)
    const bare = await this.#export('bare_export', month, month)
    assertSameRows(ours, bare)
    const tickets = ours.counts.tickets
    return { tickets, ours, bare, few: { tickets: few.counts.tickets, ours: few } }
  }

  async measureRules(): Promise<Measurement> {
    const size = { orders: this.#size.judgedOrders, ticketsPerOrder: 1 }
    const { partnerId, from, to } = await this.#fill(size, 'MJ')
    return measureJob(this.#site, { kind: 'rules', partnerId, ...toJson({ from, to }) })
  }

  async measureMatching(): Promise<MatchingResult> {
    const wanted = Math.min(this.#size.registerRows, MOST_ROWS)
    const orders = ordersFor(wanted)
    const month = await this.#fill({ orders, ticketsPerOrder: 1 }, 'MM')
    const path = join(this.#directory, 'register.csv')
    const rows = await writeRegister(this.#site.database, month, { path, rows: wanted })
    const { partnerCode } = month
    const job = { kind: 'matching', partnerCode, ...toJson(month), path } as const
    const measurement = await measureJob(this.#site, job)
    await this.#cancelRuns()
    return { rows, orders, measurement }
  }

  /** Reads what confirmed registers of a month show, as a check of the month does, and one of the last days. */
  async measureEvidence(): Promise<EvidenceResult> {
    const wanted = this.#size.evidenceRows
    const orders = ordersFor((wanted / DAYS_OF_A_REGISTER) * DAYS_OF_A_MONTH)
    const month = await this.#fill({ orders, ticketsPerOrder: 1 }, 'ME')
    const { partnerId, partnerCode } = month
    const registers = []
    let rows = 0
    for (let index = 0; index < EVIDENCE_REGISTERS; index++) {
      const first = month.from.getTime() + index * DAYS_OF_A_REGISTER * DAY_MS
      const days = { from: new Date(first), to: new Date(first + DAYS_OF_A_REGISTER * DAY_MS) }
      const path = join(this.#directory, `evidence-${index}.csv`)
      rows += await writeRegister(
        this.#site.database,
        { partnerId, ...days },
        { path, rows: wanted }
      )
      registers.push({ partnerCode, ...toJson(days), path })
    }
    await measureJob(this.#site, { kind: 'confirming', registers })
    await this.#cancelRuns()
    // As autovacuum would within a minute.
    await this.#site.database.query(
      'VACUUM (ANALYZE) partner_register_rows, partner_register_cases, partner_register_case_rows, partner_register_case_orders'
    )
    const end = new Date(registers.at(-1)!.to)
    const lastDays = { from: new Date(end.getTime() - LAST_DAYS * DAY_MS), to: end }
    const read = (period: Period) =>
      measureJob(this.#site, { kind: 'evidence', partnerId, ...toJson(period) })
    return {
      registers: EVIDENCE_REGISTERS,
      rows,
      month: await read(month),
      lastDays: await read(lastDays),
    }
  }

  /** Registers ask for runs, which the jobs have already done or do not need. */
  async #cancelRuns() {
    await this.#site.database.query(
      `UPDATE settlement_runs SET state = 'cancelled', finished_at = clock_timestamp() WHERE state = 'queued'`
    )
  }

  #fill(size: Pick<MonthSize, 'orders' | 'ticketsPerOrder'>, prefix: string) {
    const partnerCode = `month-${prefix.toLowerCase()}`
    return fillMonth(this.#site.database, { ...size, prefix, partnerCode })
  }

  async #export(kind: ExportJob['kind'], { partnerCode }: Month, period: Period) {
    const directory = await mkdtemp(join(this.#directory, 'export-'))
    const path = join(directory, 'month.xlsx')
    const measurement = await measureJob(this.#site, { kind, partnerCode, ...toJson(period), path })
    await rm(directory, { recursive: true })
    return measurement
  }
}

/** How many orders a month needs for a register of so many rows. */
const ordersFor = (rows: number) => Math.ceil(((rows * 1.02) / PAID) * 100)

export interface Period {
  from: Date
  to: Date
}

/** One of several equal parts of a month. */
export function partOf({ from, to }: Period, index: number, parts: number): Period {
  const length = (to.getTime() - from.getTime()) / parts
  const at = (part: number) => new Date(Math.round(from.getTime() + part * length))
  return { from: at(index), to: at(index + 1) }
}

export const toJson = ({ from, to }: Period) => ({
  from: from.toISOString(),
  to: to.toISOString(),
})

function assertSameRows(one: Measurement, other: Measurement) {
  const text = ({ counts }: { counts: JobCounts }) => JSON.stringify(counts)
  if (text(one) !== text(other))
    throw new Error(`Both exports should have written the same rows: ${text(one)}, ${text(other)}`)
}
