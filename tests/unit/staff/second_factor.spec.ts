import { stepOf } from '#staff/second_factor'
import { test } from '@japa/runner'

/** `12345678901234567890`, the secret of RFC 6238, appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.group('Time-based one-time passwords (second_factor.ts)', (group) => {
  const now = Date.now
  group.each.teardown(() => {
    Date.now = now
  })

  test('287082 is the code of step 1, accepted one step earlier and later', ({ assert }) => {
    const at = (seconds: number) => {
      Date.now = () => seconds * 1000
      return stepOf(SECRET, '287082')
    }
    assert.deepEqual([0, 59, 89].map(at), [1, 1, 1])
    assert.isNull(at(90))
  })
})
