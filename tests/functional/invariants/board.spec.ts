import env from '#start/env'
import { readAttention } from '#back_office/overview/attention'
import AskForInvariantRun from '#invariants/ask_for_run'
import { underLease } from '#invariants/board_lease'
import { INVARIANT_NAMES, type InvariantName } from '#invariants/invariant_names'
import { readBoard } from '#invariants/queries/read_board'
import { STANDBY } from '#invariants/read_snapshot'
import { runInvariant } from '#invariants/run_invariant'
import alertBrokenInvariants from '#reporting/jobs/alert_broken_invariants'
import { BackgroundThrottle } from '#shared/background_throttle'
import { readFigures } from '#telemetry/figures'
import { registry } from '#telemetry/registry'
import { aSale, sell, TESTER } from '#tests/support/fixtures'
import { aMailServer, mailOff, mailTo } from '#tests/support/mail_server'
import { deliverMails, giveUpMails } from '#tests/support/mails'
import {
  cloneDatabase,
  createDatabase,
  dropDatabase,
  inDatabase,
} from '#tests/support/other_database'
import { one, ownerOne, ownerRows, rows } from '#tests/support/rows'
import { changeStatus } from '#tests/support/circumstances'
import ReplayDeliveries from '#webhooks/actions/replay_deliveries'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import { runJob } from '#worker/jobs'
import databaseConfig from '#config/database'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const EMPTY = 'invariants_empty'
/** Of the test that runs. */
let database = ''
let databases = 0

const throttle = new BackgroundThrottle({ hasRecentRequests: async () => false, pauseFactor: 0 })
const run = (name: InvariantName, since: Date | null) => runInvariant({ name, since, throttle })
/** A turn of a worker: what happened is relayed first, as it is every second. */
async function turn() {
  await runJob('relay_news', {})
  await runJob('check_invariants', {})
}

async function lineOf(wanted: InvariantName) {
  const board = await readBoard()
  return board.find(({ name }) => name === wanted)!
}
const stateOf = (name: InvariantName) => lineOf(name).then(({ state }) => state)
const lastRunOf = (name: InvariantName) => lineOf(name).then(({ runs: [last] }) => last)
async function areAll(wanted: string) {
  const board = await readBoard()
  return board.every(({ state }) => state === wanted)
}

const changeTotal = (orderId: string, by: number) =>
  ownerRows(
    `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
     UPDATE orders SET total_tenge = total_tenge + ? FROM free WHERE id = ?`,
    by,
    orderId
  )

/** A pending order: its total may be changed without a contradiction in the ledger. */
async function aPending() {
  const { client, event } = await aSale()
  const { data: booking } = await client.post('/bookings', {
    event_id: event.id,
    partner_booking_id: 'b',
    seats: ['seat-1-1'],
  })
  const { data } = await client.post('/orders', {
    booking_id: booking.booking_id,
    partner_order_id: 'o',
    customer: { email: 'buyer@example.kz' },
    consent: true,
  })
  return data.order_id as string
}

async function uncheckedOnOverview() {
  const attention = await readAttention()
  return attention.find(({ kind }) => kind === 'invariants_unchecked')?.count ?? 0
}

/** As if everything so far, the runs included, had happened so much earlier. */
async function passTime(interval: string) {
  await ownerRows(`UPDATE orders SET created_at = created_at - ?::interval`, interval)
  await ownerRows(
    `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
     UPDATE journal SET at = at - ?::interval FROM free`,
    interval
  )
  await ownerRows(
    `UPDATE invariant_runs
        SET (started_at, ended_at, since, as_of)
            = (started_at - i.by, ended_at - i.by, since - i.by, as_of - i.by)
       FROM (SELECT ?::interval AS by) i`,
    interval
  )
}

/** The mail server of whoever is on duty, until the test ends. */
async function dutyMailbox(cleanup: (act: () => Promise<void>) => void) {
  const server = await aMailServer()
  cleanup(async () => {
    mailOff()
    await server.close()
  })
  mailTo(server.url, { onDuty: ['duty@example.kz'] })
  return server
}

test.group('The board of invariants', (group) => {
  group.setup(() => createDatabase(EMPTY))
  group.teardown(() => dropDatabase(EMPTY))
  group.each.setup(async () => {
    database = `invariants_board_${++databases}`
    await cloneDatabase(EMPTY, database)
    return () => dropDatabase(database)
  })

  test('the incremental form reads what changed, finds it, and reads nothing else again', async ({
    assert,
  }) => {
    await inDatabase(database, async () => {
      const { client, event } = await aSale()
      for (const seat of [1, 2, 3, 4]) await sell(client, event.id, [`seat-1-${seat}`])
      await passTime('1 hour')
      await run('order_totals_agree', null)
      const full = await lineOf('order_totals_agree')
      assert.equal(full.runs[0].rowsLookedAt, 4)

      await run('order_totals_agree', full.asOf)
      assert.include(await lastRunOf('order_totals_agree'), { rowsLookedAt: 0, isFull: false })

      const orderId = await aPending()
      await changeTotal(orderId, 1)
      await run('order_totals_agree', full.asOf)
      const found = await lineOf('order_totals_agree')
      assert.equal(found.runs[0].rowsLookedAt, 1)
      assert.isFalse(found.runs[0].isFull)
      assert.equal(found.state, 'red')
      assert.deepEqual(found.counterexamples, [
        { code: 'TOTAL_NE_SEATS', kind: 'order', id: orderId, label: orderId },
      ])
    })
  })

  test('an old row that was changed past us is found by the full form alone', async ({
    assert,
  }) => {
    await inDatabase(database, async () => {
      const orderId = await aPending()
      await passTime('1 hour')
      await run('order_totals_agree', null)
      const { asOf } = await lineOf('order_totals_agree')
      await changeTotal(orderId, 1)
      await run('order_totals_agree', asOf)
      assert.equal(await stateOf('order_totals_agree'), 'green')
      await run('order_totals_agree', null)
      assert.equal(await stateOf('order_totals_agree'), 'red')
    })
  })

  test('a broken one stays red until its rows are right again, however often changes are read', async ({
    assert,
  }) => {
    await inDatabase(database, async () => {
      await turn()
      // As in a large database, where only changes are read for the rest of the day.
      await ownerRows(
        `UPDATE invariant_runs SET took_ms = 3600000 WHERE invariant = 'order_totals_agree'`
      )
      await passTime('1 hour')
      const orderId = await aPending()
      await changeTotal(orderId, 1)
      await turn()
      const red = await lineOf('order_totals_agree')
      assert.equal(red.state, 'red')
      assert.isFalse(red.runs[0].isFull)
      await passTime('1 hour')
      await turn()
      assert.equal(await stateOf('order_totals_agree'), 'red')
      await changeTotal(orderId, -1)
      await passTime('1 hour')
      await turn()
      assert.equal(await stateOf('order_totals_agree'), 'green')
      const entries = await rows(
        `SELECT name, change ->> 'invariant' AS invariant FROM journal WHERE name LIKE 'invariant_%' ORDER BY id`
      )
      assert.deepEqual(entries, [
        { name: 'invariant_broken', invariant: 'order_totals_agree' },
        { name: 'invariant_restored', invariant: 'order_totals_agree' },
      ])
    })
  })

  test('nothing is run before it is due, and what somebody asks for is run in full at once', async ({
    assert,
  }) => {
    await inDatabase(database, async () => {
      await turn()
      await turn()
      const board = await readBoard()
      assert.deepEqual(
        board.map(({ runs }) => runs.length),
        INVARIANT_NAMES.map(() => 1)
      )
      const ask = () => new AskForInvariantRun().handle({ name: 'news_are_relayed', actor: TESTER })
      await Promise.all([ask(), ask()])
      assert.include(await lineOf('news_are_relayed'), { runAskedBy: 'tests' })
      await turn()
      const { runs, runAskedBy } = await lineOf('news_are_relayed')
      assert.deepEqual([runs.length, runs[0].askedBy, runAskedBy], [2, 'tests', null])
      const { n } = await one(
        `SELECT count(*)::int AS n FROM journal WHERE name = 'invariant_run_asked'`
      )
      assert.equal(n, 1)
    })
  })

  test('the shortest is run first, and everything is read again with every turn where that takes little', async ({
    assert,
  }) => {
    await inDatabase(database, async () => {
      await turn()
      await ownerRows(`UPDATE invariant_runs SET took_ms = 1000 WHERE invariant = 'seat_sold_once'`)
      await passTime('5 minutes')
      await turn()
      const ran = await rows(
        `SELECT invariant, since IS NULL AS "isFull" FROM invariant_runs ORDER BY id DESC LIMIT ?`,
        INVARIANT_NAMES.length
      )
      assert.equal(ran[0].invariant, 'seat_sold_once')
      assert.isTrue(ran.every(({ isFull }) => isFull))
    })
  })

  test('a run that somebody asks for while one is under way comes after it', async ({ assert }) => {
    await inDatabase(database, async () => {
      await new AskForInvariantRun().handle({ name: 'news_are_relayed', actor: TESTER })
      // As if that had been after the beginning of the run.
      await ownerRows(`UPDATE invariant_states SET run_asked_at = now() + interval '1 minute'`)
      await run('news_are_relayed', null)
      assert.include(await lineOf('news_are_relayed'), { runAskedBy: 'tests' })
    })
  })

  test('a row that was stored late, by a transaction from before the last run, is read by the next one', async ({
    assert,
  }) => {
    await inDatabase(database, async () => {
      await run('order_totals_agree', null)
      const { asOf } = await lineOf('order_totals_agree')
      await changeTotal(await aPending(), 1)
      await passTime('10 minutes')
      await run('order_totals_agree', asOf)
      assert.equal(await stateOf('order_totals_agree'), 'red')
    })
  })

  test('of two workers only one runs them, and one that died leaves nothing running', async ({
    assert,
  }) => {
    await inDatabase(database, async () => {
      await ownerRows(`INSERT INTO invariant_runs (invariant) VALUES ('seat_sold_once')`)
      let ran = 0
      await underLease(async () => {
        ran++
        await underLease(async () => void ran++)
        await turn()
      })
      assert.equal(ran, 1)
      assert.include(await lineOf('seat_sold_once'), { isRunning: true })
      await turn()
      const { isRunning, runs } = await lineOf('seat_sold_once')
      assert.deepEqual([isRunning, runs.length], [false, 1])
    })
  })

  test('one that cannot be run has failed, with the reason, and the others are run', async ({
    assert,
  }) => {
    await inDatabase(database, async () => {
      const { username } = new URL(env.get('DATABASE_URL'))
      await ownerRows(`REVOKE SELECT ON webhook_deliveries FROM ${username}`)
      await assert.rejects(() => runJob('check_invariants', {}), /webhook_deliveries/)
      const board = await readBoard()
      const failed = board.filter(({ state }) => state !== 'green')
      assert.deepEqual(
        failed.map(({ name, state }) => [name, state]),
        [['deliveries_are_in_order', 'failed']]
      )
      assert.include(failed[0].runs[0].failure, 'webhook_deliveries')
    })
  })

  test('one that has not been checked for long is shown as such', async ({ assert }) => {
    await inDatabase(database, async () => {
      assert.isTrue(await areAll('never'))
      await turn()
      await passTime('1 hour')
      assert.isTrue(await areAll('old'))
    })
  })

  test('old runs are forgotten: green ones after a week, others after 90 days', async ({
    assert,
  }) => {
    await inDatabase(database, async () => {
      const insert = (state: string, found: number, days: number) =>
        ownerRows(
          `INSERT INTO invariant_runs (invariant, state, as_of, ended_at, took_ms, rows_looked_at, found, counterexamples)
           VALUES ('seat_sold_once', ?, now(), now() - make_interval(days => ?), 1, 1, ?, '[]')`,
          state,
          days,
          found
        )
      await insert('red', 1, 91)
      await insert('red', 1, 89)
      await insert('green', 0, 8)
      await turn()
      const { runs } = await lineOf('seat_sold_once')
      assert.deepEqual(
        runs.map(({ state }) => state),
        ['green', 'red']
      )
    })
  })

  test('a delivery that was held and replayed after a later one is in order', async ({
    assert,
  }) => {
    await inDatabase(database, async () => {
      const { event, partner } = await aSale()
      const url = 'http://127.0.0.1:9/'
      await new SetEndpoint().handle({ partnerCode: partner.code, url, actor: TESTER })
      for (const act of ['pause', 'open'] as const) await changeStatus(event, act)
      await runJob('relay_news', {})
      await ownerRows(
        `UPDATE webhook_deliveries SET status = 'held' WHERE id = (SELECT min(id) FROM webhook_deliveries)`
      )
      const deliver = () =>
        ownerRows(
          `UPDATE webhook_deliveries SET status = 'delivered', attempts = 1, ended_at = clock_timestamp() WHERE status = 'pending'`
        )
      await deliver()
      const replay = { partnerCode: partner.code, webhookIds: null, since: null, actor: TESTER }
      assert.equal(await new ReplayDeliveries().handle(replay), 1)
      await run('deliveries_are_in_order', null)
      assert.equal(await stateOf('deliveries_are_in_order'), 'green')
      await deliver()
      await run('deliveries_are_in_order', null)
      assert.equal(await stateOf('deliveries_are_in_order'), 'green')
    })
  })

  test('they are read on the standby where one is configured', async ({ assert, cleanup }) => {
    await inDatabase(database, async () => {
      const { connection } = databaseConfig.connections.postgres as {
        connection: { connectionString: string }
      }
      const url = new URL(connection.connectionString)
      url.pathname = `/${database}`
      url.searchParams.set('application_name', 'the-standby')
      db.manager.add(STANDBY, {
        client: 'pg',
        connection: { connectionString: url.href },
        pool: { min: 0, max: 2 },
      })
      cleanup(() => db.manager.release(STANDBY))
      await run('tables_are_guarded', null)
      const { n } = await ownerOne(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'the-standby'`
      )
      assert.equal(n, 1)
      assert.equal(await stateOf('tables_are_guarded'), 'green')
      await db.manager.close(STANDBY, true)
    })
  })
})

test.group('A broken invariant', (group) => {
  group.setup(() => createDatabase(EMPTY))
  group.teardown(() => dropDatabase(EMPTY))
  group.each.setup(async () => {
    database = `invariants_board_${++databases}`
    await cloneDatabase(EMPTY, database)
    return () => dropDatabase(database)
  })

  test('stands at the top of what needs a hand, and in the metrics', async ({ assert }) => {
    await inDatabase(database, async () => {
      const orderId = await aPending()
      await changeTotal(orderId, 1)
      await turn()
      const [first] = await readAttention()
      assert.include(first, { kind: 'invariants_broken', count: 1 })
      assert.deepEqual(first.names, ['order_totals_agree'])
      await readFigures()
      const text = await registry.metrics()
      assert.match(text, /^invariant_counterexamples\{invariant="order_totals_agree"\} 1$/m)
      assert.match(text, /^invariant_counterexamples\{invariant="seat_sold_once"\} 0$/m)
      assert.match(text, /^invariant_run_age_seconds\{invariant="seat_sold_once"\} \d/m)
    })
  })

  test('mails whoever is on duty once, and once more when it breaks again', async ({
    assert,
    cleanup,
  }) => {
    const server = await dutyMailbox(cleanup)
    await inDatabase(database, async () => {
      const orderId = await aPending()
      const breakAndMail = async (by: number) => {
        await changeTotal(orderId, by)
        await passTime('1 day')
        await turn()
        await Promise.all([alertBrokenInvariants(), alertBrokenInvariants()])
        await deliverMails()
      }
      await breakAndMail(1)
      await breakAndMail(1)
      assert.lengthOf(server.arrived, 1)
      const [first] = server.arrived
      assert.include(first.subject, 'Нарушен инвариант: Суммы заказов сходятся')
      assert.include(first.text, '/back-office/invariants')
      await breakAndMail(-2)
      assert.lengthOf(server.arrived, 1)
      await breakAndMail(1)
      assert.lengthOf(server.arrived, 2)
      await giveUpMails()
    })
  })

  test('that is not checked for an hour is on the overview, also when its runs fail or it was never checked', async ({
    assert,
  }) => {
    await inDatabase(database, async () => {
      await alertBrokenInvariants()
      assert.equal(await uncheckedOnOverview(), 0)
      await ownerRows(`UPDATE invariant_states SET first_seen_at = now() - interval '61 minutes'`)
      assert.isAbove(await uncheckedOnOverview(), 0)
      await readFigures()
      const metrics = await registry.metrics()
      assert.match(metrics, /^invariant_run_age_seconds\{invariant="seat_sold_once"\} 36[67]\d/m)
      assert.notMatch(metrics, /^invariant_counterexamples\{invariant="seat_sold_once"\}/m)

      await turn()
      assert.equal(await uncheckedOnOverview(), 0)
      await passTime('2 hours')
      await ownerRows(
        `INSERT INTO invariant_runs (invariant, state, ended_at, took_ms, failure)
         SELECT unnest(?::text[]), 'failed', now(), 1, 'canceling statement'`,
        `{${INVARIANT_NAMES.join()}}`
      )
      assert.equal(await uncheckedOnOverview(), INVARIANT_NAMES.length)
    })
  })

  test('that is not checked is mailed once, together with all others, and once more another time', async ({
    assert,
    cleanup,
  }) => {
    const server = await dutyMailbox(cleanup)
    const stopFor = async (interval: string) => {
      await passTime(interval)
      await Promise.all([alertBrokenInvariants(), alertBrokenInvariants()])
      await deliverMails()
    }
    await inDatabase(database, async () => {
      await turn()
      await stopFor('1 hour')
      assert.isEmpty(server.arrived)
      // Those that are due every minute are late; those of every five minutes will be.
      await stopFor('2 minutes')
      await stopFor('10 minutes')
      assert.lengthOf(server.arrived, 1)
      assert.equal(server.arrived[0].subject, 'Инварианты давно не проверялись')
      assert.include(server.arrived[0].text, '/back-office/invariants')
      await turn()
      await stopFor('1 minute')
      await stopFor('2 hours')
      assert.lengthOf(server.arrived, 2)
      await giveUpMails()
    })
  })

  test('mails operations and administrators where nobody is named, once e-mail is on', async ({
    assert,
    cleanup,
  }) => {
    cleanup(() => mailOff())
    await inDatabase(database, async () => {
      await ownerRows(
        `INSERT INTO staff (email, full_name, role, password, language)
         VALUES ('ops@example.kz', 'A', 'operations', 'x', 'en'), ('finance@example.kz', 'B', 'finance', 'x', 'en')`
      )
      await changeTotal(await aPending(), 1)
      await turn()
      await alertBrokenInvariants()
      assert.isEmpty(await rows('SELECT 1 FROM mails'))
      const server = await aMailServer()
      cleanup(() => server.close())
      mailTo(server.url)
      await alertBrokenInvariants()
      await alertBrokenInvariants()
      assert.deepEqual(await rows('SELECT recipient, purpose, invariant, language FROM mails'), [
        {
          recipient: 'ops@example.kz',
          purpose: 'alert',
          invariant: 'order_totals_agree',
          language: 'en',
        },
      ])
    })
  })
})
