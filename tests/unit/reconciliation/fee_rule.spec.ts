import { test } from '@japa/runner'
import { anOrder, matched, sold } from './support.js'

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const totalOf = (n: number) => BigInt(1_000 + ((n * 3_737) % 50_000))

/** `count` sales, each with the fee that the function adds to its total. */
async function withFees(
  count: number,
  fee: (totalTenge: bigint, n: number) => bigint,
  named = false
) {
  const orders = numbers(count).map((n) => anOrder(n, { totalTenge: totalOf(n) }))
  const rows = orders.map(({ totalTenge }, i) => {
    const feeTenge = fee(totalTenge, i + 1)
    return sold(i + 2, i + 1, {
      amountTenge: totalTenge + feeTenge,
      feeTenge: named ? feeTenge : null,
    })
  })
  return matched(rows, orders)
}

test.group('A fee within the amounts', () => {
  // prettier-ignore
  const roundings: [string, (x: bigint) => bigint][] = [
    ['down', (x) => x / 1000n], ['up', (x) => (x + 999n) / 1000n], ['half up', (x) => (x + 500n) / 1000n],
  ]
  for (const [name, rounded] of roundings) {
    test(`a constant percentage, rounded ${name}, is a rule`, async ({ assert }) => {
      const { feeRules, totals } = await withFees(60, (total) => rounded(total * 75n))
      assert.deepEqual(feeRules, [{ kind: 'percent', basisPoints: 750, rows: 60 }])
      assert.equal(totals.FEE_INCLUDED.rows, 60)
      assert.equal(totals.FEE_INCLUDED.exposure.BUYER, 0n)
    })
  }

  test('a constant sum is a rule', async ({ assert }) => {
    const { feeRules, totals } = await withFees(20, () => 300n)
    assert.deepEqual(feeRules, [{ kind: 'sum', tenge: 300n, rows: 20 }])
    assert.equal(totals.FEE_INCLUDED.rows, 20)
  })

  test('a fee that changes within the register is two rules', async ({ assert }) => {
    const { feeRules } = await withFees(70, (total, n) => (n <= 40 ? total / 10n : total / 20n))
    assert.deepEqual(feeRules, [
      { kind: 'percent', basisPoints: 1_000, rows: 40 },
      { kind: 'percent', basisPoints: 500, rows: 30 },
    ])
  })

  test('a fee named by the register is a rule whatever its size', async ({ assert }) => {
    const { feeRules } = await withFees(30, (_, n) => BigInt(100 + ((n * n) % 97)), true)
    assert.deepEqual(feeRules, [{ kind: 'fee_column', rows: 30 }])
  })

  test('a fee on 19 rows is a difference', async ({ assert }) => {
    const { feeRules, totals } = await withFees(19, () => 300n)
    assert.deepEqual(feeRules, [])
    assert.equal(totals.AMOUNT_DIFF.rows, 19)
    assert.equal(totals.AMOUNT_DIFF.exposure.BUYER, 19n * 300n)
  })

  test('a rule explains no row that it does not fit', async ({ assert }) => {
    const { totals } = await withFees(41, (_, n) => (n === 41 ? 301n : 300n))
    assert.equal(totals.FEE_INCLUDED.rows, 40)
    assert.equal(totals.AMOUNT_DIFF.exposure.BUYER, 301n)
  })
})
