import platform from '#config/platform'
import { askFor, performRun, runRow } from '#tests/support/runs'
import { connectLimits, enter, hasRecentRequests } from '#shared/rate_limit'
import env from '#start/env'
import { fillMonth, type Month } from '#tests/support/filled_month'
import { anEvent } from '#tests/support/fixtures'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

const ORDERS = 1_000
const BUDGET = { key: `test:${randomUUID()}`, perMinute: 10_000 }

async function aMonth(): Promise<Month> {
  await anEvent()
  const database = new pg.Client({ connectionString: env.get('DATABASE_URL') })
  await database.connect()
  try {
    return await fillMonth(database, {
      partnerCode: 'throttled',
      prefix: 'TH',
      orders: ORDERS,
      ticketsPerOrder: 2,
    })
  } finally {
    await database.end()
  }
}

/** The seconds that the month's workbook takes, with or without its twins. */
async function secondsOf({ partnerCode, from, to }: Month, hasTwins: boolean) {
  const range = { from: from.toISOString(), to: to.toISOString() }
  const { runId } = await askFor({ code: partnerCode }, 'workbook', {
    partnerCode,
    hasTwins,
    ...range,
  })
  const began = performance.now()
  await performRun(runId)
  const { state } = await runRow(runId)
  if (state !== 'succeeded') throw new Error(`The run has ${state}`)
  return (performance.now() - began) / 1_000
}

test.group('A workbook export while partners send requests', (group) => {
  group.setup(() => {
    const before = platform.runPauseFactor
    platform.runPauseFactor = 4
    return () => {
      platform.runPauseFactor = before
    }
  })

  test('takes several times as long, because it pauses', async ({ assert }) => {
    await connectLimits()
    const month = await aMonth()
    while (await hasRecentRequests()) await delay(100)
    const alone = await secondsOf(month, true)
    const asking = setInterval(() => void enter(BUDGET), 500)
    try {
      await enter(BUDGET)
      // Without the twins there is less to do.
      assert.isAbove(await secondsOf(month, false), 1.5 * alone)
    } finally {
      clearInterval(asking)
    }
  })
})
