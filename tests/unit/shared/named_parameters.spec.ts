import { toPositional, valuesFor } from '#shared/named_parameters'
import { test } from '@japa/runner'

test.group('Named parameters', () => {
  test('a name becomes a position, and a repeated name the same position', ({ assert }) => {
    assert.deepEqual(
      toPositional('SELECT 1 WHERE id = :id AND day < :now::date OR parent_id = :id'),
      {
        text: 'SELECT 1 WHERE id = $1 AND day < $2::date OR parent_id = $1',
        names: ['id', 'now'],
      }
    )
  })

  test('quoted text, comments, casts and slices stay as they are', ({ assert }) => {
    const sql = `SELECT 'at :noon, o''clock', ":column", x::text, list[1:2] -- :remark
      /* :remark */ FROM t`
    assert.deepEqual(toPositional(sql), { text: sql, names: [] })
  })

  test('values are in the order of their positions, and unknown ones are left out', ({
    assert,
  }) => {
    assert.deepEqual(valuesFor(['b', 'a'], { a: 1, b: null, c: 3 }), [null, 1])
  })

  test('a function is called for its value each time', ({ assert }) => {
    let calls = 0
    const params = { count: () => ++calls }
    assert.deepEqual(
      [0, 0].map(() => valuesFor(['count'], params)),
      [[1], [2]]
    )
  })

  test('a name without a value is an error at run time', ({ assert }) => {
    assert.throws(() => valuesFor(['id'], {}), 'The parameter :id has no value')
    assert.throws(() => valuesFor(['id'], { id: undefined }), 'The parameter :id has no value')
  })
})
