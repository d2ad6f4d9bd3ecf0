import { asserted, describedAnswers, describedOperations } from '#tests/support/described'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'

const PREFIX = '/api/v1/partners'

/** What no test can bring about by asking, with the reason; ` *` stands for every code. */
const UNREACHABLE: Record<string, string> = {
  '500':
    'a 500 is a fault of ours that no request may cause; the bad-input suite proves that none does',
  '503': 'needs a database out of reach; POST /bookings shows the answer behind a locked row',
}

const isReachable = (answer: string) => !(answer.split(' ')[2] in UNREACHABLE)

/** Routes that answer one method, or GET with HEAD; the fallbacks answer all of them. */
const routesOfTheDoor = () =>
  router
    .toJSON()
    .root.filter(({ pattern, methods }) => pattern.startsWith(PREFIX) && methods.length <= 2)
    .map(({ pattern, methods }) => {
      const path = pattern.slice(PREFIX.length).replace(/:(\w+)/g, '{$1}')
      return `${methods[0]} ${path}`
    })

/** Of all tests, those of the functional suite must have run in this process. */
const isAlone = () => asserted.size === 0 && process.env.WHOLE_RUN !== 'true'

test.group('OpenAPI coverage', () => {
  test('every described answer was given in the functional tests', ({ assert }) => {
    const unseen = describedAnswers().filter(
      (answer) => isReachable(answer) && !asserted.has(answer)
    )
    assert.deepEqual(unseen, [])
  }).skip(isAlone, 'the functional suite did not run')

  test('every error code given in the tests is described for its operation', ({ assert }) => {
    const described = new Set(describedAnswers())
    assert.isAbove(asserted.size, 0)
    assert.deepEqual(
      [...asserted].filter((answer) => !described.has(answer)),
      []
    )
  }).skip(isAlone, 'the functional suite did not run')

  test('exactly the routes of the partner API are described', ({ assert }) => {
    const described = describedOperations().map(({ name }) => name)
    assert.sameMembers(routesOfTheDoor(), described)
  })

  test('every operation describes the answers that any request may get', ({ assert }) => {
    for (const { name, operation } of describedOperations()) {
      if (operation.security?.length === 0) continue
      assert.includeMembers(
        Object.keys(operation.responses),
        ['401', '422', '429', '500', '503'],
        name
      )
      if (name.startsWith('POST'))
        assert.includeMembers(Object.keys(operation.responses), ['413', '415'], name)
    }
  })
})
