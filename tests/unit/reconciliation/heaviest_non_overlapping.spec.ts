import { heaviestNonOverlapping } from '#reconciliation/evidence/heaviest_non_overlapping'
import { test } from '@japa/runner'

const part = (from: number, to: number, tenge: bigint) => ({ from, to, tenge })

test.group('Heaviest non-overlapping registers', () => {
  test('registers of different days are all picked; of overlapping ones, those with the largest total', ({
    assert,
  }) => {
    const [week, next, month] = [part(1, 7, 10n), part(7, 14, 20n), part(1, 30, 25n)]
    assert.deepEqual(heaviestNonOverlapping([]), [])
    assert.deepEqual(heaviestNonOverlapping([week]), [week])
    assert.deepEqual(heaviestNonOverlapping([next, month, week]), [week, next])
    assert.deepEqual(heaviestNonOverlapping([week, next, { ...month, tenge: 40n }]), [
      { ...month, tenge: 40n },
    ])
    assert.deepEqual(heaviestNonOverlapping([week, { ...week, tenge: 12n }]), [
      { ...week, tenge: 12n },
    ])
  })
})
