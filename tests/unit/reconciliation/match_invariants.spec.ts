import { isConfirmed, type OrderStatus } from '#sales/order_status'
import type { ConfirmEvidence, MatchCase, OurOrder } from '#reconciliation/matching/match_case'
import type { MatchRow } from '#reconciliation/matching/match_row'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { anOrder, aRow, at, matched } from './support.js'

const KEYS = ['P-1', 'P-2', 'p-2', ' Р-3', 'P-4', '1.23E+17', 'TIX-2026-000001', 'unknown']
const PAYMENTS = ['X-1', 'X-2', 'X-3', 'shared', '1.23457E+17', 'Y-1']
const AMOUNTS = [5_000n, 10_000n, 10_500n, 20_000n, -10_000n, -5_000n]
const MOMENTS = ['2026-09-15T12:00:00Z', '2026-09-15T12:05:00Z', '2026-07-01T00:00:00Z'].map(at)

const orNull = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values))

const someRows = fc.array(
  fc
    .record({
      orderKey: orNull(KEYS),
      orderId: orNull(['TIX-2026-000002']),
      paymentId: orNull(PAYMENTS),
      amountTenge: fc.constantFrom(...AMOUNTS),
      at: orNull(MOMENTS),
      event: orNull(['evt_1']),
      isNotPaid: fc.boolean(),
      isUnparseable: fc.constantFrom(false, false, false, true),
    })
    .filter(({ orderKey, paymentId, at: moment }) => (orderKey ?? paymentId ?? moment) !== null),
  { maxLength: 25 }
)

const STATUSES: OrderStatus[] = [
  'paid',
  'paid',
  'paid',
  'refunded',
  'expired',
  'cancelled',
  'pending',
]
const someOrders = fc.uniqueArray(
  fc.record({
    n: fc.integer({ min: 1, max: 9 }),
    externalPaymentId: orNull([...PAYMENTS, '123456789012345678']),
    totalTenge: fc.constantFrom(5_000n, 10_000n, 20_000n),
    status: fc.constantFrom(...STATUSES),
    statementPeriod: orNull(['this', 'earlier', 'later'] as const),
    isInPeriod: fc.boolean(),
  }),
  { selector: ({ n }) => n, maxLength: 9 }
)

const numbered = (rows: Partial<MatchRow>[]) => rows.map((row, i) => aRow(i + 2, row))
const ours = (orders: (Partial<OurOrder> & { n: number })[]) =>
  orders.map(({ n, ...changed }) =>
    anOrder(n, {
      ...changed,
      refundedTenge: changed.status === 'refunded' ? 5_000n : 0n,
      refundedInPeriodTenge: changed.status === 'refunded' && n % 2 > 0 ? 5_000n : 0n,
    })
  )
/** Late payments of the orders that expired. */
const attemptsFor = (orders: OurOrder[]): ConfirmEvidence[] =>
  orders
    .filter(({ status }) => status === 'expired')
    .map(({ orderId, totalTenge }) => ({
      orderIdSent: orderId,
      externalPaymentId: `late ${orderId}`,
      amountTenge: totalTenge,
      code: 'ORDER_EXPIRED',
    }))
const period = { from: new Date('2026-08-31T19:00:00Z'), to: new Date('2026-09-30T19:00:00Z') }

const sum = (rows: readonly MatchRow[]) =>
  rows.reduce((all, { amountTenge }) => all + (amountTenge ?? 0n), 0n)
const plain = (cases: MatchCase[]) =>
  cases.map(({ rows, orders, compared: _, ...judged }) => ({
    ...judged,
    lines: rows.map(({ line }) => line),
    orders: orders.map(({ orderId }) => orderId),
  }))

test.group('Invariants of matching', () => {
  test('every row and every paid order of the period is in exactly one match', async ({
    assert,
  }) => {
    await fc.assert(
      fc.asyncProperty(someRows, someOrders, async (sent, known) => {
        const [rows, orders] = [numbered(sent), ours(known)]
        const { cases } = await matched(rows, orders, { period, attempts: attemptsFor(orders) })
        const lines = cases.flatMap((judged) => judged.rows.map(({ line }) => line))
        assert.sameMembers(
          lines,
          rows.map(({ line }) => line)
        )
        const placed = cases.flatMap((judged) => judged.orders.map(({ orderId }) => orderId))
        assert.lengthOf(new Set(placed), placed.length)
        const due = orders.filter((order) => order.isInPeriod && isConfirmed(order.status))
        assert.includeMembers(
          placed,
          due.map(({ orderId }) => orderId)
        )
      }),
      { numRuns: 1000 }
    )
  })

  test('rows and amounts of the categories are those of the register', async ({ assert }) => {
    await fc.assert(
      fc.asyncProperty(someRows, someOrders, async (sent, known) => {
        const rows = numbered(sent)
        const { totals } = await matched(rows, ours(known), { period })
        const parts = Object.values(totals)
        assert.equal(
          parts.reduce((all, part) => all + part.rows, 0),
          rows.length
        )
        assert.equal(
          parts.reduce((all, part) => all + part.rowsTenge, 0n),
          sum(rows)
        )
      }),
      { numRuns: 500 }
    )
  })

  test('the order of rows and orders does not matter', async ({ assert }) => {
    const shuffles = fc.tuple(fc.infiniteStream(fc.nat(1_000)), someRows, someOrders)
    await fc.assert(
      fc.asyncProperty(shuffles, async ([dice, sent, known]) => {
        const shuffled = <T>(items: T[]) =>
          items
            .map((item) => ({ item, at: dice.next().value as number }))
            .sort((one, other) => one.at - other.at)
            .map(({ item }) => item)
        const [rows, orders] = [numbered(sent), ours(known)]
        const attempts = attemptsFor(orders)
        const one = await matched(rows, orders, { period, attempts })
        const shuffledInput = { period, attempts: shuffled(attempts) }
        const other = await matched(shuffled(rows), shuffled(orders), shuffledInput)
        assert.deepEqual(plain(other.cases), plain(one.cases))
        assert.deepEqual(other.totals, one.totals)
      }),
      { numRuns: 500 }
    )
  })
})
