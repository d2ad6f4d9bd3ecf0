import {
  DAY_MS,
  dayNumber,
  dayStart,
  isMidnight,
  localDay,
  midnightOf,
  periodOfDays,
  readDay,
} from '#shared/days'
import { test } from '@japa/runner'

const at = (text: string) => new Date(text)

test.group('Calendar days of the venues', () => {
  test('the worked example of days.ts', ({ assert }) => {
    const moment = at('2026-11-30T20:30:00Z')
    assert.equal(localDay(moment), '2026-12-01')
    assert.deepEqual(dayStart(moment), at('2026-11-30T19:00:00Z'))
    assert.deepEqual(midnightOf('2026-12-01'), at('2026-11-30T19:00:00Z'))
    assert.deepEqual(periodOfDays({ from: '2026-12-01', to: '2026-12-02' }), {
      from: at('2026-11-30T19:00:00Z'),
      to: at('2026-12-02T19:00:00Z'),
    })
    assert.equal(dayNumber(moment.getTime()), 20_788)
    assert.equal(dayNumber(Date.parse('2026-11-30T19:00:00Z')), 20_788)
    assert.equal(dayNumber(Date.parse('2026-12-01T18:59:59.999Z')), 20_788)
    assert.equal(dayNumber(Date.parse('2026-12-01T19:00:00Z')), 20_789)
  })

  test('only the first millisecond of a day is midnight', ({ assert }) => {
    const midnight = midnightOf('2026-12-01')
    assert.isTrue(isMidnight(midnight))
    assert.isTrue(isMidnight(new Date(midnight.getTime() + DAY_MS)))
    assert.isFalse(isMidnight(new Date(midnight.getTime() + 1)))
    assert.isFalse(isMidnight(new Date(Number.NaN)))
  })

  test('a typed day is read, anything else is null', ({ assert }) => {
    assert.deepEqual(readDay('2026-12-01'), at('2026-11-30T19:00:00Z'))
    for (const text of [null, '', '2026-13-01', '1 December', '2026-12-01T00:00']) {
      assert.isNull(readDay(text))
    }
  })
})
