import { judgeRuns } from '../../../dev/drills/invariants.js'
import { INVARIANT_NAMES } from '#invariants/invariant_names'
import { test } from '@japa/runner'

const runs = INVARIANT_NAMES.map((invariant) => ({ invariant, state: 'green', found: 0 }))
const total = INVARIANT_NAMES.length

test.group('Invariants in a drill', () => {
  test('hold when every invariant of the code is green', ({ assert }) => {
    assert.deepEqual(judgeRuns(runs), { seen: `${total} of ${total} green`, holds: true })
  })

  test('do not hold when the worker has not run one', ({ assert }) => {
    assert.deepEqual(judgeRuns(runs.slice(1)), {
      seen: `${total - 1} of ${total} green, seat_sold_once not run`,
      holds: false,
    })
  })

  test('do not hold when one is red', ({ assert }) => {
    assert.deepEqual(judgeRuns([{ ...runs[0], state: 'red', found: 2 }, ...runs.slice(1)]), {
      seen: `${total - 1} of ${total} green, seat_sold_once red (2)`,
      holds: false,
    })
  })
})
