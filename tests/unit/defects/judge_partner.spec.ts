import { measureJitter } from '#defects/facts/clock_skew'
import { feedSlots } from '#defects/conduct/feed_gaps'
import {
  judgePartner,
  median,
  wilsonLowerBound,
  type PartnerMonth,
} from '#defects/conduct/judge_partner'
import { addTally, countOrder, noTally, type Tally } from '#defects/facts/partner_tally'
import type { Conduct } from '#defects/conduct/read_conduct'
import { FIRST_THRESHOLDS } from '#defects/rules/thresholds'
import { test } from '@japa/runner'
import { attempt, constantId, expiredConfirm, NOON, paid, SECOND, unpaid } from './stories.js'

const conduct = (tally: Partial<Tally>, more: Partial<Conduct> = {}): Conduct => ({
  tally: { ...noTally(), ...tally },
  requests: 0,
  conflicts: 0,
  pendingLimited: 0,
  rateLimited: 0,
  feedSlots: 0,
  feedMissed: 0,
  ...more,
})
const month = (more: Partial<PartnerMonth>): PartnerMonth => ({
  month: conduct({}),
  before: [],
  clock: { samples: 0, skewMs: 0, jitterMs: 0 },
  others: new Map<string, number>(),
  ...more,
})
const figure = (facts: Partial<PartnerMonth>, code: string) =>
  judgePartner(month(facts), FIRST_THRESHOLDS).find((found) => found.code === code)!

test.group('Monthly findings about a partner', () => {
  test('Wilson’s lower bound has the tabled values', ({ assert }) => {
    assert.equal(wilsonLowerBound(0, 0), 0)
    assert.equal(wilsonLowerBound(0, 50), 0)
    assert.deepEqual(
      [wilsonLowerBound(5, 10), wilsonLowerBound(50, 100), wilsonLowerBound(500, 1000)].map(
        (bound) => bound.toFixed(3)
      ),
      ['0.237', '0.404', '0.469']
    )
    assert.approximately(wilsonLowerBound(10, 100), 0.0552, 0.0001)
    assert.approximately(wilsonLowerBound(50, 50), 0.9287, 0.0001)
    assert.approximately(wilsonLowerBound(1, 10), 0.0179, 0.0001)
  })

  test('the median of no values is null, and of an even number the mean of the middle two', ({
    assert,
  }) => {
    assert.isNull(median([]))
    assert.deepEqual([median([3, 1, 2]), median([4, 1, 3, 2])], [2, 2.5])
  })

  test('few orders give no finding, however bad they are', ({ assert }) => {
    const few = figure({ month: conduct({ attempted: 49, late: 49 }) }, 'LATE_CONFIRM_RATE')
    assert.deepEqual([few.verdict, few.value], ['few', 1])
    const enough = figure({ month: conduct({ attempted: 50, late: 50 }) }, 'LATE_CONFIRM_RATE')
    assert.equal(enough.verdict, 'high')
  })

  test('a share that chance explains is in order; one above other partners’ is unusual', ({
    assert,
  }) => {
    const some = conduct({ attempted: 1000, late: 15 })
    assert.equal(figure({ month: some }, 'LATE_CONFIRM_RATE').verdict, 'fine')
    const usual = new Map([['LATE_CONFIRM_RATE', 0.001]])
    const found = figure({ month: some, others: usual }, 'LATE_CONFIRM_RATE')
    assert.deepEqual([found.verdict, found.allMedian], ['unusual', 0.001])
    const before = [15, 20, 12].map((late) => conduct({ attempted: 1000, late }))
    const own = figure({ month: some, others: usual, before }, 'LATE_CONFIRM_RATE')
    assert.deepEqual([own.verdict, own.ownMedian], ['fine', 0.015])
  })

  test('late confirms are unusual and too many from the limits of their lower bound on', ({
    assert,
  }) => {
    const others = new Map([['LATE_CONFIRM_RATE', 0.0001]])
    const verdictOf = (late: number) =>
      figure({ month: conduct({ attempted: 1000, late }), others }, 'LATE_CONFIRM_RATE').verdict
    // The lower bounds are 0.16 %, 0.21 %, 1.94 % and 2.03 %; the limits 0.2 % and 2 %.
    const verdicts = [4, 5, 28, 29].map(verdictOf)
    assert.deepEqual(verdicts, ['fine', 'unusual', 'unusual', 'high'])
  })

  test('the clock error is measured, not counted', ({ assert }) => {
    const clock = { samples: 200, skewMs: -31_000, jitterMs: 10_000 }
    assert.equal(figure({ clock }, 'CLOCK_SKEW').verdict, 'high')
    assert.equal(figure({ clock }, 'CLOCK_JITTER').verdict, 'fine')
    assert.equal(figure({ clock: { ...clock, samples: 9 } }, 'CLOCK_SKEW').verdict, 'few')
    assert.equal(measureJitter([1, 2, 3]), 0)
    assert.equal(measureJitter(Array.from({ length: 101 }, (_, index) => index)), 90)
  })

  test('orders are counted by their outcome', ({ assert }) => {
    const tally = noTally()
    const add = (order: ReturnType<typeof paid>) =>
      countOrder(tally, order, {
        meaninglessIds: new Set(['shared']),
        constantIds: new Map([['shared', constantId()]]),
      })
    add(paid())
    add(paid({}, { paymentId: 'shared' }))
    add(paid({}, { paymentId: 'test' }))
    add(paid({}, { paidAt: NOON }))
    add(paid({}, { paidAt: NOON + 10 * SECOND, receivedAt: NOON + 10 * SECOND + 400 }))
    add(unpaid({ attempts: [expiredConfirm(), expiredConfirm()] }))
    add(unpaid({ status: 'cancelled', attempts: [attempt({ httpStatus: 422, amountTenge: 5n })] }))
    add(unpaid({ status: 'pending' }))
    assert.deepEqual(tally, {
      created: 8,
      paid: 5,
      expired: 1,
      cancelled: 1,
      attempted: 7,
      late: 1,
      mismatched: 1,
      synthetic: 2,
      placeholders: 2,
      notUnique: 1,
      bookings: 0,
      bookingsExpired: 0,
    })
    const twice = noTally()
    addTally(twice, tally)
    addTally(twice, tally)
    assert.equal(twice.created, 16)
  })

  test('one payment id on many orders is marked however small its share and its sample', ({
    assert,
  }) => {
    const id = (tally: Partial<Tally>) =>
      figure({ month: conduct(tally) }, 'EXTERNAL_ID_PLACEHOLDER')
    assert.equal(id({ paid: 10_000, placeholders: 21 }).verdict, 'fine')
    assert.equal(id({ paid: 10_000, placeholders: 21, notUnique: 21 }).verdict, 'high')
    assert.equal(id({ paid: 30, placeholders: 30, notUnique: 30 }).verdict, 'high')
  })

  test('a feed counts as late from its sixth minute', ({ assert }) => {
    const minute = (n: number) => NOON + n * 60_000
    const of = (...gaps: [number, number][]) =>
      feedSlots(
        minute(0),
        minute(60),
        gaps.map(([from, to]) => [minute(from), minute(to)] as const)
      )
    assert.deepEqual(of(), { feedSlots: 12, feedMissed: 0 })
    assert.deepEqual(of([10, 15]), { feedSlots: 12, feedMissed: 0 })
    assert.deepEqual(of([10, 25]), { feedSlots: 12, feedMissed: 2 })
    assert.deepEqual(of([-600, 600]), { feedSlots: 12, feedMissed: 12 })
    assert.deepEqual(of([-600, -10], [58, 900]), { feedSlots: 12, feedMissed: 0 })
  })
})
