import { lastDue, nextDue, type Rhythm } from '#reporting/schedules/rhythm'
import { test } from '@japa/runner'

/** As the venues' clock shows it. */
const at = (text: string) => new Date(`${text}:00+05:00`)
const shown = (moment: Date) =>
  new Date(moment.getTime() + 5 * 3_600_000).toISOString().slice(0, 16)

const day = (hour: number): Rhythm => ({ every: 'day', day: null, hour })
const week = (weekday: number, hour: number): Rhythm => ({ every: 'week', day: weekday, hour })
const month = (of: number, hour: number): Rhythm => ({ every: 'month', day: of, hour })

// 23 November 2026 is a Monday.
const NEXT: [name: string, rhythm: Rhythm, from: string, to: string][] = [
  ['later today', day(9), '2026-11-23T08:59', '2026-11-23T09:00'],
  ['at the very moment, tomorrow', day(9), '2026-11-23T09:00', '2026-11-24T09:00'],
  ['midnight here, which is yesterday in UTC', day(0), '2026-11-23T23:59', '2026-11-24T00:00'],
  ['after midnight here, before it in UTC', day(3), '2026-11-24T01:00', '2026-11-24T03:00'],
  ['the last hour of a year', day(23), '2026-12-31T23:00', '2027-01-01T23:00'],
  ['this week', week(3, 7), '2026-11-23T00:00', '2026-11-25T07:00'],
  ['next week', week(1, 7), '2026-11-23T07:00', '2026-11-30T07:00'],
  ['Sunday, the last day of a week', week(7, 0), '2026-11-23T12:00', '2026-11-29T00:00'],
  ['on Sunday for Monday', week(1, 0), '2026-11-29T23:00', '2026-11-30T00:00'],
  ['this month', month(15, 10), '2026-11-01T00:00', '2026-11-15T10:00'],
  ['the 31st of a month that has 30', month(31, 10), '2026-11-23T00:00', '2026-11-30T10:00'],
  ['after it, the real 31st', month(31, 10), '2026-11-30T10:00', '2026-12-31T10:00'],
  ['the 31st in February', month(31, 0), '2027-01-31T00:00', '2027-02-28T00:00'],
  ['the 29th in a leap year', month(29, 0), '2028-02-01T00:00', '2028-02-29T00:00'],
  ['over the year', month(1, 6), '2026-12-01T06:00', '2027-01-01T06:00'],
]

// The example of the module: day 31 of each month at 10:00.
const EXAMPLE: [now: string, last: string, next: string][] = [
  ['2026-11-23T00:00', '2026-10-31T10:00', '2026-11-30T10:00'],
  ['2026-11-30T10:00', '2026-11-30T10:00', '2026-12-31T10:00'],
  ['2027-02-01T00:00', '2027-01-31T10:00', '2027-02-28T10:00'],
]

test.group('When a report is due', () => {
  for (const [now, last, next] of EXAMPLE)
    test(`the example: seen at ${now}`, ({ assert }) => {
      assert.equal(shown(lastDue(month(31, 10), at(now))), last)
      assert.equal(shown(nextDue(month(31, 10), at(now))), next)
    })

  for (const [name, rhythm, from, to] of NEXT)
    test(name, ({ assert }) => {
      assert.equal(shown(nextDue(rhythm, at(from))), to)
    })

  test('the last due time is before now, the next one after it, and none is between', ({
    assert,
  }) => {
    const rhythms = [day(0), day(23), week(1, 0), week(7, 12), month(1, 0), month(31, 23)]
    const begin = at('2026-01-01T00:00').getTime()
    for (const rhythm of rhythms)
      for (let hours = 0; hours < 800 * 24; hours += 7) {
        const now = new Date(begin + hours * 3_600_000)
        const [last, next] = [lastDue(rhythm, now), nextDue(rhythm, now)]
        assert.isAtMost(last.getTime(), now.getTime())
        assert.isAbove(next.getTime(), now.getTime())
        assert.equal(nextDue(rhythm, last).getTime(), next.getTime())
        assert.equal(lastDue(rhythm, next).getTime(), next.getTime())
      }
  })
})
