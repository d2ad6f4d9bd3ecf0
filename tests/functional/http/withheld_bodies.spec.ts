import platform from '#config/platform'
import { aGate } from '#tests/functional/races/support/gates'
import { aPartner, aSale, paymentOf } from '#tests/support/fixtures'
import { anOrder } from '#tests/support/operations'
import type { PartnerClient } from '#tests/support/partner_client'
import { nowSeconds, PREFIX } from '#tests/support/raw_request'
import { connectToServer, signedBytes, talk } from '#tests/support/raw_socket'
import { attemptsAt } from '#tests/support/rows'
import { StaffClient } from '#tests/support/staff_client'
import { test } from '@japa/runner'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** Longer than the rest of a body is waited for, far shorter than a request may take. */
const FOR_MS = 6_000
const AT_ONCE_MS = 1_000
const SOON_MS = 3_500

/** The head of a request with a body, and the beginning of the body, which never goes on. */
const begun = (path: string, headers: Record<string, string>, bytes = 500, beginning = '') =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    beginning,
  ].join('\r\n')

const signed = (client: PartnerClient, more: Record<string, string> = {}) => ({
  'X-Api-Key': client.credentials.apiKey,
  'X-Timestamp': nowSeconds(),
  'X-Signature': '0'.repeat(64),
  'X-Forwarded-For': client.address,
  ...more,
})

/** Headers that cannot be right, whatever the body is. */
const IMPOSSIBLE: [what: string, headers: () => Record<string, string>][] = [
  ['no signature', () => ({ 'X-Signature': '' })],
  ['a signature that is not hex', () => ({ 'X-Signature': 'z'.repeat(64) })],
  ['a stale timestamp', () => ({ 'X-Timestamp': nowSeconds(-400) })],
  ['a timestamp in milliseconds', () => ({ 'X-Timestamp': `${nowSeconds()}000` })],
]

const bookingsOf = (client: PartnerClient, headers: Record<string, string>) =>
  begun(`${PREFIX}/bookings`, signed(client, headers))

test.group('Bodies withheld from the partner API', (group) => {
  group.each.setup(() => () => {
    platform.deployment = 'sandbox'
  })

  for (const [what, headers] of IMPOSSIBLE) {
    test(`${what}: refused without the body on live`, async ({ assert }) => {
      platform.deployment = 'live'
      const { client } = await aPartner()
      const bytes = bookingsOf(client, headers())
      const { answers, isClosed, answeredMs } = await talk(bytes, { forMs: FOR_MS })
      assert.equal(answers[0]?.status, 401)
      assert.isBelow(answeredMs, AT_ONCE_MS)
      assert.isTrue(isClosed)
    })

    test(`${what}: the sandbox waits a moment for the body, to explain it`, async ({ assert }) => {
      const { client } = await aPartner()
      const bytes = bookingsOf(client, headers())
      const { answers, isClosed, answeredMs } = await talk(bytes, { forMs: FOR_MS })
      assert.equal(answers[0]?.status, 401)
      assert.isBelow(answeredMs, SOON_MS)
      assert.isTrue(isClosed)
    })
  }

  test('beyond the budget of its address nothing is waited for', async ({ assert }) => {
    const { client } = await aPartner()
    for (let i = 0; i < 30; i++) await client.get('/events', { signature: 'wrong' })
    for (const [what, headers] of IMPOSSIBLE) {
      const { answers, answeredMs } = await talk(bookingsOf(client, headers()), { forMs: 1_500 })
      assert.equal(answers[0]?.status, 429, what)
      assert.isBelow(answeredMs, AT_ONCE_MS, what)
    }
  })

  for (const deployment of ['live', 'sandbox'] as const) {
    test(`a confirm with impossible headers leaves its trace on ${deployment}`, async ({
      assert,
    }) => {
      platform.deployment = deployment
      const { client, order } = await anOrder()
      const path = `/orders/${order.order_id}/confirm`
      for (const [index, [what, headers]] of IMPOSSIBLE.entries()) {
        const answer = await client.post(path, paymentOf(24_000), { headers: headers() })
        assert.equal(answer.status, 401, what)
        const attempts = await attemptsAt(order.order_id)
        assert.lengthOf(attempts, index + 1, what)
        const expected = { http_status: 401, signature_valid: false, amount_raw: '24000' }
        assert.containsSubset(attempts.at(-1), expected, what)
      }
    })
  }

  test('the time that a body takes is not that in which we answer', async ({ assert }) => {
    const { client, event } = await aSale()
    const booking = { partner_booking_id: 'slow', event_id: event.id, seats: ['seat-1-1'] }
    const bytes = signedBytes(client, 'POST', '/bookings', JSON.stringify(booking))
    const socket = await connectToServer()
    const answered = once(socket, 'data')
    socket.write(bytes.slice(0, -10))
    await delay(300)
    // As if the rest came after ten seconds.
    const now = performance.now.bind(performance)
    performance.now = () => now() + 10_000
    try {
      socket.write(bytes.slice(-10))
      const [answer] = (await answered) as [Buffer]
      assert.match(answer.toString(), /^HTTP\/1\.1 201 /)
    } finally {
      performance.now = now
      socket.destroy()
    }
  })

  test('a confirm without its body is answered in a moment and leaves no trace', async ({
    assert,
  }) => {
    platform.deployment = 'live'
    const { client, order } = await anOrder()
    const headers = signed(client, { 'X-Signature': '' })
    const bytes = begun(`${PREFIX}/orders/${order.order_id}/confirm`, headers)
    const { answers, isClosed, answeredMs } = await talk(bytes, { forMs: FOR_MS })
    assert.equal(answers[0]?.status, 401)
    assert.isBelow(answeredMs, SOON_MS)
    assert.isTrue(isClosed)
    assert.isEmpty(await attemptsAt(order.order_id))
  })
})

test.group('Bodies withheld from the gate', () => {
  test('an unknown key is refused at once, and its connection closed', async ({ assert }) => {
    const key = `gk_${randomBytes(32).toString('base64url')}`
    const headers = { 'X-Gate-Key': key, 'X-Forwarded-For': '10.6.0.1' }
    const bytes = begun('/api/v1/gate/scans', headers)
    const { answers, isClosed, answeredMs } = await talk(bytes, { forMs: FOR_MS })
    assert.equal(answers[0]?.status, 401)
    assert.isBelow(answeredMs, AT_ONCE_MS)
    assert.isTrue(isClosed)
  })

  test('an oversized body is refused at its limit, and its connection closed', async ({
    assert,
  }) => {
    const { key } = await aGate()
    const beginning = ' '.repeat(20_000)
    const bytes = begun('/api/v1/gate/scans', { 'X-Gate-Key': key }, 1_000_000, `\r\n${beginning}`)
    const { answers, isClosed, answeredMs } = await talk(bytes, { forMs: FOR_MS })
    assert.equal(answers[0]?.status, 413)
    assert.isBelow(answeredMs, AT_ONCE_MS)
    assert.isTrue(isClosed)
  })
})

test.group('Bodies withheld from the back office', () => {
  for (const path of ['/back-office/gate/scans', '/back-office/orders/TIX-2026-000001/tickets']) {
    test(`without a session ${path} is answered without its body`, async ({ assert }) => {
      const { answers, answeredMs } = await talk(begun(path, {}), { forMs: 1_500 })
      assert.isBelow(answers[0]?.status ?? 999, 500)
      assert.isBelow(answeredMs, AT_ONCE_MS)
    })
  }

  test('the sign-in takes no body larger than its form', async ({ assert }) => {
    const stranger = new StaffClient()
    await stranger.get('/back-office/sign-in')
    const form = { email: 'x'.repeat(100_000), password: 'x' }
    const { status } = await stranger.send('POST', '/back-office/sign-in', form)
    assert.equal(status, 413)
  })
})
