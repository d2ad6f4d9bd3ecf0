import { isMidnight } from '#shared/days'
import { periodAround, periodFrom, type PeriodKind } from '#ledger/periods'
import { test } from '@japa/runner'

const isoRange = ({ from, to }: { from: Date; to: Date }) => [from.toISOString(), to.toISOString()]

test.group('Periods', () => {
  test('weeks begin on Monday, half months on the 1st and the 16th, at midnight of the venues', ({
    assert,
  }) => {
    const sunday = new Date('2026-02-15T18:59:00Z')
    const sixteenth = '2026-02-15T19:00:00.000Z'
    const toMarch = '2026-02-28T19:00:00.000Z'
    assert.deepEqual(isoRange(periodAround(sunday, 'week')), [
      '2026-02-08T19:00:00.000Z',
      sixteenth,
    ])
    assert.deepEqual(isoRange(periodAround(sunday, 'half_month')), [
      '2026-01-31T19:00:00.000Z',
      sixteenth,
    ])
    assert.deepEqual(isoRange(periodAround(sunday, 'month')), ['2026-01-31T19:00:00.000Z', toMarch])

    const next = new Date(sixteenth)
    assert.deepEqual(isoRange(periodAround(next, 'week')), [sixteenth, '2026-02-22T19:00:00.000Z'])
    assert.deepEqual(isoRange(periodAround(next, 'half_month')), [sixteenth, toMarch])
    assert.deepEqual(isoRange(periodFrom(next, 'month')), [sixteenth, toMarch])
  })

  const CASES: [at: string, kind: PeriodKind, from: string, to: string][] = [
    ['2026-09-30T18:59:59.999Z', 'month', '2026-08-31T19:00:00.000Z', '2026-09-30T19:00:00.000Z'],
    ['2026-09-30T19:00:00.000Z', 'month', '2026-09-30T19:00:00.000Z', '2026-10-31T19:00:00.000Z'],
    ['2026-12-31T20:00:00.000Z', 'month', '2026-12-31T19:00:00.000Z', '2027-01-31T19:00:00.000Z'],
    [
      '2026-02-15T18:59:59.999Z',
      'half_month',
      '2026-01-31T19:00:00.000Z',
      '2026-02-15T19:00:00.000Z',
    ],
    [
      '2026-02-15T19:00:00.000Z',
      'half_month',
      '2026-02-15T19:00:00.000Z',
      '2026-02-28T19:00:00.000Z',
    ],
    ['2026-11-22T18:59:59.999Z', 'week', '2026-11-15T19:00:00.000Z', '2026-11-22T19:00:00.000Z'],
    ['2026-11-22T19:00:00.000Z', 'week', '2026-11-22T19:00:00.000Z', '2026-11-29T19:00:00.000Z'],
  ]
  test('{0} is in the {1} from {2} to {3}')
    .with(CASES)
    .run(({ assert }, [at, kind, from, to]) => {
      assert.deepEqual(isoRange(periodAround(new Date(at), kind)), [from, to])
    })

  test('each period ends where the next begins, for years', ({ assert }) => {
    for (const kind of ['week', 'half_month', 'month'] as const) {
      let { to } = periodAround(new Date('2024-02-27T00:00:00Z'), kind)
      for (let times = 0; times < 100; times++) {
        const next = periodAround(to, kind)
        assert.equal(next.from.getTime(), to.getTime())
        assert.isTrue(isMidnight(next.to) && next.to > next.from)
        to = next.to
      }
    }
  })

  test('a change of the kind of period leaves no gap', ({ assert }) => {
    const wednesday = new Date('2026-11-17T19:00:00Z')
    assert.deepEqual(isoRange(periodFrom(wednesday, 'month')), [
      '2026-11-17T19:00:00.000Z',
      '2026-11-30T19:00:00.000Z',
    ])
  })
})
