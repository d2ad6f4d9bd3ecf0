import { ShownRefunds } from '#settlement/registers/shown_refunds'
import { sum } from '#shared/tenge'
import { at, evidenceRow } from '#tests/unit/settlement/registers/support'
import { test } from '@japa/runner'

type Shown = readonly (readonly [tenge: number, paymentId: string | null])[]

/** What went back on one day, by as many registers. */
function totalOf(registers: readonly Shown[]) {
  const shown = new ShownRefunds()
  const moment = at('2026-09-15T12:00:00Z').getTime()
  for (const [index, own] of registers.entries())
    for (const [tenge, paymentId] of own)
      shown.add({ tenge: BigInt(tenge), paymentId, at: moment }, evidenceRow(index))
  return Number(sum(shown.seen(() => true).map(({ tenge }) => tenge)))
}

test.group('What registers show to have gone back', () => {
  test('a whole register of refunds may stand under one name', ({ assert }) => {
    const own = Array.from({ length: 200_000 }, (_, index) => [index + 1, '0'] as const)
    assert.equal(totalOf([own]), (200_000 * 200_001) / 2)
  })
})
