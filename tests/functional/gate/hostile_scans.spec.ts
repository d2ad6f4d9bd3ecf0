import { aGate, postScan } from '#tests/functional/races/support/gates'
import { outcomeOf } from '#tests/functional/races/support/crowd'
import { rows, watcher } from '#tests/functional/races/support/sql'
import { aSale, sell } from '#tests/support/fixtures'
import { testBaseUrl } from '#tests/support/partner_client'
import { StaffClient } from '#tests/support/staff_client'
import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'

const RUNS = 150
const CANNOT_BE_STORED = ['\0', '\ud800', 'evt_\0', `evt_${'0'.repeat(25)}\0`, '\udfff']

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const signature = 'A'.repeat(86)
const forged = (header: unknown, claims: unknown) =>
  `${encode(header)}.${encode(claims)}.${signature}`

async function aTicketAtGate() {
  const [sale, gate] = await Promise.all([aSale(), aGate()])
  const { tickets } = await sell(sale.client, sale.event.id, ['seat-1-1', 'seat-1-2', 'seat-1-3'])
  const tokens = tickets.map((ticket: { qr_token: string }) => ticket.qr_token) as string[]
  const header = JSON.parse(Buffer.from(tokens[0].split('.')[0], 'base64url').toString())
  const claims = JSON.parse(Buffer.from(tokens[0].split('.')[1], 'base64url').toString())
  return { eventId: sale.event.id, gate, tickets, tokens, header, claims }
}

/** Tokens that look like ours in all but one place, which holds what PostgreSQL does not store. */
function poisoned({ header, claims }: { header: object; claims: object }) {
  const texts = CANNOT_BE_STORED.flatMap((text) => [
    forged({ ...header, kid: text }, claims),
    forged({ ...header, kid: text.padEnd(16, 'x').slice(0, 16) }, claims),
    forged(header, { ...claims, sub: text }),
    forged(header, { ...claims, event_id: text }),
  ])
  const odd = [null, 7, [], {}, ['\0'], true].flatMap((value) => [
    forged({ ...header, kid: value }, claims),
    forged(header, { ...claims, sub: value }),
    forged(value, claims),
    forged(header, value),
  ])
  return [...texts, ...odd]
}

const aScan = (eventId: string, more: object = {}) => ({
  id: randomUUID(),
  eventId,
  gate: null,
  offlineAt: null,
  refusedOffline: null,
  ...more,
})

const send = (phone: StaffClient, body: unknown) =>
  phone.send('POST', '/back-office/gate/scans', body as object, { Accept: 'application/json' })

const verdictsOf = async (response: Response) => {
  const { verdicts } = (await response.json()) as { verdicts: { id: string; verdict: string }[] }
  return verdicts
}

/** Text of every kind, and that which PostgreSQL does not store more often than by chance. */
const anyText = (longest = 60) =>
  fc.oneof(
    fc.constantFrom(...CANNOT_BE_STORED),
    fc.string({ unit: 'binary', maxLength: longest }),
    fc.string({
      unit: fc.constantFrom('\0', '\ud800', '\udc00', 'a', '-', '%', '"'),
      maxLength: longest,
    })
  )
const anyToken = (kid: string, claims: object) =>
  fc.oneof(
    anyText(),
    fc
      .record({ kid: fc.oneof(anyText(16), fc.constant(kid)), sub: anyText(), event_id: anyText() })
      .map(({ kid: id, ...changed }) =>
        forged({ alg: 'ES256', kid: id, typ: 'JWT' }, { ...claims, ...changed })
      ),
    fc.tuple(fc.json(), fc.json()).map(([one, other]) => {
      const parts = [one, other].map((part) => Buffer.from(part).toString('base64url'))
      return `${parts.join('.')}.${signature}`
    })
  )

test.group('Hostile scans of a device', () => {
  test('a token with text that PostgreSQL does not store is QR_INVALID', async ({ assert }) => {
    const { gate, eventId, ...token } = await aTicketAtGate()
    for (const one of poisoned(token)) {
      assert.equal(outcomeOf(await gate.scan(eventId, one)), '422 QR_INVALID', one)
    }
  })

  test('no request body causes a server error', async ({ assert }) => {
    const { gate, eventId, header, claims } = await aTicketAtGate()
    const event = fc.oneof(anyText(), fc.constant(eventId))
    const body = fc.oneof(
      fc.record({ event_id: event, qr_token: anyToken(header.kid, claims) }),
      fc.record({ event_id: fc.jsonValue(), qr_token: fc.jsonValue() }),
      fc.json(),
      anyText()
    )
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const { status } = await gate.send(sent)
        assert.isBelow(status, 500)
      }),
      { numRuns: RUNS }
    )
  })

  test('an unknown key in any form is INVALID_GATE_KEY', async ({ assert }) => {
    // What an HTTP header can carry: Latin-1 without control characters.
    const letters = fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code < 0x7f || code > 0x9f)
    const key = fc.array(letters, { maxLength: 80 }).map((codes) => String.fromCharCode(...codes))
    const body = { event_id: 'e', qr_token: 'x' }
    let asked = 0
    await fc.assert(
      fc.asyncProperty(key, async (text) => {
        // Each from an address of its own: unknown keys spend the failures of their address.
        const headers = { 'X-Gate-Key': `gk_${text}`, 'X-Forwarded-For': `10.8.0.${(asked += 1)}` }
        assert.equal(outcomeOf(await postScan(body, headers)), '401 INVALID_GATE_KEY')
      }),
      { numRuns: 50 }
    )
  })
})

test.group('Hostile scans of a phone', () => {
  test('a hostile scan has its own verdict, and the others have theirs', async ({ assert }) => {
    const { eventId, tokens, ...token } = await aTicketAtGate()
    const phone = await StaffClient.signedIn('gate')
    const bad = poisoned(token)
    const scans = [tokens[0], ...bad, tokens[1]].map((one) => aScan(eventId, { token: one }))

    const response = await send(phone, { scans })

    assert.equal(response.status, 200)
    const verdicts = await verdictsOf(response)
    assert.deepEqual(
      verdicts.map(({ id, verdict }) => [id, verdict]),
      scans.map(({ id }, index) => [
        id,
        index === 0 || index === scans.length - 1 ? 'admitted' : 'QR_INVALID',
      ])
    )
  })

  test('an invalid scan fails alone', async ({ assert }) => {
    const { eventId, tokens } = await aTicketAtGate()
    const phone = await StaffClient.signedIn('gate')
    const token = { token: tokens[2] }
    const invalid = [
      null,
      7,
      'scan',
      [],
      {},
      { ...aScan(eventId, token), id: 'no uuid' },
      { ...aScan(eventId, token), id: 5 },
      aScan(eventId, { ...token, eventId: null }),
      aScan(eventId, { ...token, gate: 'x'.repeat(200) }),
      aScan(eventId, { ...token, offlineAt: 'yesterday' }),
      aScan(eventId, { ...token, offlineAt: '2026-99-99T99:99:99Z' }),
      aScan(eventId, { ...token, refusedOffline: 'INTERNAL_ERROR' }),
      aScan(eventId, { token: 'x'.repeat(5_000) }),
      aScan(eventId, { token: tokens }),
    ]
    const scans = [
      aScan(eventId, { token: tokens[0] }),
      ...invalid,
      aScan(eventId, { token: tokens[1] }),
    ]

    const response = await send(phone, { scans })

    assert.equal(response.status, 200)
    const verdicts = await verdictsOf(response)
    assert.deepEqual(
      verdicts.map(({ verdict }) => verdict),
      ['admitted', ...invalid.map(() => 'FAILED'), 'admitted']
    )
    for (const failed of verdicts.slice(1, -1)) {
      assert.containsSubset(failed, {
        cause: 'INVALID_SCAN',
        requestId: response.headers.get('X-Request-Id'),
      })
    }
  })

  test('a server error about one scan fails that scan alone and gives the request id', async ({
    assert,
  }) => {
    const [sound, broken] = [await aTicketAtGate(), await aTicketAtGate()]
    await rows(`UPDATE event_keys SET public_jwk = '{}' WHERE event_id = $1`, [broken.eventId])
    const phone = await StaffClient.signedIn('gate')
    const scans = [
      aScan(broken.eventId, { token: broken.tokens[0] }),
      aScan(sound.eventId, { token: sound.tokens[0] }),
    ]

    const response = await send(phone, { scans })

    assert.equal(response.status, 200)
    const [failed, admitted] = await verdictsOf(response)
    assert.containsSubset(failed, {
      id: scans[0].id,
      verdict: 'FAILED',
      cause: 'INTERNAL_ERROR',
      requestId: response.headers.get('X-Request-Id'),
    })
    assert.equal(admitted.verdict, 'admitted')
  })

  test('a batch is answered 503 while PostgreSQL is busy', async ({ assert }) => {
    const { eventId, tickets, tokens } = await aTicketAtGate()
    const phone = await StaffClient.signedIn('gate')
    const holder = await watcher.connect()
    try {
      await holder.query('BEGIN')
      await holder.query('SELECT 1 FROM tickets WHERE id = $1 FOR UPDATE', [tickets[0].ticket_id])
      const scans = [aScan(eventId, { token: tokens[0] }), aScan(eventId, { token: tokens[1] })]

      const refused = await send(phone, { scans })

      assert.equal(refused.status, 503)
      assert.equal(refused.headers.get('Retry-After'), '1')
      // One after the other: the second scan has not been judged.
      const [{ status }] = await rows('SELECT status FROM tickets WHERE id = $1', [
        tickets[1].ticket_id,
      ])
      assert.equal(status, 'active')
      await holder.query('ROLLBACK')
      const verdicts = await verdictsOf(await send(phone, { scans }))
      assert.deepEqual(
        verdicts.map(({ verdict }) => verdict),
        ['admitted', 'admitted']
      )
    } finally {
      await holder.query('ROLLBACK')
      holder.release()
    }
  })

  test('an empty batch, by which a phone checks the connection, is answered', async ({
    assert,
  }) => {
    const phone = await StaffClient.signedIn('gate')
    const response = await send(phone, { scans: [] })
    assert.equal(response.status, 200)
    assert.deepEqual(await response.json(), { verdicts: [] })
  })

  test('no request body causes a server error', async ({ assert }) => {
    const { eventId, header, claims } = await aTicketAtGate()
    const phone = await StaffClient.signedIn('gate')
    const instant = fc.oneof(
      fc.constant(null),
      anyText(),
      fc.constantFrom('0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-02-30T00:00:00Z')
    )
    const shown = fc.oneof(
      anyToken(header.kid, claims).map((token) => ({ token })),
      fc.record({ number: anyText(), code: anyText(4) }),
      fc.record({ number: fc.constantFrom('1', 'TIX-TKT-000001'), code: anyText(4) })
    )
    const scan = fc.oneof(
      fc
        .tuple(
          fc.record({
            id: fc.uuid(),
            eventId: fc.oneof(anyText(30), fc.constant(eventId)),
            gate: fc.oneof(fc.constant(null), anyText(30)),
            offlineAt: instant,
            refusedOffline: fc.constantFrom(null, 'QR_INVALID', 'TICKET_VOID'),
          }),
          shown
        )
        .map(([one, ticket]) => ({ ...one, ...ticket })),
      fc.jsonValue()
    )
    const body = fc.oneof(
      { weight: 4, arbitrary: fc.array(scan, { maxLength: 6 }).map((scans) => ({ scans })) },
      { weight: 1, arbitrary: fc.jsonValue().map((scans) => ({ scans })) }
    )
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const response = await send(phone, sent)
        assert.isBelow(response.status, 500)
        if (response.status !== 200) return
        const verdicts = await verdictsOf(response)
        const failures = verdicts.filter((one) => 'cause' in one && one.cause === 'INTERNAL_ERROR')
        assert.deepEqual(failures, [])
      }),
      { numRuns: RUNS }
    )
  }).timeout(120_000)

  test('bytes that are not JSON never cause a server error', async ({ assert }) => {
    const url = `${testBaseUrl()}/back-office/gate/scans`
    const types = [
      'application/json',
      'application/json; charset=utf-16',
      'text/plain',
      'x',
      'multipart/form-data',
    ]
    const kind = fc.constantFrom(...types, 'application/x-www-form-urlencoded')
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .constantFrom(
          '{"scans":[',
          '[',
          '"\\ud800"',
          '['.repeat(100_000),
          '{"__proto__":{"scans":[]}}'
        )
        .map((text) => new TextEncoder().encode(text))
    )
    await fc.assert(
      fc.asyncProperty(kind, bytes, async (type, body) => {
        const headers = { 'Content-Type': type, 'Accept': 'application/json' }
        const { status } = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
        assert.isBelow(status, 500, type)
      }),
      { numRuns: RUNS }
    )
  })

  test('no requested list causes a server error', async ({ assert }) => {
    const { eventId } = await aTicketAtGate()
    const phone = await StaffClient.signedIn('gate')
    const since = fc.oneof(
      anyText(),
      fc.constantFrom(
        'foo 2026',
        '1 (a',
        '-271821-04-20T00:00:00Z',
        '+275760-09-13T00:00:00Z',
        '2026-02-30T00:00:00Z',
        '0000-01-01T00:00:00Z'
      )
    )
    const event = fc.oneof(fc.constant(eventId), anyText())
    const ask = async (id: string, cursor: string) => {
      const path = `/back-office/gate/lists/${encodeURIComponent(id.toWellFormed())}`
      const { status } = await phone.get(
        `${path}?since=${encodeURIComponent(cursor.toWellFormed())}`
      )
      assert.isBelow(status, 500, `${id} ${cursor}`)
    }
    await fc.assert(fc.asyncProperty(event, since, ask), { numRuns: RUNS })
    for (const raw of ['%00', '%ED%A0%80', '%', '%zz', '%FF']) {
      const { status } = await phone.get(`/back-office/gate/lists/${raw}?since=${raw}&since[]=1`)
      assert.isBelow(status, 500, raw)
    }
  }).timeout(120_000)
})

test.group('Hostile gate devices', () => {
  test('no name, reason or number in a form causes a server error', async ({ assert }) => {
    const staff = await StaffClient.signedIn('operations')
    const post = async (path: string, body: object) => {
      const response = await staff.send('POST', `/back-office/gate-devices${path}`, body)
      assert.isBelow(response.status, 500, path)
    }
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyText(), fc.jsonValue()), async (value) => {
        await post('', { name: value })
        await post('/999999999/revocations', { reason: value })
      }),
      { numRuns: 40 }
    )
    for (const id of ['0', '-1', '%00', '9999999999', '1e3']) {
      await post(`/${id}/revocations`, { reason: 'Lost' })
    }
  })
})
