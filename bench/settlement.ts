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

export interface SettlementSize {
  /** Of the month that is exported. */
  exportedTickets: number
  judgedOrders: number
  registerRows: number
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
    const orders = Math.ceil(((wanted * 1.02) / PAID) * 100)
    const month = await this.#fill({ orders, ticketsPerOrder: 1 }, 'MM')
    const path = join(this.#directory, 'register.csv')
    const rows = await writeRegister(this.#site.database, month, { path, rows: wanted })
    const { partnerCode } = month
    const job = { kind: 'matching', partnerCode, ...toJson(month), path } as const
    const measurement = await measureJob(this.#site, job)
    // Reading has queued a run that matches; the job has already done so.
    await this.#site.database.query(
      `UPDATE settlement_runs SET state = 'cancelled', finished_at = clock_timestamp() WHERE state = 'queued'`
    )
    return { rows, orders, measurement }
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
