import { aSale, book, order, TESTER } from '#tests/support/fixtures'
import { testBaseUrl } from '#tests/support/partner_client'
import { ownerRows } from '#tests/support/rows'
import { aReceiver } from '#tests/support/receiver'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import PingEndpoint from '#webhooks/actions/ping_endpoint'
import deliverWebhooks from '#webhooks/deliver_webhooks/deliver_webhooks'
import platform from '#config/platform'
import { runJob } from '#worker/jobs'
import { test } from '@japa/runner'

const ask = (headers: Record<string, string> = withToken(platform.metricsToken!)) =>
  fetch(`${testBaseUrl()}/metrics`, { headers }).then(async (response) => {
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    }
  })

const withToken = (token: string) => ({ Authorization: `Bearer ${token}` })

/** The value of a sample: `name{label="value",…}` with its labels in any order. */
function sample(text: string, name: string, labels: Record<string, string> = {}) {
  const line = text.split('\n').find((one) => {
    const [, found, list = ''] = /^([a-z0-9_]+)(?:\{(.*)\})? \S+$/.exec(one) ?? []
    const has = ([key, value]: [string, string]) => list.includes(`${key}="${value}"`)
    return found === name && Object.entries(labels).every(has)
  })
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')))
}

/** What earlier tests hold must not run out between two looks at the metrics. */
async function keepEarlierHolds() {
  const later = `clock_timestamp() + interval '1 hour'`
  await ownerRows(`UPDATE bookings SET expires_at = ${later} WHERE stored_status = 'active'`)
  await ownerRows(`UPDATE orders SET window_ends_at = ${later} WHERE stored_status = 'pending'`)
}

test.group('GET /metrics', () => {
  test('every line has the text format, process metrics included', async ({ assert }) => {
    const { status, type, text } = await ask()
    assert.equal(status, 200)
    assert.match(type!, /^text\/plain; version=0\.0\.4/)
    const lines = text.trimEnd().split('\n')
    const odd = lines.filter(
      (line) =>
        !/^(# (HELP|TYPE) [a-z0-9_]+ .+|[a-z0-9_]+(\{([a-z]+="[^"]*",?)+\})? (-?[0-9.e+-]+|Nan|\+Inf)|)$/.test(
          line
        )
    )
    assert.deepEqual(odd, [])
    assert.isAtLeast(sample(text, 'nodejs_eventloop_lag_p99_seconds')!, 0)
    assert.isAtLeast(sample(text, 'database_connections', { state: 'free' })!, 0)
    assert.equal(sample(text, 'service_up', { service: 'postgresql' }), 1)
    assert.equal(sample(text, 'service_up', { service: 'redis' }), 1)
    assert.isAtLeast(sample(text, 'queue_jobs', { queue: 'clock', state: 'failed' })!, 0)
  })

  test('requests are counted by operation, partner, status and code', async ({ assert }) => {
    const { client, partner, event } = await aSale()
    await client.get(`/events/${event.id}`)
    await client.get('/events/evt_nobody')
    const { text } = await ask()
    const operation = 'partner_api.get_event'
    const counted = (status: string, code: string) =>
      sample(text, 'http_requests_total', { operation, partner: partner.code, status, code })
    assert.equal(counted('200', ''), 1)
    assert.equal(counted('404', 'EVENT_NOT_FOUND'), 1)
    assert.isAtLeast(sample(text, 'http_request_duration_seconds_count', { operation })!, 2)
  })

  test('a wrong signature is counted without a partner', async ({ assert }) => {
    const { client, partner, event } = await aSale()
    await client.get(`/events/${event.id}`, { signature: 'f'.repeat(64) })
    const { text } = await ask()
    assert.isUndefined(sample(text, 'http_requests_total', { partner: partner.code }))
    assert.isAtLeast(sample(text, 'http_requests_total', { code: 'INVALID_SIGNATURE' })!, 1)
  })

  test('holds, orders, webhooks and jobs are counted', async ({ assert }) => {
    const receiver = await aReceiver()
    const { client, partner, event } = await aSale()
    await keepEarlierHolds()
    const { text: before } = await ask()
    await book(client, event.id, ['seat-1-1'])
    const { data } = await book(client, event.id, ['seat-1-2'])
    await order(client, data.booking_id)
    const actor = TESTER
    const { id } = await new SetEndpoint().handle({
      partnerCode: partner.code,
      url: receiver.url,
      actor,
    })
    await new PingEndpoint().handle({ partnerCode: partner.code })
    await deliverWebhooks({ id })
    await new PingEndpoint().handle({ partnerCode: partner.code })
    await client.get('/events?updated_since=')
    await runJob('expire_overdue', {})
    receiver.close()

    const { text } = await ask()
    const grown = (name: string, labels: Record<string, string>) =>
      sample(text, name, labels)! - (sample(before, name, labels) ?? 0)
    assert.equal(grown('holds', { kind: 'booking' }), 1)
    assert.equal(grown('holds', { kind: 'order' }), 1)
    assert.equal(grown('orders_of_last_day', { status: 'pending' }), 1)
    const of = { partner: partner.code }
    assert.equal(sample(text, 'webhook_endpoint_active', of), 1)
    assert.equal(sample(text, 'webhook_attempts_total', { ...of, outcome: 'success' }), 1)
    assert.equal(sample(text, 'webhook_attempts_total', { ...of, outcome: 'failure' }), 0)
    assert.equal(sample(text, 'webhook_deliveries', { ...of, status: 'pending' }), 1)
    assert.isBelow(sample(text, 'job_success_age_seconds', { job: 'expire_overdue' })!, 10)
    assert.equal(sample(text, 'job_failures_in_row', { job: 'expire_overdue' }), 0)
  })

  test('runs and mails that failed by our fault within the hour are counted', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const { text: before } = await ask()
    const failedRun = (code: string, finishedAt: string) =>
      ownerRows(
        `INSERT INTO settlement_runs (kind, partner_id, params, language, request_sha256, asked_by, asked_by_kind, state, error, finished_at)
         VALUES ('workbook', ?, '{}', 'en', gen_random_uuid(), 'tests', 'console', 'failed', jsonb_build_object('code', ?::text), ${finishedAt})
         RETURNING id`,
        partner.id,
        code
      )
    const [{ id }] = await failedRun('DISK_FULL', 'now()')
    // A refusal is no fault of ours, and what is over an hour ago is known.
    await failedRun('NO_TERMS', 'now()')
    await failedRun('CRASHED', `now() - interval '61 minutes'`)
    const failedMail = (endedAt: string) =>
      ownerRows(
        `INSERT INTO mails (message_id, partner_id, purpose, report_kind, run_id, recipient, language, state, failure, ended_at, asked_by)
         VALUES (gen_random_uuid(), ?, 'report', 'workbook', ?, 'anna@example.kz', 'en', 'failed', 'refused', ${endedAt}, 'tests')`,
        partner.id,
        id as number
      )
    await failedMail('now()')
    await failedMail(`now() - interval '61 minutes'`)
    const { text } = await ask()
    const grown = (name: string) => sample(text, name)! - sample(before, name)!
    assert.equal(grown('failed_runs_of_last_hour'), 1)
    assert.equal(grown('failed_mails_of_last_hour'), 1)
  })

  test('without the token 404, also from this machine: a proxy here need not add a header', async ({
    assert,
  }) => {
    const proxied = ['X-Forwarded-For', 'Forwarded', 'X-Real-IP'].map((header) => ({
      [header]: '203.0.113.7',
    }))
    for (const headers of [{}, ...proxied]) {
      const { status, text } = await ask(headers)
      assert.equal(status, 404, JSON.stringify(headers))
      assert.notInclude(text, 'http_requests_total')
    }
  })

  test('the token admits from any address, another token does not', async ({ assert }) => {
    const from = { 'X-Forwarded-For': '203.0.113.7' }
    const statusWith = async (token: string) => {
      const { status } = await ask({ ...from, ...withToken(token) })
      return status
    }
    assert.equal(await statusWith(platform.metricsToken!), 200)
    assert.equal(await statusWith(`${platform.metricsToken!.slice(0, -1)}-`), 404)
    assert.equal(await statusWith(''), 404)
  })

  test('where no token is set nobody reads metrics', async ({ assert, cleanup }) => {
    const before = platform.metricsToken
    cleanup(() => {
      platform.metricsToken = before
    })
    platform.metricsToken = null
    for (const token of ['', 'null', 'undefined']) {
      const { status } = await ask(withToken(token))
      assert.equal(status, 404)
    }
  })
})
