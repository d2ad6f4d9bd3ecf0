import { isMidnight, periodAround, periodFrom, type PeriodKind } from '#ledger/periods'
import { test } from '@japa/runner'

const isoRange = ({ from, to }: { from: Date; to: Date }) => [from.toISOString(), to.toISOString()]

test.group('Periods', () => {
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
  test('{$i}: a period lies between midnights of the venues')
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
