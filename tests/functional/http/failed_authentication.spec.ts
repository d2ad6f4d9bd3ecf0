import { hasSpentFailures, spendFailure } from '#http/failed_authentication'
import platform from '#config/platform'
import { Refusal } from '#shared/refusals'
import testUtils from '@adonisjs/core/services/test_utils'
import { test } from '@japa/runner'

/** A request of an address that no other test has. */
async function fromAddress(address: string) {
  const ctx = await testUtils.createHttpContext()
  ctx.request.ip = () => address
  return ctx
}

test.group('The budget of failures of an address', () => {
  test('is spent by refusals, and by no failure of ours', async ({ assert }) => {
    const ctx = await fromAddress('198.51.100.77')
    const lost = new Error('the connection to PostgreSQL is lost')
    for (let failure = 0; failure <= platform.failedAuthPerMinute; failure++)
      assert.equal(await spendFailure(ctx, lost), lost)
    assert.isFalse(hasSpentFailures(ctx))
    const refusal = new Refusal('INVALID_SIGNATURE')
    for (let failure = 0; failure < platform.failedAuthPerMinute; failure++)
      assert.equal(await spendFailure(ctx, refusal), refusal)
    assert.isTrue(hasSpentFailures(ctx))
    const beyond = (await spendFailure(ctx, refusal)) as Refusal
    assert.equal(beyond.refusalCode, 'RATE_LIMIT_EXCEEDED')
  })
})
