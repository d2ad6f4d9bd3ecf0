import { advance, isPlausible, marginOf } from '#restores/advance_numbers'
import { test } from '@japa/runner'

const BIGINT_MOST = 9_223_372_036_854_775_807n
const orders = { name: 'order_numbers', last: 401n, most: BIGINT_MOST }
const pace = { entriesOfBusiestDay: 600, gapDays: 0.5, journal: 7_990n }
const NOTHING = { stored: 0n, named: 0n }

test.group('Numbers after a restore', () => {
  test('the margin is twice the busiest day, never less than a thousand', ({ assert }) => {
    assert.equal(marginOf(orders, pace), 1_000n)
    // 2 × 600,000 entries × 401 / 7,990 numbers an entry, rounded up.
    assert.equal(marginOf(orders, { ...pace, entriesOfBusiestDay: 600_000 }), 60_226n)
  })

  test('each day of the gap counts', ({ assert }) => {
    const busy = { ...pace, entriesOfBusiestDay: 600_000 }
    assert.equal(marginOf(orders, { ...busy, gapDays: 3 }), 180_676n)
    assert.equal(marginOf(orders, { ...busy, gapDays: 1 }), marginOf(orders, busy))
  })

  test('ids of small tables and numbers that people read skip less', ({ assert }) => {
    const most = 2_147_483_647n
    assert.equal(marginOf({ name: 'staff_id_seq', last: 7n, most }, pace), 100n)
    assert.equal(marginOf({ name: 'counter:statement', last: 7n, most }, pace), 10n)
  })

  test('goes on beyond what the storage directory and partners know', ({ assert }) => {
    assert.equal(advance(orders, 1_000n, NOTHING)!.to, 1_401n)
    assert.equal(advance(orders, 1_000n, { stored: 415n, named: 0n })!.to, 1_415n)
    assert.equal(advance(orders, 1_000n, { stored: 415n, named: 418n })!.to, 1_418n)
    assert.equal(advance(orders, 1_000n, { stored: 100n, named: 100n })!.to, 1_401n)
  })

  test('a number that nobody can hold is not taken in', ({ assert }) => {
    assert.equal(advance(orders, 1_000n, { stored: 0n, named: 999_999_999_999n })!.to, 1_401n)
    assert.isTrue(isPlausible(10_401n, 401n, 1_000n))
    assert.isFalse(isPlausible(10_402n, 401n, 1_000n))
  })

  test('without a margin only what is known to be held is passed', ({ assert }) => {
    assert.isNull(advance(orders, 0n, NOTHING))
    assert.isNull(advance(orders, 0n, { stored: 401n, named: 12n }))
    assert.equal(advance(orders, 0n, { stored: 0n, named: 500n })!.to, 500n)
  })

  test('ends at the highest number of the type', ({ assert }) => {
    const full = { name: 'staff_id_seq', last: 2_147_483_600n, most: 2_147_483_647n }
    assert.equal(advance(full, 100n, NOTHING)!.to, 2_147_483_647n)
  })
})
