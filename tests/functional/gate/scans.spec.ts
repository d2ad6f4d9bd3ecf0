import CancelEvent from '#sales/cancel_event/cancel_event'
import { TESTER, aSale, anEvent, grant, sell } from '#tests/support/fixtures'
import { testBaseUrl, type Answer } from '#tests/support/partner_client'
import { aGate, postScan } from '#tests/functional/races/support/gates'
import { outcomeOf } from '#tests/functional/races/support/crowd'
import { count, rows } from '#tests/functional/races/support/sql'
import { SignJWT, base64url, createRemoteJWKSet, decodeJwt, exportJWK, generateKeyPair } from 'jose'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { test } from '@japa/runner'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?\+05:00$/

/** A gate, and a sold ticket for the event that it lets people in to. */
async function aTicketAtGate(seats = ['seat-1-1']) {
  const [sale, gate] = await Promise.all([aSale(), aGate()])
  const order = await sell(sale.client, sale.event.id, seats)
  return { ...sale, gate, order, ticket: order.tickets[0] }
}

type Context = Awaited<ReturnType<typeof aTicketAtGate>>

const ticketRow = async (id: string) => {
  const [row] = await rows('SELECT * FROM tickets WHERE id = $1', [id])
  return row
}
const verdicts = (eventId: string) =>
  rows('SELECT verdict, ticket_id FROM ticket_scans WHERE event_id = $1 ORDER BY id', [eventId])

const jwksOf = (eventId: string) =>
  createRemoteJWKSet(new URL(`${testBaseUrl()}/api/v1/partners/events/${eventId}/jwks.json`))

test.group('POST /gate/scans', () => {
  test('a valid ticket admits the guest and is used', async ({ assert }) => {
    const { gate, event, ticket } = await aTicketAtGate()

    const answer = await gate.scan(event.id, ticket.qr_token)

    assert.equal(answer.status, 200, answer.text)
    assert.containsSubset(answer.data, {
      verdict: 'admitted',
      ticket_id: ticket.ticket_id,
      number: ticket.number,
      row_label: ticket.row_label,
      seat_label: ticket.seat_label,
      gate: gate.name,
    })
    assert.match(answer.data.used_at, INSTANT)
    assert.match(answer.headers.get('x-request-id')!, UUID)
    const stored = await ticketRow(ticket.ticket_id)
    assert.deepEqual([stored.status, stored.used_gate], ['used', gate.name])
    assert.equal(stored.used_at.getTime(), Date.parse(answer.data.used_at))
    assert.deepEqual(await verdicts(event.id), [
      { verdict: 'admitted', ticket_id: ticket.ticket_id },
    ])
  })

  test('the partner reads the ticket as used, with the same QR', async ({ assert }) => {
    const { gate, event, ticket, order, client } = await aTicketAtGate()
    await gate.scan(event.id, ticket.qr_token)

    const { data } = await client.get(`/orders?partner_order_id=${order.partner_order_id}`)

    assert.containsSubset(data.tickets[0], { status: 'used', qr_token: ticket.qr_token })
  })

  test('a second scan is refused with the time and the gate of the first', async ({ assert }) => {
    const { gate, event, ticket } = await aTicketAtGate()
    const other = await aGate()
    const first = await gate.scan(event.id, ticket.qr_token)

    const second = await other.scan(event.id, ticket.qr_token)

    assert.equal(outcomeOf(second), '409 TICKET_ALREADY_USED')
    assert.deepEqual(second.error.details, {
      used_at: first.data.used_at,
      gate: gate.name,
      ticket_id: ticket.ticket_id,
      number: ticket.number,
    })
    const stored = await ticketRow(ticket.ticket_id)
    assert.equal(stored.used_gate, gate.name)
    const seen = await verdicts(event.id)
    assert.deepEqual(
      seen.map(({ verdict }) => verdict),
      ['admitted', 'TICKET_ALREADY_USED']
    )
  })

  test('a refunded ticket is void', async ({ assert }) => {
    const { gate, event, ticket, order, client } = await aTicketAtGate()
    const body = { ticket_ids: [ticket.ticket_id], reason: 'ill' }
    await client.post(`/orders/${order.order_id}/refund`, body)

    const answer = await gate.scan(event.id, ticket.qr_token)

    assert.equal(outcomeOf(answer), '409 TICKET_VOID')
    const { ticket_id: id, number } = ticket
    assert.deepEqual(answer.error.details, { cause: 'refund', ticket_id: id, number })
  })

  test('a ticket of a cancelled event is void', async ({ assert }) => {
    const { gate, event, ticket } = await aTicketAtGate()
    await new CancelEvent().handle({ eventId: event.id, reason: 'Отмена', actor: TESTER })

    const answer = await gate.scan(event.id, ticket.qr_token)

    assert.equal(outcomeOf(answer), '409 TICKET_VOID')
    assert.equal(answer.error.details.cause, 'event_cancelled')
  })

  test('a ticket of a past event is expired', async ({ assert }) => {
    const { gate, event, ticket } = await aTicketAtGate()
    await rows(
      `UPDATE events SET starts_at = now() - interval '3 hours', ends_at = now() - interval '1 second' WHERE id = $1`,
      [event.id]
    )

    const answer = await gate.scan(event.id, ticket.qr_token)

    assert.equal(outcomeOf(answer), '409 TICKET_EXPIRED')
    assert.match(answer.error.details.ended_at, INSTANT)
    const stored = await ticketRow(ticket.ticket_id)
    assert.isNull(stored.used_at)
  })

  test('a ticket for another event has its own verdict', async ({ assert }) => {
    const { gate, event, ticket } = await aTicketAtGate()
    const other = await anEvent()

    const answer = await gate.scan(other.id, ticket.qr_token)

    assert.equal(outcomeOf(answer), '409 TICKET_WRONG_EVENT')
    assert.deepEqual(answer.error.details, { event_id: event.id })
    const stored = await ticketRow(ticket.ticket_id)
    assert.equal(stored.status, 'active')
  })

  test('a missing, wrong or revoked key is INVALID_GATE_KEY', async ({ assert }) => {
    const { gate, event, ticket } = await aTicketAtGate()
    const body = { event_id: event.id, qr_token: ticket.qr_token }
    const keys: Record<string, string>[] = [
      {},
      { 'X-Gate-Key': '' },
      { 'X-Gate-Key': 'gk_wrong' },
      { 'X-Gate-Key': gate.key.slice(0, -1) },
      { 'X-Gate-Key': `${gate.key} x` },
    ]
    for (const key of keys)
      assert.equal(outcomeOf(await postScan(body, key)), '401 INVALID_GATE_KEY')

    await rows('UPDATE gate_devices SET revoked_at = now() WHERE name = $1', [gate.name])
    assert.equal(outcomeOf(await gate.scan(event.id, ticket.qr_token)), '401 INVALID_GATE_KEY')
    const stored = await ticketRow(ticket.ticket_id)
    assert.equal(stored.status, 'active')
  })

  const badBodies: [what: string, body: unknown, field: string][] = [
    ['no JSON', '{"event_id":', 'body'],
    ['nothing', '', 'body'],
    ['a list', '[]', 'qr_token'],
    ['null', 'null', 'qr_token'],
    ['no token', { event_id: 'evt_1' }, 'qr_token'],
    ['an empty token', { event_id: 'evt_1', qr_token: '' }, 'qr_token'],
    ['a token that is a number', { event_id: 'evt_1', qr_token: 7 }, 'qr_token'],
    ['no event', { qr_token: 'x' }, 'event_id'],
    ['an event that is a list', { qr_token: 'x', event_id: ['evt_1'] }, 'event_id'],
  ]
  for (const [what, body, field] of badBodies) {
    test(`a body with ${what} is INVALID_PARAMETERS for ${field}`, async ({ assert }) => {
      const gate = await aGate()
      const answer = await gate.send(body)
      assert.equal(outcomeOf(answer), '422 INVALID_PARAMETERS')
      assert.deepEqual(
        answer.error.details.fields.map((problem: { field: string }) => problem.field),
        [field]
      )
    })
  }

  test('a body of 16 KiB is read, and a longer one is PAYLOAD_TOO_LARGE', async ({ assert }) => {
    const gate = await aGate()
    const send = async (bytes: number) => outcomeOf(await gate.send('{}'.padEnd(bytes)))
    assert.equal(await send(16_384), '422 INVALID_PARAMETERS')
    for (const bytes of [16_385, 5_000_000])
      assert.equal(await send(bytes), '413 PAYLOAD_TOO_LARGE', String(bytes))
  })
})

test.group('POST /gate/scans with invalid tokens', () => {
  const forgeries: [what: string, forge: (context: Context) => string | Promise<string>][] = [
    ['a link to the ticket page', ({ ticket }) => ticket.pdf_url],
    ['any text', () => 'hello'],
    ['the number of the ticket', ({ ticket }) => ticket.number],
    ['a JWT of somebody else', () => aForeignJwt()],
    ['our claims, signed by another key under our key id', (context) => signedByStranger(context)],
    ['our claims, unsigned (alg none)', ({ ticket }) => unsigned(ticket.qr_token, 'none')],
    ['our claims, signed with HMAC of the public key', (context) => signedWithPublicKey(context)],
    ['our claims, signed by the key of another event', (context) => signedForOther(context)],
    ['a token cut short', ({ ticket }) => ticket.qr_token.slice(0, -1)],
    ['a token with a character more', ({ ticket }) => `${ticket.qr_token}A`],
    ['a token with spaces', ({ ticket }) => ` ${ticket.qr_token}`],
    ['a token with a changed claim', ({ ticket }) => withOtherSeat(ticket.qr_token)],
    ['a token with an empty signature', ({ ticket }) => unsigned(ticket.qr_token, 'ES256')],
    [
      'a token with a signature of zeros',
      ({ ticket }) => `${unsigned(ticket.qr_token, 'ES256')}${'A'.repeat(86)}`,
    ],
    ['claims that are no object', () => `${base64url.encode('null')}.${base64url.encode('7')}.AA`],
    ['a very long text', () => 'a.b.c'.repeat(500)],
    ['text that is not ASCII', () => 'билет'],
  ]
  for (const [what, forge] of forgeries) {
    test(`${what}: QR_INVALID`, async ({ assert }) => {
      const context = await aTicketAtGate()
      const { gate, event, ticket } = context

      const answer = await gate.scan(event.id, await forge(context))

      assert.equal(outcomeOf(answer), '422 QR_INVALID')
      const stored = await ticketRow(ticket.ticket_id)
      assert.equal(stored.status, 'active')
      const admitted = `SELECT count(*) FROM ticket_scans WHERE event_id = $1 AND verdict = 'admitted'`
      assert.equal(await count(admitted, [event.id]), 0)
      const recorded = await rows(
        'SELECT verdict, ticket_id FROM ticket_scans WHERE event_id = $1',
        [event.id]
      )
      assert.deepEqual(recorded, [{ verdict: 'QR_INVALID', ticket_id: null }])
    })
  }

  test('a token signed for an unknown ticket: QR_INVALID', async ({ assert }) => {
    const { gate, event, ticket } = await aTicketAtGate()
    await rows('UPDATE tickets SET id = $2 WHERE id = $1', [
      ticket.ticket_id,
      `tkt_${'z'.repeat(10)}${ticket.ticket_id.slice(14)}`,
    ])
    const answer = await gate.scan(event.id, ticket.qr_token)
    assert.equal(outcomeOf(answer), '422 QR_INVALID')
    // Signed by us: staff look for the guest by these.
    const printed = { number: ticket.number, space_id: ticket.space_id }
    assert.deepEqual(answer.error!.details, printed)
    const [scan] = await rows('SELECT details FROM ticket_scans WHERE event_id = $1', [event.id])
    assert.deepEqual(scan.details, printed)
  })
})

test.group('qr_token', () => {
  test('the event’s public key alone verifies it', async ({ assert }) => {
    const { event, ticket } = await aTicketAtGate()

    const { payload, protectedHeader } = await jwtVerify(ticket.qr_token, jwksOf(event.id), {
      algorithms: ['ES256', 'RS256'],
    })

    assert.equal(payload.sub, ticket.ticket_id)
    assert.containsSubset(payload, {
      event_id: event.id,
      space_id: ticket.space_id,
      number: ticket.number,
    })
    assert.isString(protectedHeader.kid)
    assert.isAbove(payload.exp!, Date.now() / 1000)
  })

  test('the key set is public, holds public keys only and names the key', async ({ assert }) => {
    const { event, ticket } = await aTicketAtGate()
    const url = `${testBaseUrl()}/api/v1/partners/events/${event.id}/jwks.json`

    const response = await fetch(url)
    const { keys } = (await response.json()) as { keys: Record<string, string>[] }

    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type')!, /^application\/jwk-set\+json/)
    const { kid } = decodeProtectedHeader(ticket.qr_token)
    assert.deepEqual(
      keys.map((key) => key.kid),
      [kid!]
    )
    for (const key of keys) assert.notProperty(key, 'd')
  })

  test('another event’s key does not verify it', async ({ assert }) => {
    const { ticket } = await aTicketAtGate()
    const other = await anEvent()
    await assert.rejects(() => jwtVerify(ticket.qr_token, jwksOf(other.id)))
  })

  test('has 530 to 560 ASCII characters, whatever the names of event and seats', async ({
    assert,
  }) => {
    const long = 'Ұлы дала әуені — '.repeat(20)
    const event = await anEvent({ title: { ru: long, kk: long, en: long } })
    const { client, partner } = await aSale()
    await grant(partner, event)

    const { tickets } = await sell(client, event.id, ['seat-1-1', 'seat-5-10'])

    for (const { qr_token: token } of tickets) {
      assert.isAtLeast(token.length, 530)
      assert.isAtMost(token.length, 560)
      assert.match(token, /^[A-Za-z0-9_.-]+$/)
    }
  })

  test('fits a seat with the longest id of a hall', async ({ assert }) => {
    const { client, event } = await aSale()
    const longest = `seat-${'x'.repeat(59)}`
    await rows(
      `INSERT INTO event_seats (event_id, sector_id, row_id, space_id, label, position, category_code, price_tenge)
       SELECT event_id, sector_id, row_id, $2, label, 9999, category_code, price_tenge
         FROM event_seats WHERE event_id = $1 AND space_id = 'seat-2-2'`,
      [event.id, longest]
    )

    const { tickets } = await sell(client, event.id, [longest])

    assert.equal(decodeJwt(tickets[0].qr_token).space_id, longest)
    assert.isAtMost(tickets[0].qr_token.length, 560)
  })

  test('is the same on every read', async ({ assert }) => {
    const { client, order, ticket } = await aTicketAtGate()
    const path = `/orders?partner_order_id=${order.partner_order_id}`
    const reads = await Promise.all([client.get(path), client.get(path), client.get(path)])
    for (const { data } of reads as Answer[]) assert.deepEqual(data.tickets[0], ticket)
  })
})

async function aForeignJwt() {
  const { privateKey } = await generateKeyPair('ES256')
  return new SignJWT({ name: 'Guest' })
    .setProtectedHeader({ alg: 'ES256', kid: 'x' })
    .sign(privateKey)
}

async function signedByStranger({ ticket }: Context) {
  const { privateKey } = await generateKeyPair('ES256')
  const { kid } = decodeProtectedHeader(ticket.qr_token)
  return new SignJWT(decodeJwt(ticket.qr_token))
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
    .sign(privateKey)
}

function unsigned(token: string, alg: string) {
  const [, payload] = token.split('.')
  const { kid } = decodeProtectedHeader(token)
  return `${base64url.encode(JSON.stringify({ alg, kid, typ: 'JWT' }))}.${payload}.`
}

async function signedWithPublicKey({ event, ticket }: Context) {
  const response = await fetch(`${testBaseUrl()}/api/v1/partners/events/${event.id}/jwks.json`)
  const { keys } = (await response.json()) as { keys: object[] }
  const { kid } = decodeProtectedHeader(ticket.qr_token)
  return new SignJWT(decodeJwt(ticket.qr_token))
    .setProtectedHeader({ alg: 'HS256', kid, typ: 'JWT' })
    .sign(Buffer.from(JSON.stringify(keys[0])))
}

/** The other event's key is real and ours; only the claims say this event. */
async function signedForOther({ client, partner, ticket }: Context) {
  const other = await anEvent()
  await grant(partner, other)
  const { tickets } = await sell(client, other.id, ['seat-1-1'])
  const { kid } = decodeProtectedHeader(tickets[0].qr_token)
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }
  await rows('UPDATE event_keys SET public_jwk = $2 WHERE kid = $1', [kid, jwk])
  return new SignJWT(decodeJwt(ticket.qr_token))
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
    .sign(privateKey)
}

function withOtherSeat(token: string) {
  const [header, , signature] = token.split('.')
  const claims = { ...decodeJwt(token), space_id: 'seat-1-2' }
  return `${header}.${base64url.encode(JSON.stringify(claims))}.${signature}`
}
