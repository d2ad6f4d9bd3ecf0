import type { OurOrder } from '#reconciliation/matching/match_case'
import { startMatcher } from '#reconciliation/matching/register_matcher'
import type { MatchRow } from '#reconciliation/matching/match_row'
import type { RawRow } from '#spreadsheets/read_table'
import { LoopTurns } from '#tests/support/loop_turns'
import { test } from '@japa/runner'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { anOrder, aRow, parseRegister, sold, USUAL_SETTINGS } from './support.js'

const ROWS = 200_000
/** Enough for anything quadratic to be noticed, and over soon. */
const HOSTILE_ROWS = 30_000
const LONG_MS = 60_000
/** The worker's event loop keeps leases and heartbeats. */
const LONGEST_BLOCK_MS = 250
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

/** How long the work took, and the longest that it kept the event loop. */
async function measured<T>(name: string, work: () => Promise<T>): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const before = process.memoryUsage().heapUsed
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  delay.enable()
  const result = await work()
  delay.disable()
  const took = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  const [block, heap] = [delay.max / 1e6, (process.memoryUsage().heapUsed - before) / 1e6]
  const figures = `${took.toFixed(0)} ms (${((user + system) / 1e3).toFixed(0)} ms of CPU), longest block ${block.toFixed(0)} ms, heap ${heap.toFixed(0)} MB`
  console.log(`    ${name}: ${figures}`)
  if (took > LONG_MS) throw new Error(`${name} took ${took} ms`)
  return result
}

/** As the worker does: in batches to a thread and back, while its own event loop stays free. */
async function matchOnThread(rows: MatchRow[], known: OurOrder[]) {
  const turns = new LoopTurns()
  const { remote, end } = startMatcher(new AbortController().signal)
  try {
    for (const from of batches(rows)) await remote.addRows(rows.slice(from, from + BATCH))
    for (const from of batches(known)) await remote.addOrders(known.slice(from, from + BATCH))
    const summary = await remote.match({ ...USUAL_SETTINGS, events: [] })
    for (let from = 0; from < summary.cases; from += BATCH) await remote.casesFrom(from, BATCH)
    const blockMs = turns.longestMs
    if (blockMs > LONGEST_BLOCK_MS) throw new Error(`The event loop was blocked for ${blockMs} ms`)
    return summary
  } finally {
    turns.stop()
    await end()
  }
}

const BATCH = 1_000
const batches = ({ length }: unknown[]) =>
  numbers(Math.ceil(length / BATCH)).map((n) => (n - 1) * BATCH)

const spread = (n: number) => Date.UTC(2026, 8, 1) + n * 12_000
const orders = (count: number, changed: (n: number) => Partial<OurOrder> = () => ({})) =>
  numbers(count).map((n) => anOrder(n, { paidAt: spread(n), ...changed(n) }))

test.group('Long registers', (group) => {
  group.each.timeout(120_000)

  test('a register of 200,000 rows is read within a minute', async ({ assert }) => {
    const raw = function* (): Generator<RawRow> {
      for (const n of numbers(ROWS))
        yield {
          line: n + 1,
          cells: [`P-${n}`, `X-${n}`, '15.09.2026 14:05:06', '10 000,00 ₸', 'Оплата'],
        }
    }
    const mapping = { partnerOrderId: 0, paymentId: 1, paidAt: 2, amount: 3, kind: 4 }
    const shape = { headerLine: 1, headers: [], mapping }
    const { control } = await measured('200000 read', async () => parseRegister(raw(), shape))
    assert.deepInclude(control, { rowsIn: ROWS, parsed: ROWS, sumTenge: 10_000n * BigInt(ROWS) })
  })

  const registers: [string, (n: number) => MatchRow, ((n: number) => Partial<OurOrder>)?][] = [
    ['by exact identifiers', (n) => sold(n, n)],
    ['with a fee in every amount', (n) => sold(n, n, { amountTenge: 10_500n })],
    ['by damaged keys', (n) => aRow(n, { orderKey: ` р-${n}` })],
    [
      'by likeness',
      (n) => aRow(n, { event: 'evt_1', at: spread(n), amountTenge: 5_000n + BigInt(n % 1_000) }),
      (n) => ({ totalTenge: 5_000n + BigInt(n % 1_000) }),
    ],
    ['all alike', (n) => aRow(n, { event: 'evt_1', at: spread(n) })],
    [
      'all refunds alike',
      (n) => aRow(n, { at: spread(n), amountTenge: -10_000n }),
      (n) => ({
        refundedTenge: 10_000n,
        voids: [{ at: spread(n), tenge: 10_000 }],
      }),
    ],
    [
      'all with one damaged payment',
      (n) => aRow(n, { paymentId: '1.23E+17' }),
      (n) => ({ externalPaymentId: `123${String(n).padStart(15, '0')}` }),
    ],
    ['all of one order', (n) => sold(n, 1)],
    ['all of no order', (n) => sold(n, n, { orderKey: `Q-${n}`, paymentId: null })],
  ]
  for (const [name, row, changed] of registers) {
    const count = name === 'by exact identifiers' ? ROWS : HOSTILE_ROWS
    test(`a register of ${count} rows is matched within a minute, ${name}`, async ({ assert }) => {
      const [rows, known] = [numbers(count).map(row), orders(count, changed)]
      const { totals } = await measured(`${count} ${name}`, () => matchOnThread(rows, known))
      const placed = Object.values(totals).reduce((all, part) => all + part.rows, 0)
      assert.equal(placed, count)
    })
  }
})
