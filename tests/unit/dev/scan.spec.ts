import { sqlmapVerdict } from '../../../dev/scan.js'
import { test } from '@japa/runner'

test.group('What sqlmap says', () => {
  test('an endpoint is safe only when all of it was tried', ({ assert }) => {
    const safe = '[CRITICAL] all tested parameters do not appear to be injectable.'
    assert.equal(sqlmapVerdict(safe), 'not injectable')
    const found = 'sqlmap identified the following injection point(s) with a total of 50 requests'
    assert.equal(sqlmapVerdict(found), 'can be injected')
    for (const text of [
      '',
      "[INFO] testing 'PostgreSQL error-based'",
      '[CRITICAL] unable to connect',
    ])
      assert.equal(sqlmapVerdict(text), 'not finished in time', text)
  })
})
