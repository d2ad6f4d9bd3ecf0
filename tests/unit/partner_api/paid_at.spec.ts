import { descriptionOf } from '#tests/support/described'
import { test } from '@japa/runner'
import { judge, NOON, paid, story } from '../defects/stories.js'

test.group('Description of paid_at', () => {
  test('says how a moment that was cut to whole seconds is recorded', ({ assert }) => {
    const cut = {
      paidAt: NOON - 900,
      paidAtRaw: '2026-09-18T19:39:59+05:00',
      precision: 'second',
    } as const
    const [found] = judge(story([paid({}, cut)]))!.findings
    const description = descriptionOf('PaidAt')

    assert.equal(found.exposureTenge, 0n)
    for (const word of [found.code, found.severity, found.subclass!, 'costs nothing'])
      assert.include(description, word)
    assert.notInclude(description, 'is not early')
  })
})
