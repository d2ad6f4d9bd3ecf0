import { readAttention } from '#back_office/overview/attention'
import { closeSaleGate } from '#catalog/sale_gate'
import { readFigures } from '#telemetry/figures'
import { registry } from '#telemetry/registry'
import { aStaffMember } from '#tests/support/browser'
import { lapseOrder } from '#tests/support/circumstances'
import { assertCode } from '#tests/support/expectations'
import { paymentOf, type TestPartner } from '#tests/support/fixtures'
import { aMailServer, mailOff, mailTo } from '#tests/support/mail_server'
import { deliverMails, giveUpMails } from '#tests/support/mails'
import { anOrder, cancel, confirm } from '#tests/support/operations'
import { attemptsAt, one, ownerRows, PAST_TRIGGERS, rows } from '#tests/support/rows'
import { queueAlert } from '#reporting/mails/queue_mail'
import { transaction } from '#shared/transaction'
import { runJob } from '#worker/jobs'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { setTimeout as sleep } from 'node:timers/promises'

/** A pending order whose confirm in time was answered 503, because somebody held its event. */
async function aFailedConfirm() {
  const sale = await anOrder()
  const orderId = sale.order.order_id as string
  const trx = await db.transaction()
  await closeSaleGate(sale.event.id, trx)
  const payment = paymentOf(24_000)
  const answer = await confirm(sale.client, orderId, payment)
  await trx.rollback()
  assertCode(answer, 'SERVICE_BUSY')
  return { ...sale, orderId, payment }
}

/** As if all that was so much earlier. */
async function earlier(orderId: string, seconds: number) {
  await ownerRows(
    `${PAST_TRIGGERS} UPDATE confirm_attempts SET received_at = received_at - make_interval(secs => ?),
            answered_at = answered_at - make_interval(secs => ?) FROM free WHERE order_id_sent = ?`,
    seconds,
    seconds,
    orderId
  )
}

const entriesOf = (orderId: string) =>
  rows(`SELECT * FROM journal WHERE order_id = ? AND name = 'confirm_failed'`, orderId)

const casesOf = ({ id }: TestPartner) =>
  rows(
    `SELECT c.order_ids, c.severity, c.fault, c.buyer_tenge::int AS exposure, c.chain,
            (SELECT array_agg(d.subclass) FROM settlement_defects d WHERE d.case_id = c.id) AS subclasses
       FROM settlement_cases c WHERE c.partner_id = ? AND c.gone_at IS NULL`,
    id
  )

async function isShown(orderId: string) {
  const attention = await readAttention()
  const failed = attention.find(({ kind }) => kind === 'confirms_failed')
  return failed !== undefined && failed.names.includes(orderId)
}

async function runJobs() {
  await runJob('note_failed_confirms', {})
  await runJob('judge_failed_confirms', {})
}

async function failedFigure() {
  await readFigures()
  const text = await registry.getSingleMetricAsString('failed_confirms_of_last_hour')
  return Number(/failed_confirms_of_last_hour (\d+)/.exec(text)![1])
}

test.group('Confirms that the platform failed', (group) => {
  group.each.timeout(40_000)
  group.each.teardown(async () => {
    mailOff()
    await giveUpMails()
  })

  test('a failed confirm is recorded once, shown, counted and mailed while its window is open', async ({
    assert,
    cleanup,
  }) => {
    const server = await aMailServer()
    cleanup(() => server.close())
    mailTo(server.url)
    const { email } = await aStaffMember('operations')
    // Alerts about what other tests made fail.
    await runJobs()
    await giveUpMails()
    const { orderId, partner } = await aFailedConfirm()
    const before = await failedFigure()

    await runJobs()
    assert.lengthOf(await entriesOf(orderId), 0, 'the partner may repeat it at once')
    await earlier(orderId, 15)
    await Promise.all([runJobs(), runJobs()])
    await runJobs()
    const [entry, ...others] = await entriesOf(orderId)
    assert.lengthOf(others, 0)
    assert.containsSubset(entry.change, {
      http_status: 503,
      code: 'SERVICE_BUSY',
      amount_tenge: '24000',
    })
    assert.isTrue(await isShown(orderId))
    // Confirms that other tests made fail may be counted at the same time.
    assert.isAbove(await failedFigure(), before)
    assert.deepEqual(await casesOf(partner), [])

    await deliverMails()
    const mails = server.arrived.filter(
      ({ to, subject }) => to.includes(email) && subject.includes(partner.code)
    )
    assert.lengthOf(mails, 1)
    assert.include(mails[0].text, orderId)
  })

  test('a partner’s next failed confirm is mailed a minute after the last alert', async ({
    assert,
  }) => {
    mailTo('smtp://127.0.0.1:9')
    const { email } = await aStaffMember('operations')
    const { orderId, partner } = await aFailedConfirm()
    const last = { partnerId: partner.id, orderIds: ['an earlier one'], recipient: email }
    await transaction((trx) => queueAlert({ ...last, language: 'en' }, trx))
    const alertedAgo = (seconds: number) =>
      ownerRows(
        `UPDATE mails SET queued_at = clock_timestamp() - make_interval(secs => ?) WHERE partner_id = ?`,
        seconds,
        partner.id
      )
    const alerts = () =>
      rows(
        `SELECT order_ids FROM mails WHERE purpose = 'alert' AND partner_id = ? AND recipient = ? ORDER BY id`,
        partner.id,
        email
      )

    await earlier(orderId, 15)
    await alertedAgo(50)
    await runJobs()
    assert.lengthOf(await entriesOf(orderId), 1)
    assert.lengthOf(await alerts(), 1, 'an outage makes one mail a minute')

    await alertedAgo(61)
    await runJobs()
    const [, next] = await alerts()
    assert.deepEqual(next?.order_ids, [orderId])
  })

  test('becomes the platform’s case after its window, also when its repeat was refused', async ({
    assert,
  }) => {
    for (const isRepeated of [false, true]) {
      const { orderId, partner, client, payment } = await aFailedConfirm()
      await earlier(orderId, 60)
      await lapseOrder(orderId)
      if (isRepeated) assertCode(await confirm(client, orderId, payment), 'ORDER_EXPIRED')

      await runJobs()
      assert.lengthOf(await entriesOf(orderId), 1)
      assert.isTrue(await isShown(orderId))
      const [found, ...others] = await casesOf(partner)
      assert.lengthOf(others, 0)
      assert.containsSubset(found, {
        order_ids: [orderId],
        severity: 'HIGH',
        fault: 'PLATFORM',
        exposure: 24_000,
        chain: [isRepeated ? 'CONFIRM_ORDER_EXPIRED' : 'CONFIRM_THROTTLED'],
      })
      if (isRepeated) assert.deepEqual(found.subclasses, ['PLATFORM_FAULT'])
    }
  })

  test('is no case when its repeat sold the tickets or the partner cancelled', async ({
    assert,
  }) => {
    const { orderId, client, payment, partner } = await aFailedConfirm()
    const repeat = await confirm(client, orderId, payment)
    assert.equal(repeat.status, 200)
    await earlier(orderId, 60)
    const other = await aFailedConfirm()
    await cancel(other.client, other.orderId)
    await earlier(other.orderId, 60)
    await runJobs()
    for (const id of [orderId, other.orderId]) assert.lengthOf(await entriesOf(id), 0)
    assert.deepEqual(await casesOf(partner), [])
  })

  test('leaves the overview when a later repeat sells', async ({ assert }) => {
    const { orderId, client, payment } = await aFailedConfirm()
    await earlier(orderId, 15)
    await runJobs()
    assert.isTrue(await isShown(orderId))
    await confirm(client, orderId, payment)
    assert.isFalse(await isShown(orderId))
  })

  test('counts half a minute later when it was never answered', async ({ assert }) => {
    const { orderId } = await aFailedConfirm()
    await ownerRows(
      `${PAST_TRIGGERS} UPDATE confirm_attempts SET http_status = NULL, code = NULL, answered_at = NULL
         FROM free WHERE order_id_sent = ?`,
      orderId
    )
    await earlier(orderId, 15)
    await runJobs()
    assert.lengthOf(await entriesOf(orderId), 0)
    await earlier(orderId, 20)
    await runJobs()
    const [entry] = await entriesOf(orderId)
    assert.containsSubset(entry.change, { http_status: null, code: null })
  })

  for (const [what, lock] of [
    ['the attempt could not be written', 'LOCK TABLE confirm_attempts IN SHARE MODE'],
    ['the key could not be read', 'LOCK TABLE partner_keys IN ACCESS EXCLUSIVE MODE'],
  ]) {
    test(`is recorded also when ${what} at first`, async ({ assert }) => {
      const { client, order } = await anOrder()
      const trx = await db.connection('owner').transaction()
      await trx.rawQuery(lock)
      const answer = await confirm(client, order.order_id)
      await trx.rollback()
      assertCode(answer, 'SERVICE_BUSY')
      assert.isEmpty(await attemptsAt(order.order_id))

      await sleep(1_500)
      const [attempt] = await attemptsAt(order.order_id)
      assert.containsSubset(attempt, {
        http_status: 503,
        signature_valid: true,
        amount_raw: '24000',
        order_status: 'pending',
      })
      const { age } = await one(
        `SELECT extract(epoch FROM clock_timestamp() - received_at)::float8 AS age FROM confirm_attempts
          WHERE order_id_sent = ?`,
        order.order_id
      )
      assert.isAbove(age, 3, 'it is dated by its arrival')
    })
  }

  test('is found by an index of few rows', async ({ assert }) => {
    const plan = await rows(
      `EXPLAIN SELECT 1 FROM confirm_attempts a WHERE (a.http_status IS NULL OR a.http_status >= 500)
          AND a.received_at > clock_timestamp() - interval '1 day'`
    )
    const ofMonths = await rows(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'confirm_attempts_failed'::regclass`
    )
    const scans = plan
      .map((line) => line['QUERY PLAN'] as string)
      // A bitmap scan names the index in a line of its own.
      .filter((line) => / on \w/.test(line) && !line.includes('Bitmap Heap Scan'))
    assert.isNotEmpty(scans)
    for (const scan of scans)
      assert.isTrue(
        ofMonths.some(({ name }) => scan.includes(`${name} `)),
        scan
      )
  })
})
