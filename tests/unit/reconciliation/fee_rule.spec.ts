import type { FeeRule } from '#reconciliation/matching/fee_rule'
import { test } from '@japa/runner'
import { anOrder, matched, sold } from './support.js'

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const totalOf = (n: number) => BigInt(1_000 + ((n * 3_737) % 50_000))

interface Fees {
  /** Whether rows name their fee. */
  isNamed?: boolean
  kept?: FeeRule[]
  total?: (n: number) => bigint
  price?: bigint
}

/** `count` sales, each with the fee that the function adds to its total. */
async function withFees(
  count: number,
  fee: (totalTenge: bigint, n: number) => bigint,
  { isNamed = false, kept = [], total = totalOf, price }: Fees = {}
) {
  const prices = price ? { leastPriceTenge: price, highestPriceTenge: price } : {}
  const orders = numbers(count).map((n) => anOrder(n, { totalTenge: total(n), ...prices }))
  const rows = orders.map(({ totalTenge }, i) => {
    const feeTenge = fee(totalTenge, i + 1)
    const amountTenge = totalTenge + feeTenge
    return sold(i + 2, i + 1, { amountTenge, feeTenge: isNamed ? feeTenge : null })
  })
  return matched(rows, orders, { keptFeeRules: kept })
}

const SUM: FeeRule = { kind: 'sum', tenge: 199n }

test.group('A fee within the amounts', () => {
  // prettier-ignore
  const roundings: [string, (x: bigint) => bigint][] = [
    ['down', (x) => x / 1000n], ['up', (x) => (x + 999n) / 1000n], ['half up', (x) => (x + 500n) / 1000n],
  ]
  for (const [name, rounded] of roundings) {
    test(`a constant percentage, rounded ${name}, is offered as a rule`, async ({ assert }) => {
      const { feeRules } = await withFees(60, (total) => rounded(total * 75n))
      assert.deepEqual(feeRules, [{ kind: 'percent', basisPoints: 750, rows: 60, isKept: false }])
    })
  }

  test('a constant sum is offered as a rule', async ({ assert }) => {
    const { feeRules } = await withFees(20, () => 199n)
    assert.deepEqual(feeRules, [{ ...SUM, rows: 20, isKept: false }])
  })

  test('a fee that changes within the register is two rules', async ({ assert }) => {
    const { feeRules } = await withFees(70, (total, n) => (n <= 40 ? total / 10n : total / 20n))
    assert.deepEqual(feeRules, [
      { kind: 'percent', basisPoints: 1_000, rows: 40, isKept: false },
      { kind: 'percent', basisPoints: 500, rows: 30, isKept: false },
    ])
  })

  test('a kept fee is included also where a part of it went back with a ticket', async ({
    assert,
  }) => {
    const order = anOrder(1, { status: 'partially_refunded', refundedTenge: 5_000n })
    const rows = [sold(2, 1, { amountTenge: 10_500n }), sold(3, 1, { amountTenge: -5_250n })]
    const keptFeeRules: FeeRule[] = [{ kind: 'percent', basisPoints: 500 }]
    const { lines } = await matched(rows, [order], { keptFeeRules })
    assert.deepEqual(lines, ['FEE_INCLUDED EXACT [2,3] [1]'])
    const { lines: more } = await matched(
      [rows[0], sold(3, 1, { amountTenge: -6_000n })],
      [order],
      { keptFeeRules }
    )
    assert.deepEqual(more, ['AMOUNT_DIFF EXACT [2,3] [1]'])
  })

  test('a fee named by the register is a rule whatever its size', async ({ assert }) => {
    const fee = (_: bigint, n: number) => BigInt(100 + ((n * n) % 97))
    const { feeRules } = await withFees(30, fee, { isNamed: true })
    assert.deepEqual(feeRules, [{ kind: 'fee_column', rows: 30, isKept: false }])
  })

  test('a rule that is only offered explains no row', async ({ assert }) => {
    const { totals } = await withFees(20, () => 199n)
    assert.equal(totals.AMOUNT_DIFF.rows, 20)
    assert.equal(totals.FEE_INCLUDED.rows, 0)
  })

  test('an accepted rule explains the rows that it fits, and no other', async ({ assert }) => {
    const fee = (_: bigint, n: number) => (n === 41 ? 198n : 199n)
    const { feeRules, totals } = await withFees(41, fee, { kept: [SUM] })
    assert.deepEqual(feeRules, [{ ...SUM, rows: 40, isKept: true }])
    assert.equal(totals.FEE_INCLUDED.rows, 40)
    assert.equal(totals.AMOUNT_DIFF.rows, 1)
  })

  test('an accepted rule explains a single row', async ({ assert }) => {
    const { totals } = await withFees(1, () => 199n, { kept: [SUM] })
    assert.equal(totals.FEE_INCLUDED.rows, 1)
  })

  const CHARGED_TWICE = { total: () => 1_000n, kept: [{ kind: 'sum', tenge: 1_000n } as const] }
  test('an accepted rule explains no second charge, nor a fee beyond the bound', async ({
    assert,
  }) => {
    const twice = await withFees(1, () => 1_000n, CHARGED_TWICE)
    assert.deepEqual(twice.lines, ['AMOUNT_DIFF EXACT [2] [1]'])
    assert.deepEqual(twice.feeRules, [])
    const price = { total: () => 30_000n, price: 1_000n, kept: CHARGED_TWICE.kept }
    const aTicket = await withFees(1, () => 1_000n, price)
    assert.equal(aTicket.totals.AMOUNT_DIFF.rows, 1)
    const named = { ...CHARGED_TWICE, isNamed: true, kept: [{ kind: 'fee_column' } as const] }
    const inColumn = await withFees(1, () => 1_000n, named)
    assert.equal(inColumn.totals.AMOUNT_DIFF.rows, 1)
  })

  test('an accepted rule explains no sum of several payments, but one of tickets', async ({
    assert,
  }) => {
    const sales = (...paymentIds: (string | null)[]) =>
      paymentIds.map((paymentId, i) =>
        sold(i + 2, 1, { paymentId, amountTenge: i === 0 ? 10_000n : 199n })
      )
    const categoryOf = async (rows: ReturnType<typeof sales>, rowIs?: 'ticket') => {
      const { cases } = await matched(rows, [anOrder(1)], { keptFeeRules: [SUM], rowIs })
      return cases.map(({ category }) => category)
    }
    assert.deepEqual(await categoryOf(sales('X-1', 'X-2')), ['AMOUNT_DIFF'])
    assert.deepEqual(await categoryOf(sales(null, null)), ['AMOUNT_DIFF'])
    assert.deepEqual(await categoryOf(sales('X-1', 'X-1')), ['FEE_INCLUDED'])
    assert.deepEqual(await categoryOf(sales(null, null), 'ticket'), ['FEE_INCLUDED'])
  })

  test('a fee on 19 rows is a difference', async ({ assert }) => {
    const { feeRules, totals } = await withFees(19, () => 199n)
    assert.deepEqual(feeRules, [])
    assert.equal(totals.AMOUNT_DIFF.rows, 19)
  })
})

test.group('No fee is offered', () => {
  const rulesOf = async (...sales: Parameters<typeof withFees>) => {
    const { feeRules } = await withFees(...sales)
    return feeRules
  }

  test('for orders that are charged twice', async ({ assert }) => {
    assert.deepEqual(await rulesOf(25, () => 5_000n, { total: () => 5_000n }), [])
  })

  test('for one ticket more of orders with six tickets', async ({ assert }) => {
    const more = { total: () => 30_000n, price: 5_000n }
    assert.deepEqual(await rulesOf(25, () => 5_000n, more), [])
    const [offered] = await rulesOf(25, () => 4_500n, more)
    assert.deepEqual(offered, { kind: 'percent', basisPoints: 1_500, rows: 25, isKept: false })
  })

  test('above a fifth of the total', async ({ assert }) => {
    const price = 49_999n
    assert.deepEqual(await rulesOf(25, (total) => (total * 21n) / 100n, { price }), [])
    const [offered] = await rulesOf(25, (total) => total / 5n, { price })
    assert.deepEqual(offered, { kind: 'percent', basisPoints: 2_000, rows: 25, isKept: false })
  })
})
