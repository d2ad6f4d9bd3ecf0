import {
  advance,
  isPlausible,
  marginOf,
  type Advance,
  type GivenNumber,
} from '#restores/advance_numbers'
import {
  highestNamed,
  readGapEvidence,
  type GapEvidence,
  type GapOrder,
} from '#restores/gap_evidence'
import { DATABASE, isBehind, LAST_NUMBERS, readHighWater, selectEpoch } from '#restores/high_water'
import type { Actor } from '#shared/actor'
import { DAY_MS } from '#shared/days'
import { record } from '#shared/journal'
import { idAt } from '#shared/journal_position'
import { statement } from '#shared/statement'
import { takeTurn } from '#shared/turn'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

interface Mark {
  installation: string
  database: string
  isOpen: boolean
  closedAt: Date | null
  because: 'dump' | 'behind' | null
  /** The last entry that the restore has brought back, and its moment. */
  restoredTo: Date | null
  epoch: string | null
  journal: bigint
  newestAt: Date | null
  now: Date
}

const selectMark = statement<Mark>(
  'restore_mark_state',
  `SELECT m.installation, ${DATABASE} AS database, is_restore_open() AS "isOpen", m.closed_at AS "closedAt", m.closed_because AS because, m.epoch,
          (SELECT at FROM journal WHERE id <= m.restored_entry ORDER BY id DESC LIMIT 1) AS "restoredTo",
          coalesce(newest.id, 0) AS journal, newest.at AS "newestAt", clock_timestamp() AS now
     FROM selling_mark m LEFT JOIN (SELECT id, at FROM journal ORDER BY id DESC LIMIT 1) newest ON true`
)

const selectNumbers = statement<GivenNumber>('restore_last_numbers', LAST_NUMBERS)

const setSequence = statement<object, { name: string; to: bigint }>(
  'restore_set_sequence',
  'SELECT advance_sequence(quote_ident(:name)::regclass, :to)'
)
const setCounter = statement<object, { name: string; to: bigint }>(
  'restore_set_counter',
  'UPDATE settlement_counters SET last = :to WHERE name = :name AND last < :to'
)
const reopenSelling = statement<object, { epoch: string }>(
  'restore_reopen_selling',
  `UPDATE selling_mark SET made_in = pg_current_xact_id(), closed_at = NULL, closed_because = NULL, restored_entry = NULL,
          epoch = :epoch, finished_at = clock_timestamp()`
)

export interface FinishInput {
  /** The moment that was restored to, if the database can't know it. */
  restoredTo?: Date
  /** By how much each number is advanced at least. */
  leastMargin?: bigint
}

export interface RestorePlan {
  isOpen: boolean
  because: Mark['because']
  /** Whether another history of the database has begun since the last `restore:finish`: a restore, or a failover. */
  isOtherHistory: boolean
  gap: { from: Date; to: Date }
  /** When the storage directory last knew how far the database had come; null when it doesn't know. */
  knownAt: Date | null
  advances: Advance[]
  evidence: GapEvidence
  /** Orders with numbers too high to be ours; they were not taken in. */
  implausible: GapOrder[]
}

const BUSIEST_OF_DAYS = 30

/** Ends what began with a restore: numbers of the gap are never given again, and selling goes on (ADR 30). */
export default class FinishRestore {
  /** What would be done; changes nothing. */
  async plan(input: FinishInput): Promise<RestorePlan> {
    const { plan } = await makePlan(input)
    return plan
  }

  /** Safe to repeat: a second time advances only what has become known since. */
  async handle({ actor, ...input }: FinishInput & { actor: Actor }): Promise<RestorePlan> {
    return transaction(async (trx) => {
      await takeTurn('restore', trx)
      const { plan, epoch } = await makePlan(input, trx)
      const { advances, evidence, isOpen, isOtherHistory } = plan
      if (!isOpen && !isOtherHistory && advances.length === 0) return plan
      // Numbers first: the entries below must have numbers that were never given.
      for (const { name, to } of advances) {
        const [, counter] = name.split(':')
        if (counter) await setCounter({ name: counter, to }, trx)
        else await setSequence({ name, to }, trx)
      }
      await reopenSelling({ epoch }, trx)
      await recordFinish(plan, actor, trx)
      for (const orders of byPartner(evidence.orders)) await recordGapSales(orders, actor, trx)
      return plan
    })
  }
}

async function makePlan(
  { restoredTo, leastMargin = 0n }: FinishInput,
  trx?: TransactionClientContract
): Promise<{ plan: RestorePlan; epoch: string }> {
  const mark = await selectMark.one({}, trx)
  const { epoch } = await selectEpoch.one({}, trx)
  const known = await readHighWater(mark.installation)
  const isOpen = mark.isOpen || (await isBehind(mark.database, known, trx))
  const isOtherHistory = mark.epoch !== epoch
  const from = restoredTo ?? mark.restoredTo ?? mark.newestAt ?? mark.now
  const to = mark.closedAt ?? mark.now
  const evidence = await readGapEvidence(from, trx)
  const named: Record<string, bigint> = highestNamed(evidence)
  const gapDays = Math.max(0, to.getTime() - from.getTime()) / DAY_MS
  const entriesOfBusiestDay = await readBusiestDay(from, trx)
  const numbers = await selectNumbers({}, trx)
  const pace = { entriesOfBusiestDay, gapDays, journal: mark.journal }
  const needsMargin = isOpen || isOtherHistory
  const margins = new Map(
    numbers.map((number) => {
      const margin = needsMargin ? marginOf(number, pace) : 0n
      return [number.name, margin > leastMargin ? margin : leastMargin]
    })
  )
  const advances = numbers
    .map((number) =>
      advance(number, margins.get(number.name)!, {
        stored: BigInt(known?.numbers[number.name] ?? 0),
        named: named[number.name] ?? 0n,
      })
    )
    .filter((found) => found !== null)
  const plan: RestorePlan = {
    isOpen,
    because: mark.because,
    isOtherHistory,
    gap: { from, to },
    knownAt: known ? new Date(known.at) : null,
    advances,
    evidence,
    implausible: implausibleOrders(evidence, numbers, margins),
  }
  return { plan, epoch }
}

function implausibleOrders(
  { orders }: GapEvidence,
  numbers: GivenNumber[],
  margins: Map<string, bigint>
) {
  const last = numbers.find(({ name }) => name === 'order_numbers')?.last ?? 0n
  const margin = margins.get('order_numbers') ?? 0n
  return orders.filter(
    ({ orderId }) => !isPlausible(BigInt(orderId.split('-').at(-1)!), last, margin)
  )
}

/** Entries of the busiest of the last days before the restore; every entry stands for some numbers of each kind. */
async function readBusiestDay(until: Date, trx?: TransactionClientContract): Promise<number> {
  let busiest = 0
  let next = await idAt(until, trx)
  for (let day = 1; day <= BUSIEST_OF_DAYS; day++) {
    const first = await idAt(new Date(until.getTime() - day * DAY_MS), trx)
    busiest = Math.max(busiest, Number(next - first))
    next = first
  }
  return busiest
}

async function recordFinish(
  { gap, advances }: RestorePlan,
  actor: Actor,
  trx: TransactionClientContract
) {
  const numbers = Object.fromEntries(
    advances.map(({ name, last, to }) => [name, { from: String(last), to: String(to) }])
  )
  const change = { restored_to: gap.from.toISOString(), numbers }
  await record('restore_finished', change, { actor }, trx)
}

/** More are in the registers themselves; an entry of the journal is no file. */
const MOST_RECORDED = 500

async function recordGapSales(orders: GapOrder[], actor: Actor, trx: TransactionClientContract) {
  const [{ partnerId }] = orders
  const tenge = orders.reduce((sum, order) => sum + (order.tenge ?? 0n), 0n)
  const change = {
    orders: orders.length,
    tenge: String(tenge),
    order_ids: orders.slice(0, MOST_RECORDED).map(({ orderId }) => orderId),
  }
  await record('restore_gap_sales', change, { actor, partnerId }, trx)
}

export const byPartner = (orders: GapOrder[]): GapOrder[][] =>
  Object.values(Object.groupBy(orders, ({ partner }) => partner)).filter((of) => of !== undefined)
