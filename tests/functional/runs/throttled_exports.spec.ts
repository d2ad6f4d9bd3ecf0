import platform from '#config/platform'
import { askFor, performRun, runRow } from '#tests/support/runs'
import { BackgroundThrottle } from '#shared/background_throttle'
import { connectLimits, enter, hasRecentRequests } from '#shared/rate_limit'
import env from '#start/env'
import { fillMonth, type Month } from '#tests/support/filled_month'
import { latePayment } from '#tests/support/cases'
import { anEvent, TESTER } from '#tests/support/fixtures'
import { scratchDirectory } from '#tests/support/scratch_directory'
import writeDefectList from '#worker/run_kinds/defect_list'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

const DAY_MS = 86_400_000
const ORDERS = 1_000
const BUDGET = { key: `test:${randomUUID()}`, perMinute: 10_000 }

async function aMonth(): Promise<Month> {
  await anEvent()
  const database = new pg.Client({ connectionString: env.get('OWNER_DATABASE_URL') })
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

/** The seconds that the month's workbook takes, with or without the copies of its data. */
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
      // Without the copies there is less to do.
      assert.isAbove(await secondsOf(month, false), 1.5 * alone)
    } finally {
      clearInterval(asking)
    }
  })
})

test.group('A list of defects while partners send requests', (group) => {
  const scratch = scratchDirectory(group)

  test('pauses between its rows', async ({ assert }) => {
    const { partner } = await latePayment()
    const [from, to] = [-DAY_MS, DAY_MS].map((ms) => new Date(Date.now() + ms).toISOString())
    let pauses = 0
    const throttle = new BackgroundThrottle({
      hasRecentRequests: async () => {
        pauses++
        return true
      },
      pauseFactor: 0,
    })
    const context = {
      runId: 1,
      partnerId: partner.id,
      actor: TESTER,
      language: 'ru',
      directory: scratch.path,
      signal: new AbortController().signal,
      throttle,
      progress: () => {},
    } as const
    const { result } = await writeDefectList({ partnerCode: partner.code, from, to }, context)
    assert.containsSubset(result, { rows: { defects: 1 } })
    assert.isAbove(pauses, 0)
  })
})
