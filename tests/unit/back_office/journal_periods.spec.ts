import { daysOfPeriod } from '#back_office/journal/periods'
import { test } from '@japa/runner'

// 01:30 on 1 December at the venues.
const NOW = new Date('2026-11-30T20:30Z')

test.group('Periods of the journal', () => {
  test('{period} is of the venues’ days')
    .with([
      { period: 'today', from: '2026-12-01', to: '2026-12-01' },
      { period: 'yesterday', from: '2026-11-30', to: '2026-11-30' },
      { period: 'week', from: '2026-11-25', to: '2026-12-01' },
    ])
    .run(({ assert }, { period, ...days }) => {
      assert.deepEqual(daysOfPeriod(period, NOW), days)
    })

  test('any other text is no period', ({ assert }) => {
    assert.isNull(daysOfPeriod('century', NOW))
    assert.isNull(daysOfPeriod(null, NOW))
  })
})
