import { readHall } from '#catalog/read_hall'
import { SEAT_LIST_COLUMNS } from '#catalog/seat_list'
import { test } from '@japa/runner'

const seat = (id: string, category: string) =>
  [id, 'sector-a', 'Партер', '', '', 'row-1', '1', '1', category].join(',')

test.group('A hall read from its plan and its seat list', () => {
  test('every invalid line is reported, and every seat that the plan lacks', ({ assert }) => {
    const { seats, problems, undrawn } = readHall({
      planSvg: `<svg xmlns="http://www.w3.org/2000/svg"><g id="sector-a"><circle id="seat-1"/><circle id="seat-2"/></g></svg>`,
      seatsCsv: [
        SEAT_LIST_COLUMNS.join(','),
        seat('seat-1', 'standard'),
        seat('seat-3', 'standard'),
        seat('seat-3', 'gold'),
      ].join('\n'),
    })
    assert.lengthOf(seats, 3)
    assert.deepEqual(
      problems.map(({ line, column, rule }) => [line, column, rule]),
      [
        [4, 'category_code', 'enum'],
        [4, 'space_id', 'unique'],
      ]
    )
    assert.deepEqual(undrawn, ['seat-3', 'seat-3'])
  })

  test('the delimiter of the list is the one of its lines, or of the hint that Excel writes', ({
    assert,
  }) => {
    const planSvg = `<svg xmlns="http://www.w3.org/2000/svg"><g id="sector-a"><circle id="seat-1"/></g></svg>`
    const lines = [SEAT_LIST_COLUMNS.join(','), seat('seat-1', 'standard'), seat('seat-2', 'gold')]
    const withSemicolons = lines.join('\n').replaceAll(',', ';')
    const linesOf = (seatsCsv: string) => readHall({ planSvg, seatsCsv }).problems
    assert.containsSubset(linesOf(lines.join('\n')), [{ line: 3, column: 'category_code' }])
    assert.containsSubset(linesOf(withSemicolons), [{ line: 3, column: 'category_code' }])
    assert.containsSubset(linesOf(`sep=;\n${withSemicolons}`), [
      { line: 4, column: 'category_code' },
    ])
  })
})
