import loggerConfig from '#config/logger'
import { bought } from '#tests/support/buyers'
import { ownerRows } from '#tests/support/rows'
import { LoggerManager } from '@adonisjs/core/logger'
import { test } from '@japa/runner'
import { PassThrough } from 'node:stream'

test.group('Logged errors', () => {
  test('the row that a constraint refused is not in the log', async ({ assert }) => {
    const { orderId, buyer } = await bought()
    const refused = ownerRows('UPDATE orders SET buyer_erased_at = now() WHERE id = ?', orderId)
    const error = await refused.catch((reason: unknown) => reason as Error & { detail: string })
    assert.include((error as { detail: string }).detail, buyer.name)

    const destination = new PassThrough()
    const { app } = loggerConfig.loggers
    const logger = new LoggerManager({
      ...loggerConfig,
      loggers: { app: { ...app, level: 'error', destination } },
    }).use('app')
    logger.error({ err: error }, 'failed')
    logger.error({ err: new Error('outer', { cause: error }) }, 'failed')
    const written = String(destination.read())
    assert.include(written, 'orders_erased_buyer')
    assert.notInclude(written, buyer.name)
  })
})
