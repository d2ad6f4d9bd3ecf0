import type { RawCell } from '#spreadsheets/read_table'
import { MomentStyles, readMoment } from '#spreadsheets/read_moment'
import { test } from '@japa/runner'
import fc from 'fast-check'

const styleOf = (cells: RawCell[], days?: { from: Date; to: Date }) => {
  const styles = new MomentStyles(days)
  for (const cell of cells) styles.add(cell)
  return styles.style()
}
const readText = (cell: RawCell, style = styleOf([cell])) => {
  const reading = readMoment(cell, style)
  return reading.isRead
    ? `${reading.value.at.toISOString()} ${reading.value.precision}`
    : reading.problem
}

test.group('Times in registers by another clock', () => {
  for (const [cell, expected] of [
    ['30.09.2026 14:05', '2026-09-30T11:05:00.000Z'],
    ['30.09.2026', '2026-09-29T21:00:00.000Z'],
    [new Date('2026-09-30T14:05:00Z'), '2026-09-30T11:05:00.000Z'],
    ['2026-09-30T14:05:06+05:00', '2026-09-30T09:05:06.000Z'],
    [1_790_759_106, '2026-09-30T09:05:06.000Z'],
  ] as [RawCell, string][]) {
    test(`${String(cell)} of UTC+3`, ({ assert }) => {
      const reading = readMoment(cell, styleOf([cell]), 180)
      assert.equal(reading.isRead && reading.value.at.toISOString(), expected)
    })
  }
})

test.group('Times in registers', () => {
  const cases: [RawCell, string][] = [
    ['2026-09-30T14:05:06+05:00', '2026-09-30T09:05:06.000Z second'],
    ['2026-09-30T14:05:06Z', '2026-09-30T14:05:06.000Z second'],
    ['2026-09-30T14:05:06-03:30', '2026-09-30T17:35:06.000Z second'],
    ['2026-09-30T14:05:06.250+0500', '2026-09-30T09:05:06.250Z subsecond'],
    ['2026-09-30 14:05', '2026-09-30T09:05:00.000Z minute'],
    ['2026-09-30T14:05:06', '2026-09-30T09:05:06.000Z second'],
    ['2026/09/30 14:05:06', '2026-09-30T09:05:06.000Z second'],
    ['2026.09.30', '2026-09-29T19:00:00.000Z day'],
    ['30.09.2026 14:05', '2026-09-30T09:05:00.000Z minute'],
    ['30.09.2026 14:05:06', '2026-09-30T09:05:06.000Z second'],
    ['30.09.2026, 14:05:06', '2026-09-30T09:05:06.000Z second'],
    ['30.09.2026 г. 14:05', '2026-09-30T09:05:00.000Z minute'],
    ['30.09.2026 в 9:05', '2026-09-30T04:05:00.000Z minute'],
    ['30.09.2026 14:05 (UTC+5)', '2026-09-30T09:05:00.000Z minute'],
    ['30.09.2026 14:05 +06:00', '2026-09-30T08:05:00.000Z minute'],
    ['30.09.2026 14:05 МСК', '2026-09-30T11:05:00.000Z minute'],
    ['30/09/26', '2026-09-29T19:00:00.000Z day'],
    ['09/30/2026 2:05 PM', '2026-09-30T09:05:00.000Z minute'],
    ['9/30/2026 12:05 AM', '2026-09-29T19:05:00.000Z minute'],
    ['30 сентября 2026 14:05', '2026-09-30T09:05:00.000Z minute'],
    ['30 қыркүйек 2026 ж.', '2026-09-29T19:00:00.000Z day'],
    ['30-Sep-2026 14:05:06', '2026-09-30T09:05:06.000Z second'],
    ['20260930', '2026-09-29T19:00:00.000Z day'],
    ['20260930140506', '2026-09-30T09:05:06.000Z second'],
    [20260930140506, '2026-09-30T09:05:06.000Z second'],
    ['20260930T140506Z', '2026-09-30T14:05:06.000Z second'],
    [new Date('2026-09-30T14:05:06Z'), '2026-09-30T09:05:06.000Z second'],
    [new Date('2026-09-30T14:05:05.999Z'), '2026-09-30T09:05:06.000Z second'],
    [new Date('2026-09-30T14:05:00Z'), '2026-09-30T09:05:00.000Z minute'],
    [new Date('2026-09-30T00:00:00Z'), '2026-09-29T19:00:00.000Z day'],
    [46_295.587_569_444, '2026-09-30T09:06:06.000Z second'],
    ['46295,5875', '2026-09-30T09:06:00.000Z minute'],
    [46_295, '2026-09-29T19:00:00.000Z day'],
    [1_790_759_106, '2026-09-30T09:05:06.000Z second'],
    ['1790759106', '2026-09-30T09:05:06.000Z second'],
    [1_790_759_106_250, '2026-09-30T09:05:06.250Z subsecond'],
    ['30.02.2026', 'MOMENT_NOT_REAL'],
    ['2026-02-29 10:00', 'MOMENT_NOT_REAL'],
    ['30.09.2026 24:05', 'MOMENT_NOT_REAL'],
    ['30.09.2026 14:65', 'MOMENT_NOT_REAL'],
    ['30.09.1926', 'MOMENT_OUT_OF_RANGE'],
    ['30.09.2026 14:05 EST', 'MOMENT_UNREADABLE'],
    ['30.09.2026 14:05 UTC+15', 'MOMENT_UNREADABLE'],
    ['вчера', 'MOMENT_UNREADABLE'],
    ['30.09-2026', 'MOMENT_UNREADABLE'],
    [5000, 'MOMENT_UNREADABLE'],
    [true, 'MOMENT_UNREADABLE'],
  ]
  for (const [cell, expected] of cases) {
    test(`${cell instanceof Date ? cell.toISOString() : String(cell)} is ${expected}`, ({
      assert,
    }) => {
      assert.equal(readText(cell), expected)
    })
  }

  test('the whole column decides the order of day and month', ({ assert }) => {
    const dayFirst = styleOf(['03.04.2026', '30.04.2026'])
    assert.deepInclude(dayFirst, { isDayFirst: true, basis: 'seen' })
    assert.equal(readText('03.04.2026', dayFirst), '2026-04-02T19:00:00.000Z day')
    const monthFirst = styleOf(['03/04/2026', '04/30/2026'])
    assert.deepInclude(monthFirst, { isDayFirst: false, basis: 'seen' })
    assert.equal(readText('03/04/2026', monthFirst), '2026-03-03T19:00:00.000Z day')
    assert.deepInclude(styleOf(['03.04.2026']), { isDayFirst: true, basis: 'assumed' })
  })

  test('in a column with both orders only unambiguous cells are read', ({ assert }) => {
    const mixed = styleOf(['30/04/2026', '04/30/2026'])
    assert.equal(mixed.basis, 'mixed')
    assert.equal(readText('30/04/2026', mixed), readText('04/30/2026', mixed))
    assert.equal(readText('03/04/2026', mixed), 'MOMENT_AMBIGUOUS')
    assert.equal(readText('04/04/2026', mixed), '2026-04-03T19:00:00.000Z day')
  })

  test('a typing error among many dates decides nothing, and is the only bad one', ({ assert }) => {
    const october = Array.from({ length: 31 }, (_, day) => `${day + 1}.10.2026`)
    for (const wrong of ['32.13.2026', '05.13.2026']) {
      const style = styleOf([wrong, ...october])
      assert.deepInclude(style, { isDayFirst: true, basis: 'seen' })
      assert.equal(readText('03.10.2026', style), '2026-10-02T19:00:00.000Z day')
      assert.equal(readText(wrong, style), 'MOMENT_NOT_REAL')
    }
    const american = Array.from({ length: 31 }, (_, day) => `10/${day + 1}/2026`)
    assert.deepInclude(styleOf(['13/10/2026', ...american]), { isDayFirst: false, basis: 'seen' })
  })

  test('one date among a few leaves it open which of them is wrong', ({ assert }) => {
    const nine = Array.from({ length: 9 }, (_, day) => `${day + 13}.10.2026`)
    assert.equal(styleOf(['05.13.2026', ...nine]).basis, 'mixed')
    assert.equal(styleOf(['05.13.2026', ...nine, '22.10.2026']).basis, 'seen')
  })

  test('the days of a file show the order of dates that could be either', ({ assert }) => {
    const from = new Date('2026-09-30T19:00:00Z')
    const days = { from, to: new Date('2026-10-31T19:00:00Z') }
    const first = Array.from({ length: 12 }, (_, day) => `${day + 1}.10.2026`)
    const style = styleOf(['05.13.2026', ...first], days)
    assert.deepInclude(style, { isDayFirst: true, basis: 'seen' })
    assert.equal(readText('05.13.2026', style), 'MOMENT_NOT_REAL')
    const american = styleOf(['10/03/2026'], days)
    assert.equal(readText('10/03/2026', american), '2026-10-02T19:00:00.000Z day')
  })

  test('a date cell on a full minute has seconds when its column has them', ({ assert }) => {
    const [whole, exact] = ['2026-09-30T00:00:00Z', '2026-09-30T14:05:06Z'].map((t) => new Date(t))
    assert.equal(readText(whole, styleOf([whole, exact])), '2026-09-29T19:00:00.000Z second')
  })

  test('no cell makes it throw', () => {
    const cell = fc.oneof(fc.string(), fc.double(), fc.date(), fc.boolean())
    fc.assert(fc.property(cell, (value) => typeof readMoment(value).isRead === 'boolean'))
  })

  test('one unambiguous cell decides the order of day and month for its column', ({ assert }) => {
    const styles = new MomentStyles()
    for (const cell of ['03/04/2026 10:00', '04/30/2026 10:00']) styles.add(cell)
    const style = styles.style()
    assert.deepInclude(style, { isDayFirst: false, basis: 'seen' })
    const at = new Date('2026-03-04T05:00:00Z')
    assert.deepEqual(readMoment('03/04/2026 10:00', style), {
      isRead: true,
      value: { at, precision: 'minute' },
    })
  })
})

test.group('The order of day and month', () => {
  test('is day first unless a cell decides, and 12 decides nothing', ({ assert }) => {
    const read = readMoment('03/04/2026 10:00')
    assert.deepInclude(read, {
      value: { at: new Date('2026-04-03T05:00:00Z'), precision: 'minute' },
    })
    const styles = new MomentStyles()
    styles.add('12/05/2026 10:00')
    styles.add('05/12/2026 10:00')
    assert.deepInclude(styles.style(), { isDayFirst: true, basis: 'assumed' })
    styles.add('13/05/2026 10:00')
    assert.deepInclude(styles.style(), { isDayFirst: true, basis: 'seen' })
  })
})
