import { isAbandoned } from '#http/exchange'
import type { HttpContext } from '@adonisjs/core/http'
import { test } from '@japa/runner'

const contextOf = (isGone: boolean) =>
  ({
    request: { request: { socket: { destroyed: isGone } } },
    response: { response: { destroyed: false } },
  }) as HttpContext

test.group('A request is abandoned', () => {
  test('when its connection broke off, not when that of PostgreSQL did', ({ assert }) => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    assert.isTrue(isAbandoned(reset, contextOf(true)))
    assert.isFalse(isAbandoned(reset, contextOf(false)))
    assert.isFalse(isAbandoned(new Error('a mistake of ours'), contextOf(true)))
  })
})
