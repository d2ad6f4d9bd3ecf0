import { logRepeated } from '#shared/repeated_log'
import type { Logger } from '@adonisjs/core/logger'
import { test } from '@japa/runner'
import { setTimeout as delay } from 'node:timers/promises'

const refused = (port: number) =>
  Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), { code: 'ECONNREFUSED' })

function aLog() {
  const lines: { count?: number; id?: number }[] = []
  const log = { error: (line: object) => lines.push(line) } as unknown as Logger
  return { lines, log }
}

test.group('Repeated errors', () => {
  test('an error is logged at once, then once a second with its count', async ({ assert }) => {
    const { lines, log } = aLog()
    for (let id = 0; id < 100; id++) logRepeated(log, 'error', 'refused', refused(id), { id })
    assert.lengthOf(lines, 1)
    await delay(1_100)
    assert.deepEqual(
      lines.map(({ count, id }) => [count, id]),
      [
        [undefined, 0],
        [99, 99],
      ]
    )
    await delay(1_100)
    logRepeated(log, 'error', 'refused', refused(1))
    assert.lengthOf(lines, 3)
    assert.isUndefined(lines[2].count)
  })

  test('errors with another cause are logged at once', ({ assert }) => {
    const { lines, log } = aLog()
    logRepeated(log, 'error', 'other causes', new Error('row evt_01 is gone'))
    logRepeated(log, 'error', 'other causes', new Error('row evt_02 is gone'))
    logRepeated(log, 'error', 'other causes', new TypeError('x is not a function'))
    logRepeated(log, 'error', 'other message', new Error('row evt_03 is gone'))
    assert.lengthOf(lines, 3)
  })
})
