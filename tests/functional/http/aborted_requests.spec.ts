import { aPartner, aSale } from '#tests/support/fixtures'
import { bookingBody } from '#tests/support/operations'
import type { PartnerClient } from '#tests/support/partner_client'
import { PREFIX } from '#tests/support/raw_request'
import { connectToServer } from '#tests/support/raw_socket'
import { countBookings } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

/** A signed request as bytes for a socket. */
function signedBytes(client: PartnerClient, method: string, path: string, body = '') {
  const { apiKey, secret } = client.credentials
  const timestamp = String(Math.floor(Date.now() / 1000))
  const canonical = `${timestamp}\n${method}\n${PREFIX}${path}\n${body}`
  const signature = createHmac('sha256', secret).update(canonical).digest('hex')
  return (
    `${method} ${PREFIX}${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${apiKey}\r\nX-Timestamp: ${timestamp}\r\n` +
    `X-Signature: ${signature}\r\nX-Forwarded-For: ${client.address}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

/**
 * A reset is not answered, so there is nothing to wait for: after this time the server has seen it, long before the 30 s after
 * which a leaked slot would free itself.
 */
const RESET_SEEN_MS = 300

/** Sends and resets the connection so many milliseconds later. */
async function sendAndReset(bytes: string, afterMs: number) {
  const socket = await connectToServer()
  socket.on('error', () => {})
  socket.write(bytes)
  await delay(afterMs)
  socket.resetAndDestroy()
}

test.group('Clients that disconnect', () => {
  for (const afterMs of [0, 1, 3, 10]) {
    test(`${afterMs} ms after the request leave no slot in use`, async ({ assert }) => {
      const { client } = await aPartner({ requestsInFlight: 5 })
      const bytes = signedBytes(client, 'GET', '/events')
      await Promise.all(Array.from({ length: 24 }, () => sendAndReset(bytes, afterMs)))
      await delay(RESET_SEEN_MS)

      const answers = await Promise.all(Array.from({ length: 5 }, () => client.get('/events')))

      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200, 200]
      )
    })
  }

  test('during several pipelined requests leave no slot in use', async ({ assert }) => {
    const { client } = await aPartner({ requestsInFlight: 4 })
    const bytes = signedBytes(client, 'GET', '/events')
    await sendAndReset(bytes + bytes + bytes + bytes, 1)
    await delay(RESET_SEEN_MS)

    const answers = await Promise.all(Array.from({ length: 4 }, () => client.get('/events')))

    assert.isTrue(answers.every(({ status }) => status === 200))
  })

  test('do not undo the change that they requested', async ({ assert }) => {
    const { client, event, partner } = await aSale({ settings: { requestsInFlight: 1 } })
    const body = JSON.stringify(bookingBody(event.id))
    const trx = await db.transaction()
    await trx.rawQuery('SELECT 1 FROM event_seats WHERE event_id = ? FOR UPDATE', [event.id])
    await sendAndReset(signedBytes(client, 'POST', '/bookings', body), 200)
    await trx.rollback()

    const deadline = performance.now() + 5_000
    while ((await countBookings(partner)) === 0 && performance.now() < deadline) await delay(20)
    assert.equal(await countBookings(partner), 1)
    const { status } = await client.get('/events')
    assert.equal(status, 200)
  })
})
