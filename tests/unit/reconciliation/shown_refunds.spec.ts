import { spelling } from '#reconciliation/reading/payment_spelling'
import { ShownRefunds } from '#reconciliation/evidence/shown_refunds'
import { sum } from '#shared/sums'
import { at, evidenceRow } from '#tests/unit/reconciliation/support'
import { test } from '@japa/runner'

type Shown = readonly (readonly [tenge: number, paymentId: string | null])[]

/** What went back on one day, by as many registers. */
function totalOf(registers: readonly Shown[]) {
  const shown = new ShownRefunds()
  const moment = at('2026-09-15T12:00:00Z').getTime()
  for (const [index, own] of registers.entries())
    for (const [tenge, paymentId] of own)
      shown.add({ tenge: BigInt(tenge), paymentId, at: moment }, evidenceRow(index))
  return Number(sum(shown.seen(spelling([]), () => true).map(({ tenge }) => tenge)))
}

function permutations<Item>(items: Item[]): Item[][] {
  if (items.length < 2) return [items]
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((others) => [item, ...others])
  )
}

test.group('Refunds in several registers', () => {
  test('a whole register of refunds may have one payment id', ({ assert }) => {
    const own = Array.from({ length: 200_000 }, (_, index) => [index + 1, '0'] as const)
    assert.equal(totalOf([own]), (200_000 * 200_001) / 2)
  })

  test('refunds by ticket, by order and of half the order count once, whatever their order', ({
    assert,
  }) => {
    const byTicket: Shown = [
      [12_000, null],
      [12_000, null],
    ]
    const [byOrder, half]: Shown[] = [[[24_000, null]], [[12_000, null]]]
    for (const registers of permutations([byTicket, byOrder, half]))
      assert.equal(totalOf(registers), 24_000)
  })

  test('refunds by two terminals and by order in a third register count once', ({ assert }) => {
    const registers: Shown[] = [[[12_000, 'rrn-1']], [[12_000, 'rrn-2']], [[24_000, null]]]
    for (const some of permutations(registers)) assert.equal(totalOf(some), 24_000)
  })
})
