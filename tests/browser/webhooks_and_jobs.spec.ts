import ChangeEventStatus from '#catalog/actions/change_event_status'
import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { aPartner, aSale, TESTER } from '#tests/support/fixtures'
import { aReceiver } from '#tests/support/receiver'
import { one, ownerRows } from '#tests/support/rows'
import PingEndpoint from '#webhooks/actions/ping_endpoint'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import deliverWebhooks from '#webhooks/deliver_webhooks/deliver_webhooks'
import relayNews from '#webhooks/relay_news/relay_news'
import { runJob } from '#worker/jobs'
import { QUEUE_PREFIX } from '#start/queues'
import { test } from '@japa/runner'
import { Queue, Worker } from 'bullmq'
import { once } from 'node:events'

/** A partner whose endpoint has refused one delivery for good. */
async function aRefusedDelivery() {
  let isBroken = true
  const receiver = await aReceiver((response) => {
    response.statusCode = isBroken ? 500 : 200
    response.end('out of order')
  })
  const { code } = await aPartner()
  const { id } = await new SetEndpoint().handle({
    partnerCode: code,
    url: receiver.url,
    actor: TESTER,
  })
  const { webhookId } = await new PingEndpoint().handle({ partnerCode: code })
  await deliverWebhooks({ id })
  await ownerRows(
    `UPDATE webhook_deliveries SET status = 'failed', ended_at = now() WHERE endpoint_id = ?`,
    id
  )
  const mend = () => {
    isBroken = false
  }
  return { code, endpointId: id, webhookId, receiver, mend }
}

test.group('Webhooks', () => {
  test('a delivery is shown with its answers and sent again', async ({
    assert,
    browserContext,
    cleanup,
  }) => {
    const complaints = watch(browserContext)
    const { code, endpointId, webhookId, receiver, mend } = await aRefusedDelivery()
    cleanup(() => receiver.close())
    const page = await browserContext.newPage()
    await openAs(page, 'operations', `/back-office/webhooks?partner=${code}&status=failed`)
    await assertAccessible(page, assert)
    await page.getByRole('link', { name: 'Ping' }).click()
    await page.getByText('Answered 500').waitFor()
    await page.getByText('out of order').waitFor()
    await page.getByText(webhookId).first().waitFor()
    await assertAccessible(page, assert)

    mend()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('1 delivery will be sent again').first().waitFor()
    await deliverWebhooks({ id: endpointId })
    assert.lengthOf(receiver.received, 2)
    assert.equal(receiver.received[1].headers['x-webhook-id'], webhookId)
    assert.deepEqual(complaints, [])
  })

  test('an endpoint counts as working only after a delivery; a pending retry is sent at once', async ({
    assert,
    browserContext,
    cleanup,
  }) => {
    const complaints = watch(browserContext)
    const receiver = await aReceiver((response) => {
      response.statusCode = 500
      response.end()
    })
    cleanup(() => receiver.close())
    const { event, partner } = await aSale()
    await relayNews()
    const { id } = await new SetEndpoint().handle({
      partnerCode: partner.code,
      url: receiver.url,
      actor: TESTER,
    })
    const page = await browserContext.newPage()
    await openAs(page, 'operations', `/back-office/webhooks?partner=${partner.code}`)
    const endpoint = page.getByRole('listitem').filter({ hasText: partner.code })
    await endpoint.getByText('Not tried yet').waitFor()

    await new ChangeEventStatus().handle({
      eventId: event.id,
      trigger: 'pause',
      reason: null,
      actor: TESTER,
    })
    await relayNews()
    await deliverWebhooks({ id })
    await page.goto(`/back-office/webhooks?partner=${partner.code}&status=retrying`)
    const row = page.getByRole('row').filter({ hasText: partner.code })
    await row.getByText('Concert').waitFor()
    await row.getByText('Retrying').waitFor()
    await row.getByText(/^next/).waitFor()
    await assertAccessible(page, assert)
    await row.getByRole('link').click()
    await page.getByText('Next attempt').waitFor()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('It is sent now').first().waitFor()
    await page.getByText('On its way').waitFor()
    await deliverWebhooks({ id })
    assert.lengthOf(receiver.received, 2)
    assert.deepEqual(complaints, [])
  })

  test('a delivery that has ended cannot be sent at once, and the page says why', async ({
    assert,
    browserContext,
    cleanup,
  }) => {
    const { code, endpointId, receiver } = await aRefusedDelivery()
    cleanup(() => receiver.close())
    const ending = (status: string, endedAt: string) =>
      ownerRows(
        `UPDATE webhook_deliveries SET status = ?, ended_at = ${endedAt} WHERE endpoint_id = ?`,
        status,
        endpointId
      )
    await ending('pending', 'NULL')
    const page = await browserContext.newPage()
    await openAs(page, 'operations', `/back-office/webhooks?partner=${code}&status=retrying`)
    await page.getByRole('link', { name: 'Ping' }).click()
    const push = page.getByRole('button', { name: 'Send now' })
    await push.waitFor()
    await ending('delivered', 'now()')
    await push.click()
    await page
      .getByText(/being sent at this moment or has ended/)
      .first()
      .waitFor()
    assert.lengthOf(receiver.received, 1)
  })

  test('all failed deliveries of an endpoint are sent again after their number is confirmed', async ({
    assert,
    browserContext,
    cleanup,
  }) => {
    const { code, endpointId, receiver } = await aRefusedDelivery()
    cleanup(() => receiver.close())
    const { name } = await one('SELECT name FROM partners WHERE code = ?', code)
    const page = await browserContext.newPage()
    await openAs(page, 'operations', '/back-office/webhooks')
    await page.getByRole('button', { name: `Send again: ${name}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 delivery will be sent again.').waitFor()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    // Exactly: the dialog says the same with a full stop.
    await page.getByText('1 delivery will be sent again', { exact: true }).first().waitFor()
    const { status } = await one(
      'SELECT status FROM webhook_deliveries WHERE endpoint_id = ?',
      endpointId
    )
    assert.equal(status, 'pending')
  })

  test('a reader cannot send', async ({ assert, browserContext, cleanup }) => {
    const { receiver } = await aRefusedDelivery()
    cleanup(() => receiver.close())
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', '/back-office/webhooks')
    await page.getByRole('heading', { name: 'Endpoints' }).waitFor()
    assert.equal(await page.getByRole('button', { name: /Ping|Send again/ }).count(), 0)
  })
})

test.group('Jobs', () => {
  test('the schedule shows the last run of each job and that no worker runs', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    await ownerRows('DELETE FROM workers')
    await runJob('expire_tickets', {})
    await ownerRows('ALTER TABLE webhook_relay RENAME TO webhook_relay_away')
    await assert.rejects(() => runJob('relay_news', {}))
    await ownerRows('ALTER TABLE webhook_relay_away RENAME TO webhook_relay')
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', '/back-office/jobs')
    await page.getByText('No worker is running').first().waitFor()
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('Expire tickets of past events').getByText('Working').waitFor()
    await row('Send notifications to partners').getByText('Failing').waitFor()
    await row('Send notifications to partners')
      .getByText(/webhook_relay/)
      .waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
    await runJob('relay_news', {})
  })

  test('a failed job is shown and retried', async ({ assert, browserContext, cleanup }) => {
    const connection = { url: process.env.REDIS_URL! }
    const queue = new Queue('webhooks', { connection, prefix: QUEUE_PREFIX })
    const worker = new Worker('webhooks', () => Promise.reject(new Error('no wings')), {
      connection,
      prefix: QUEUE_PREFIX,
    })
    cleanup(async () => {
      await queue.obliterate({ force: true })
      await queue.close()
    })
    const job = await queue.add('send_pigeon', { id: 7 })
    await once(worker, 'failed')
    await worker.close()

    const page = await browserContext.newPage()
    await openAs(page, 'operations', '/back-office/jobs')
    const line = page.getByRole('listitem').filter({ hasText: 'send_pigeon' })
    await line.getByText('no wings').waitFor()
    await assertAccessible(page, assert)
    await line.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The job is queued again').first().waitFor()
    assert.equal(await queue.getJobState(job.id!), 'waiting')
    await line.waitFor({ state: 'detached' })
  })
})
