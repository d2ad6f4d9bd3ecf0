import { measureJitter, measureSkew } from '#defects/facts/clock_skew'
import { feedSlots } from '#defects/conduct/feed_gaps'
import { arrivedInWindow } from '#defects/facts/facts'
import { OrderGroups } from '#defects/facts/order_groups'
import { MINUTE_MS } from '#shared/days'
import { test } from '@japa/runner'

test.group('Facts: the examples of their modules', () => {
  test('a clock 30 s behind is measured by the smallest delays', ({ assert }) => {
    const seconds = [30.5, 30.1, 95, 30.2, 41, 30.2, 30.3, 31, 30.4, 32.5, 30.9]
    const delaysMs = seconds.map((delay) => delay * 1000)
    assert.equal(measureSkew(delaysMs), 30_100)
    assert.closeTo(measureJitter(delaysMs), 64_900, 1e-6)
    assert.equal(measureSkew(delaysMs.slice(0, 4)), 0)
  })

  test('a gap of 22 minutes misses three slots of the feed', ({ assert }) => {
    const at = (minutes: number) => (12 * 60 + minutes) * MINUTE_MS
    assert.deepEqual(feedSlots(at(0), at(60), [[at(10), at(32)]]), {
      feedSlots: 12,
      feedMissed: 3,
    })
  })

  test('a confirm at the very end of the window is late, as PostgreSQL judges it', ({ assert }) => {
    const order = { windowEndsAt: 1_000 }
    assert.deepEqual(
      [999.999, 1_000, 1_000.001].map((receivedAt) => arrivedInWindow(order, receivedAt)),
      [true, false, false]
    )
  })

  test('joined ids are one story, named by its least id', ({ assert }) => {
    const groups = new OrderGroups()
    groups.join(['B', 'C'])
    groups.join(['A', 'B'])
    groups.join(['D', 'E'])
    assert.deepEqual(
      ['C', 'B', 'E', 'F'].map((id) => groups.firstOf(id)),
      ['A', 'A', 'D', 'F']
    )
    assert.isTrue(groups.has('C'))
    assert.isFalse(groups.has('F'))
  })
})
