import { canonicalFields, canonicalLine, fieldsOf } from '#spreadsheets/canonical'
import { dateOf } from '#spreadsheets/reading/cell_value'
import { findDelimiter } from '#shared/csv_delimiter'
import { momentNumber } from '#spreadsheets/writing/cell_numbers'
import { safeText } from '#spreadsheets/writing/cell_text'
import { linesOf } from '#spreadsheets/writing/lines'
import { test } from '@japa/runner'

test.group('The worked examples of spreadsheets', () => {
  test('canonical.ts: keys sorted, money as text, instants in UTC', ({ assert }) => {
    const row = {
      total: 12_000n,
      at: new Date('2026-11-05T10:00:00Z'),
      seats: ['A1'],
      note: undefined,
    }
    const line = '{"at":"2026-11-05T10:00:00.000Z","seats":["A1"],"total":"12000"}'
    assert.equal(canonicalLine(row), line)
    assert.equal(canonicalFields(fieldsOf(['total', 'seats', 'at']), row), line)
  })

  test('csv_delimiter.ts: the sign that most lines contain equally often', ({ assert }) => {
    const text = 'id;name;price\n1;Ann;12,5\n2;Bob;7\n'
    assert.deepEqual(findDelimiter(text), { delimiter: ';', skip: 0 })
  })

  test('cell_value.ts: serial day numbers from 1900 and from 1904', ({ assert }) => {
    const noon = new Date('2026-11-05T12:00:00Z')
    assert.deepEqual(dateOf(46_331.5, false), noon)
    assert.deepEqual(dateOf(44_869.5, true), noon)
  })

  test('cell_numbers.ts: an instant is cut to the second', ({ assert }) => {
    assert.equal(momentNumber(new Date('2026-11-05T07:00:00.900Z')), '46331.5')
  })

  test('cell_text.ts: what looks like a formula is guarded', ({ assert }) => {
    assert.deepEqual(['=1+1', '-5', 'A-5'].map(safeText), ["'=1+1", "'-5", 'A-5'])
  })

  test('lines.ts: words wrap greedily', ({ assert }) => {
    const column = { key: 'until', heading: '', width: 14, kind: 'text', wrap: true } as const
    assert.equal(linesOf('Payment window until', column), 3)
    assert.equal(linesOf('Payment', column), 1)
  })
})
