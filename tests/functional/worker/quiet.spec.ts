import ChangeEventStatus from '#catalog/actions/change_event_status'
import { sleep } from '#tests/functional/races/support/crowd'
import { RedisProcess } from '#tests/functional/races/support/redis_process'
import { freePort, WebProcess } from '#tests/functional/races/support/web_process'
import { WorkerProcess } from '#tests/functional/races/support/worker_process'
import { aSale, TESTER } from '#tests/support/fixtures'
import { aMailServer, FROM } from '#tests/support/mail_server'
import { aReceiver } from '#tests/support/receiver'
import { one, rows } from '#tests/support/rows'
import { StaffClient } from '#tests/support/staff_client'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'

/** The bands in the props of a page, which the document carries as JSON. */
async function bandsOn(staff: StaffClient, path: string) {
  const page = await staff.get(path)
  const text = await page.text()
  const [, bands] = /"bands":(\[[^\]]*\])/.exec(text.replaceAll('&quot;', '"'))!
  return JSON.parse(bands) as string[]
}

const quietStarts = async (name: string) => {
  const { n } = await one(
    `SELECT count(*)::int AS n FROM journal WHERE name = 'quiet_mode_started' AND change ->> 'process' = ?`,
    name
  )
  return n as number
}

/** Waits until the job has run three times from now on: what it would have sent is due since before. */
async function threeRuns(job: string) {
  for (let i = 0; i < 3; i++) {
    const { now } = await one('SELECT clock_timestamp() AS now')
    const hasRun = async () => {
      const found = await rows(
        'SELECT FROM job_runs WHERE job = ? AND succeeded_at > ?',
        job,
        now as Date
      )
      return found.length > 0
    }
    while (!(await hasRun())) await sleep(50)
  }
}

test.group('QUIET', (group) => {
  group.each.timeout(300_000)

  test('a quiet worker sends no webhook, no mail and no alert; they stay due, and leave without QUIET', async ({
    assert,
    cleanup,
  }) => {
    const redis = await RedisProcess.start()
    const receiver = await aReceiver()
    const mailServer = await aMailServer()
    cleanup(async () => {
      receiver.close()
      await mailServer.close()
      await redis.kill()
    })
    const { event, partner } = await aSale()
    const { id } = await new SetEndpoint().handle({
      partnerCode: partner.code,
      url: receiver.url,
      actor: TESTER,
    })
    const recipient = `duty-${randomUUID()}@example.kz`
    await rows(
      `INSERT INTO mails (message_id, purpose, recipient, language, asked_by, invariant)
       VALUES (?, 'alert', ?, 'en', 'settlement@platform.test', 'seat_sold_once')`,
      `<${randomUUID()}@platform.test>`,
      recipient
    )
    await new ChangeEventStatus().handle({
      eventId: event.id,
      trigger: 'pause',
      reason: null,
      actor: TESTER,
    })
    const port = String(await freePort())
    const variables = {
      REDIS_URL: redis.url,
      SMTP_URL: mailServer.url,
      MAIL_FROM: FROM,
      LOCAL_WEBHOOKS: 'true',
      WORKER_PORT: port,
    }
    const before = await quietStarts('worker')
    const quiet = new WorkerProcess({ ...variables, QUIET: 'true' })
    quiet.start(['--queues=clock', '--queues=webhooks', '--queues=mails'])
    cleanup(() => void quiet.stop('SIGKILL'))
    await threeRuns('relay_news')
    await threeRuns('send_mails')

    assert.isAbove(await quietStarts('worker'), before)
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`)
    assert.containsSubset(await ready.json(), { status: 'ready', quiet: true })
    await quiet.stop()
    const deliveries = () =>
      rows('SELECT status, attempts FROM webhook_deliveries WHERE endpoint_id = ?', id)
    const due = await deliveries()
    assert.isAbove(due.length, 0)
    for (const delivery of due) assert.deepEqual(delivery, { status: 'pending', attempts: 0 })
    const mail = () => one('SELECT state, attempts FROM mails WHERE recipient = ?', recipient)
    assert.deepEqual(await mail(), { state: 'queued', attempts: 0 })
    assert.lengthOf(receiver.received, 0)
    assert.lengthOf(mailServer.arrived, 0)

    const loud = new WorkerProcess(variables)
    loud.start(['--queues=clock', '--queues=webhooks', '--queues=mails'])
    cleanup(() => void loud.stop('SIGKILL'))
    const hasMail = () => mailServer.arrived.some(({ to }) => to.includes(recipient))
    while (receiver.received.length < due.length || !hasMail()) await sleep(50)
    await loud.stop()
  })

  test('a quiet web process says so on its pages, in its health and in the journal', async ({
    assert,
    cleanup,
  }) => {
    const before = await quietStarts('web')
    const web = await WebProcess.start({ QUIET: 'true' })
    cleanup(() => void web.stop('SIGKILL'))
    const ready = await fetch(`${web.url}/health/ready`)
    assert.containsSubset(await ready.json(), { status: 'ready', quiet: true })
    assert.isAbove(await quietStarts('web'), before)
    const guest = new StaffClient(web.url)
    assert.deepEqual(await bandsOn(guest, '/back-office/sign-in'), ['quiet'])
    const staff = await StaffClient.signedIn('admin', web.url)
    for (const path of ['/back-office', '/back-office/events', '/back-office/settlement'])
      assert.deepEqual(await bandsOn(staff, path), ['quiet'], path)
  })

  test('without QUIET there is no band and no word of it', async ({ assert }) => {
    const staff = await StaffClient.signedIn('admin')
    assert.deepEqual(await bandsOn(staff, '/back-office/events'), [])
  })
})
