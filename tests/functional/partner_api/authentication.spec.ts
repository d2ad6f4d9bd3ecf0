import { headersOf, statusOf } from '#tests/support/answers'
import platform from '#config/platform'
import RevokeKey from '#partners/actions/revoke_key'
import IssueKey, { insertKey } from '#partners/actions/issue_key'
import { encryptSecret, newKeyPair } from '#partners/api_key'
import { assertCode, assertRefused, type Code } from '#tests/support/expectations'
import { aPartner, aSale, TESTER } from '#tests/support/fixtures'
import { bookingBody, everyOperation } from '#tests/support/operations'
import { PartnerClient, type Overrides } from '#tests/support/partner_client'
import { nowSeconds, PREFIX, sendRaw, type RawRequest } from '#tests/support/raw_request'
import { countBookings, ownerRows, rows, traceOf } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

interface Vector {
  name: string
  request: RawRequest
  /** The answer: a status, or a code of the contract. */
  gives: number | Code
  hint?: RegExp
}

const headers = (changed: NonNullable<RawRequest['headers']>, path = '/events'): RawRequest => ({
  path,
  headers: changed,
})
const at = (timestamp: RawRequest['timestamp']): RawRequest => ({ path: '/events', timestamp })
const get = (path: string, more: Partial<RawRequest> = {}): RawRequest => ({ path, ...more })
const key = (apiKey: string | string[] | undefined) => headers({ 'X-Api-Key': apiKey })
const DIGITS_32 = '01234567890123456789012345678901'

const vectors: Vector[] = [
  { name: 'signed as it should be', request: get('/events'), gives: 200 },
  { name: 'header names in lower case', gives: 200, request: get('/events', { headers: {} }) },

  { name: 'no X-Api-Key', request: key(undefined), gives: 'INVALID_API_KEY' },
  { name: 'an empty X-Api-Key', request: key(''), gives: 'INVALID_API_KEY' },
  { name: 'an unknown key', request: key(`pk_sandbox_${DIGITS_32}`), gives: 'INVALID_API_KEY' },
  { name: 'a live key', request: key(`pk_live_${DIGITS_32}`), gives: 'INVALID_API_KEY' },
  { name: 'a key of another form', request: key('secret'), gives: 'INVALID_API_KEY' },
  {
    name: 'a key with SQL in it',
    request: key(`pk_sandbox_' OR 1=1 --`),
    gives: 'INVALID_API_KEY',
  },
  {
    name: 'an endless key',
    request: key(`pk_sandbox_${'a'.repeat(4000)}`),
    gives: 'INVALID_API_KEY',
  },
  {
    name: 'no headers at all',
    gives: 'INVALID_API_KEY',
    request: headers({
      'X-Api-Key': undefined,
      'X-Timestamp': undefined,
      'X-Signature': undefined,
    }),
  },
  {
    name: 'an unknown key with a wrong timestamp',
    gives: 'INVALID_API_KEY',
    request: headers({ 'X-Api-Key': `pk_sandbox_${DIGITS_32}`, 'X-Timestamp': '1' }),
  },

  {
    name: 'no X-Timestamp',
    request: headers({ 'X-Timestamp': undefined }),
    gives: 'INVALID_SIGNATURE',
    hint: /X-Timestamp is missing/,
  },
  {
    name: 'an empty X-Timestamp',
    request: headers({ 'X-Timestamp': '' }),
    gives: 'INVALID_SIGNATURE',
    hint: /missing/,
  },
  {
    name: '13 digits',
    request: at(() => `${nowSeconds()}000`),
    gives: 'INVALID_SIGNATURE',
    hint: /milliseconds/,
  },
  {
    name: '11 digits',
    request: at(() => `0${nowSeconds()}`),
    gives: 'INVALID_SIGNATURE',
    hint: /ten digits/,
  },
  { name: '9 digits', request: at('999999999'), gives: 'INVALID_SIGNATURE', hint: /ten digits/ },
  { name: 'letters', request: at('yesterday!'), gives: 'INVALID_SIGNATURE', hint: /ten digits/ },
  {
    name: 'a decimal point',
    request: at(() => `${nowSeconds()}.5`),
    gives: 'INVALID_SIGNATURE',
    hint: /ten digits/,
  },
  { name: 'a sign', request: at(() => `+${nowSeconds()}`), gives: 'INVALID_SIGNATURE' },
  { name: 'hexadecimal digits', request: at('0x6aa1b2c3'), gives: 'INVALID_SIGNATURE' },
  { name: 'an exponent', request: at('1.789742e9'), gives: 'INVALID_SIGNATURE' },
  { name: 'an ISO moment', request: at(new Date().toISOString()), gives: 'INVALID_SIGNATURE' },
  { name: '298 seconds late', request: at(() => nowSeconds(-298)), gives: 200 },
  { name: '299 seconds early', request: at(() => nowSeconds(299)), gives: 200 },
  {
    name: '302 seconds late',
    request: at(() => nowSeconds(-302)),
    gives: 'INVALID_SIGNATURE',
    hint: /5 minutes/,
  },
  {
    name: '302 seconds early',
    request: at(() => nowSeconds(302)),
    gives: 'INVALID_SIGNATURE',
    hint: /5 minutes/,
  },
  {
    name: 'another timestamp signed than sent',
    gives: 'INVALID_SIGNATURE',
    request: get('/events', { signed: { timestamp: nowSeconds(-7) } }),
  },

  {
    name: 'no X-Signature',
    request: headers({ 'X-Signature': undefined }),
    gives: 'INVALID_SIGNATURE',
    hint: /X-Signature is missing/,
  },
  {
    name: 'an empty X-Signature',
    request: headers({ 'X-Signature': '' }),
    gives: 'INVALID_SIGNATURE',
    hint: /missing/,
  },
  {
    name: 'upper-case hex',
    request: get('/events', { signature: (hex) => hex.toUpperCase() }),
    gives: 'INVALID_SIGNATURE',
    hint: /lowercase/,
  },
  {
    name: 'one character short',
    request: get('/events', { signature: (hex) => hex.slice(1) }),
    gives: 'INVALID_SIGNATURE',
  },
  {
    name: 'one character more',
    request: get('/events', { signature: (hex) => `${hex}0` }),
    gives: 'INVALID_SIGNATURE',
  },
  {
    name: 'another last character',
    gives: 'INVALID_SIGNATURE',
    request: get('/events', {
      signature: (hex) => hex.slice(0, -1) + (hex.endsWith('0') ? '1' : '0'),
    }),
  },
  {
    name: 'base64',
    gives: 'INVALID_SIGNATURE',
    request: get('/events', { signature: (hex) => Buffer.from(hex, 'hex').toString('base64') }),
  },
  {
    name: 'a prefix sha256=',
    request: get('/events', { signature: (hex) => `sha256=${hex}` }),
    gives: 'INVALID_SIGNATURE',
  },
  {
    name: '64 letters that are not hex',
    request: get('/events', { signature: () => 'z'.repeat(64) }),
    gives: 'INVALID_SIGNATURE',
  },
  {
    name: "another partner's secret",
    request: get('/events', { secret: 'sk_sandbox_other' }),
    gives: 'INVALID_SIGNATURE',
    hint: /secret/,
  },
  { name: 'an empty secret', request: get('/events', { secret: '' }), gives: 'INVALID_SIGNATURE' },
  {
    name: 'the secret as part of the message',
    gives: 'INVALID_SIGNATURE',
    request: get('/events', { tail: 'sk_sandbox' }),
  },

  {
    name: 'a literal \\n',
    request: get('/events', { separator: '\\n' }),
    gives: 'INVALID_SIGNATURE',
    hint: /backslash/,
  },
  { name: 'CR LF', request: get('/events', { separator: '\r\n' }), gives: 'INVALID_SIGNATURE' },
  {
    name: 'nothing between the parts',
    request: get('/events', { separator: '' }),
    gives: 'INVALID_SIGNATURE',
  },
  {
    name: 'a line feed too many',
    request: get('/events', { tail: '\n' }),
    gives: 'INVALID_SIGNATURE',
    hint: /too many/,
  },
  {
    name: 'another method signed',
    request: get('/events', { signed: { method: 'POST' } }),
    gives: 'INVALID_SIGNATURE',
  },
  {
    name: 'the method in lower case',
    request: get('/events', { signed: { method: 'get' } }),
    gives: 'INVALID_SIGNATURE',
    hint: /lower case/,
  },

  {
    name: 'without the prefix',
    request: get('/events', { signed: { uri: '/events' } }),
    gives: 'INVALID_SIGNATURE',
    hint: /prefix/,
  },
  {
    name: 'with the host',
    gives: 'INVALID_SIGNATURE',
    request: get('/events', { signed: { uri: `http://localhost${PREFIX}/events` } }),
  },
  {
    name: 'another path signed',
    request: get('/events', { signed: { uri: `${PREFIX}/orders` } }),
    gives: 'INVALID_SIGNATURE',
  },
  { name: 'a query', request: get('/events?limit=1&offset=0'), gives: 200 },
  {
    name: 'a query not signed',
    gives: 'INVALID_SIGNATURE',
    hint: /query/,
    request: get('/events?limit=1', { signed: { uri: `${PREFIX}/events` } }),
  },
  {
    name: 'a query re-sorted',
    gives: 'INVALID_SIGNATURE',
    hint: /re-sorted/,
    request: get('/events?offset=0&limit=1', {
      signed: { uri: `${PREFIX}/events?limit=1&offset=0` },
    }),
  },
  { name: 'a query in its own order', request: get('/events?offset=0&limit=1'), gives: 200 },
  { name: 'an empty query', request: get('/events?'), gives: 200 },
  {
    name: 'an empty query signed without its mark',
    gives: 'INVALID_SIGNATURE',
    request: get('/events?', { signed: { uri: `${PREFIX}/events` } }),
  },
  {
    name: 'a mark signed that was not sent',
    gives: 'INVALID_SIGNATURE',
    request: get('/events', { signed: { uri: `${PREFIX}/events?` } }),
  },
  {
    name: 'a query with a comma',
    request: get('/orders?partner_order_id=a,b'),
    gives: 'ORDER_NOT_FOUND',
  },
  {
    name: 'a query with a comma, signed encoded',
    gives: 'INVALID_SIGNATURE',
    hint: /re-encoded/,
    request: get('/orders?partner_order_id=a,b', {
      signed: { uri: `${PREFIX}/orders?partner_order_id=a%2Cb` },
    }),
  },
  { name: 'an encoded path', request: get('/%65vents'), gives: 200 },
  {
    name: 'an encoded path signed decoded',
    gives: 'INVALID_SIGNATURE',
    request: get('/%65vents', { signed: { uri: `${PREFIX}/events` } }),
  },
  {
    name: 'lower-case percent-encoding signed in upper case',
    gives: 'INVALID_SIGNATURE',
    request: get('/events?venue_id=%d0%b0', {
      signed: { uri: `${PREFIX}/events?venue_id=%D0%B0` },
    }),
  },
  { name: 'a slash at the end', request: get('/events/'), gives: 200 },

  {
    name: 'a body on GET, signed as empty',
    request: get('/events', { body: '{"a":1}' }),
    gives: 200,
  },
  {
    name: 'a body on GET, signed',
    gives: 'INVALID_SIGNATURE',
    request: get('/events', { body: '{"a":1}', signed: { body: '{"a":1}' } }),
  },
  {
    name: 'X-Api-Key twice',
    request: key([`pk_sandbox_${DIGITS_32}`, `pk_sandbox_${DIGITS_32}`]),
    gives: 'INVALID_API_KEY',
  },
  {
    name: 'X-Timestamp twice',
    request: headers({ 'X-Timestamp': [nowSeconds(), nowSeconds()] }),
    gives: 'INVALID_SIGNATURE',
  },
  {
    name: 'X-Signature twice',
    request: headers({ 'X-Signature': ['0'.repeat(64), '0'.repeat(64)] }),
    gives: 'INVALID_SIGNATURE',
  },
]

test.group('Authentication', () => {
  for (const { name, request, gives, hint } of vectors) {
    test(`${name}: ${gives}`, async ({ assert }) => {
      const { client } = await aPartner()

      const answer = await sendRaw(client, request)

      if (typeof gives === 'number') return assert.equal(answer.status, gives, answer.text)
      assertCode(answer, gives)
      if (hint) assert.match(answer.error.details.hint, hint)
    })
  }
})

type Body = (body: object) => Partial<RawRequest>
const text = JSON.stringify
const bodies: (Omit<Vector, 'request'> & { request: Body })[] = [
  { name: 'the bytes that are sent', request: (body) => ({ body: text(body) }), gives: 201 },
  { name: 'bytes with spaces', request: (body) => ({ body: text(body, null, 2) }), gives: 201 },
  {
    name: 'Kazakh in UTF-8',
    gives: 201,
    request: (body) => ({ body: text({ ...body, customer: { name: 'Айгүл Нұрланқызы 🎫' } }) }),
  },
  {
    name: 'a body re-serialised with spaces',
    gives: 'INVALID_SIGNATURE',
    hint: /serialised/,
    request: (body) => ({ body: text(body, null, 2), signed: { body: text(body) } }),
  },
  {
    name: 'a body re-serialised without spaces',
    gives: 'INVALID_SIGNATURE',
    hint: /serialised/,
    request: (body) => ({ body: text(body), signed: { body: text(body, null, 2) } }),
  },
  {
    name: 'a body re-serialised by Python',
    gives: 'INVALID_SIGNATURE',
    hint: /serialised/,
    request: (body) => ({
      body: text(body),
      signed: { body: text(body).replaceAll('":', '": ').replaceAll(',"', ', "') },
    }),
  },
  {
    name: 'another body',
    request: (body) => ({ body: text(body), signed: { body: '{}' } }),
    gives: 'INVALID_SIGNATURE',
  },
  {
    name: 'no body signed',
    request: (body) => ({ body: text(body), signed: { body: '' } }),
    gives: 'INVALID_SIGNATURE',
  },
  {
    name: 'a line feed after the body, signed',
    request: (body) => ({ body: `${text(body)}\n` }),
    gives: 201,
  },
  {
    name: 'a line feed after the body, only signed',
    gives: 'INVALID_SIGNATURE',
    hint: /too many/,
    request: (body) => ({ body: text(body), tail: '\n' }),
  },
  {
    name: 'a byte order mark, signed',
    request: (body) => ({ body: `\uFEFF${text(body)}` }),
    gives: 'INVALID_PARAMETERS',
  },
  {
    name: 'a byte order mark, not signed',
    gives: 'INVALID_SIGNATURE',
    request: (body) => ({ body: `\uFEFF${text(body)}`, signed: { body: text(body) } }),
  },
  {
    name: 'bytes that are not UTF-8, signed',
    gives: 'INVALID_PARAMETERS',
    request: (body) => ({
      body: Buffer.concat([Buffer.from(text(body).slice(0, -1)), Buffer.from([0xff, 0x7d])]),
    }),
  },
  {
    name: 'bytes that are not UTF-8, signed as replaced',
    gives: 'INVALID_SIGNATURE',
    request: () => ({ body: Buffer.from([0x7b, 0xff, 0x7d]), signed: { body: '{\uFFFD}' } }),
  },
  {
    name: 'UTF-16, signed',
    request: (body) => ({ body: Buffer.from(text(body), 'utf16le') }),
    gives: 'INVALID_PARAMETERS',
  },
  {
    name: 'the digest of the body',
    gives: 'INVALID_SIGNATURE',
    request: (body) => ({ body: text(body), signed: { body: '44136fa355b3678a' } }),
  },
]

test.group('Authentication of a body', () => {
  for (const { name, request, gives, hint } of bodies) {
    test(`${name}: ${gives}`, async ({ assert }) => {
      const { client, event, partner } = await aSale()

      const raw = { method: 'POST', path: '/bookings', ...request(bookingBody(event.id)) }
      const answer = await sendRaw(client, raw)

      assert.equal(await countBookings(partner), gives === 201 ? 1 : 0)
      if (typeof gives === 'number') return assert.equal(answer.status, gives, answer.text)
      assertCode(answer, gives)
      if (hint) assert.match(answer.error.details.hint, hint)
    })
  }

  test('a POST without a body is signed like a GET', async () => {
    const { client } = await aPartner()
    const answer = await sendRaw(client, { method: 'POST', path: '/orders/TIX-2026-000000/cancel' })
    assertCode(answer, 'ORDER_NOT_FOUND')
  })

  test('a chunked body is assembled before the signature is checked', async ({ assert }) => {
    const { client, event } = await aSale()
    const raw = { method: 'POST', path: '/bookings', body: JSON.stringify(bookingBody(event.id)) }
    const chunked = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }
    assert.equal(statusOf(await sendRaw(client, { ...raw, headers: chunked })), 201)
  })
})

test.group('Authentication on the sandbox', () => {
  test('canonical_string shows what the server signed', async ({ assert }) => {
    const { client } = await aPartner()
    const timestamp = nowSeconds()
    const body = '{"имя":"Ә"}'
    const signature = () => '0'.repeat(64)

    const raw = { method: 'POST', path: '/bookings?a=1', body, timestamp, signature }
    const { error } = await sendRaw(client, raw)

    const expected = `${timestamp}\nPOST\n${PREFIX}/bookings?a=1\n${body}`
    assert.equal(error.details.canonical_string, expected)
    assert.isString(error.details.hint)
  })

  test('the canonical string never contains the secret', async ({ assert }) => {
    const { client } = await aPartner()
    const answer = await sendRaw(client, { path: '/events', signature: () => '0'.repeat(64) })
    assert.notInclude(answer.text, client.credentials.secret)
  })

  test('the use of a live key is named as the mistake', async ({ assert }) => {
    const { client } = await aPartner()
    const answer = await sendRaw(client, key(`pk_live_${DIGITS_32}`))
    assertRefused(answer, 'INVALID_API_KEY')
    assert.match(answer.error.message, /live key.*sandbox/)
  })
})

test.group('Authentication on a live deployment', (group) => {
  group.each.setup(() => {
    platform.deployment = 'live'
    return () => {
      platform.deployment = 'sandbox'
    }
  })

  test('a live key is accepted', async ({ assert }) => {
    const { client } = await aPartner()
    assert.match(client.credentials.apiKey, /^pk_live_/)
    assert.equal(statusOf(await client.get('/events')), 200)
  })

  test('a wrong signature is not explained', async () => {
    const { client } = await aPartner()
    const answer = await client.get('/events', { signature: '0'.repeat(64) })
    assertRefused(answer, 'INVALID_SIGNATURE')
  })

  test('the use of a sandbox key is named as the mistake', async ({ assert }) => {
    const { client } = await aPartner()
    const answer = await sendRaw(client, key(`pk_sandbox_${DIGITS_32}`))
    assertRefused(answer, 'INVALID_API_KEY')
    assert.match(answer.error.message, /sandbox key.*live/)
  })
})

test.group('Authentication keys', () => {
  test('a revoked key is unknown from the next request', async ({ assert }) => {
    const { client } = await aPartner()
    assert.equal(statusOf(await client.get('/events')), 200)
    await new RevokeKey().handle({ apiKey: client.credentials.apiKey, actor: TESTER })
    assertRefused(await client.get('/events'), 'INVALID_API_KEY')
  })

  test('an expired key is unknown', async () => {
    const { client } = await aPartner()
    const { apiKey } = client.credentials
    await ownerRows('UPDATE partner_keys SET expires_at = now() WHERE api_key = ?', apiKey)
    assertRefused(await client.get('/events'), 'INVALID_API_KEY')
  })

  test('two keys of a partner work at the same time, each with its own secret', async ({
    assert,
  }) => {
    const { client, code } = await aPartner()
    const second = await new IssueKey().handle({ partnerCode: code, actor: TESTER })
    assert.equal(statusOf(await client.get('/events')), 200)
    assert.equal(statusOf(await new PartnerClient(second).get('/events')), 200)
    const mixed = new PartnerClient({ ...second, secret: client.credentials.secret })
    assertCode(await mixed.get('/events'), 'INVALID_SIGNATURE')
  })

  test('secrets that were swapped in the table open for neither key', async ({ assert }) => {
    const { client, code } = await aPartner()
    const second = await new IssueKey().handle({ partnerCode: code, actor: TESTER })
    const other = new PartnerClient(second)
    await Promise.all([client.get('/events'), other.get('/events')])
    const apiKeys = [client.credentials.apiKey, second.apiKey]

    await ownerRows(
      `UPDATE partner_keys k SET secret_encrypted = other.secret_encrypted FROM partner_keys other
        WHERE k.api_key = ANY(?) AND other.api_key = ANY(?) AND other.api_key <> k.api_key`,
      apiKeys,
      apiKeys
    )

    const impostor = new PartnerClient({ ...second, secret: client.credentials.secret })
    // The first answer may still come from the key as it was.
    const answers = [await impostor.get('/events'), await impostor.get('/events')]
    assert.notInclude(answers.map(statusOf), 200)
    const owner = [await other.get('/events'), await other.get('/events')]
    assert.notInclude(owner.map(statusOf), 200)
  })

  test('an unknown key is not looked up again within a second', async ({ assert }) => {
    const client = new PartnerClient(newKeyPair('sandbox'))
    assertRefused(await client.get('/events'), 'INVALID_API_KEY')
    const locking = await db.connection('owner').transaction()
    await locking.rawQuery('LOCK TABLE partner_keys IN ACCESS EXCLUSIVE MODE')
    const answered = client.get('/events').then(({ status }) => status)
    const waited = delay(900).then(() => 'waits')
    const outcome = await Promise.race([answered, waited])
    await locking.rollback()
    await answered
    assert.equal(outcome, 401)
  })

  test('an unknown key is looked up again after a second', async ({ assert }) => {
    const { id } = await aPartner()
    const pair = newKeyPair('sandbox')
    const client = new PartnerClient(pair)
    const began = performance.now()
    assertRefused(await client.get('/events'), 'INVALID_API_KEY')
    const secretEncrypted = encryptSecret(pair.apiKey, pair.secret)
    await insertKey({ apiKey: pair.apiKey, partnerId: id, secretEncrypted })
    assertRefused(await client.get('/events'), 'INVALID_API_KEY')

    let answer = await client.get('/events')
    while (answer.status === 401 && performance.now() - began < 5_000) {
      await delay(60)
      answer = await client.get('/events')
    }
    assert.equal(answer.status, 200)
    assert.isAbove(performance.now() - began, 950)
  })

  const wrong: [Code, Overrides][] = [
    ['INVALID_API_KEY', { headers: { 'X-Api-Key': `pk_sandbox_${DIGITS_32}` } }],
    ['INVALID_SIGNATURE', { signature: '0'.repeat(64) }],
  ]
  for (const [code, overrides] of wrong) {
    test(`every operation answers ${code}, and nothing is written`, async ({ assert }) => {
      const { client, operations, partner } = await everyOperation()
      const before = await traceOf(partner)
      for (const { method, path, body } of operations) {
        const raw = body ? JSON.stringify(body) : ''
        assertCode(await client.send(method, path, raw, overrides), code)
      }
      assert.deepEqual(await traceOf(partner), before)
    })
  }
})

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })

test.group('Authentication by address', () => {
  const ranges = ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7']
  const listed = () => aPartner({ allowedAddresses: ranges })

  for (const address of ['203.0.113.9', '198.51.100.7', '2001:db8::1', '::ffff:203.0.113.9']) {
    test(`${address} is allowed by the list`, async ({ assert }) => {
      const { client } = await listed()
      assert.equal(statusOf(await client.get('/events', from(address))), 200)
    })
  }

  for (const address of ['203.0.114.9', '198.51.100.8', '2001:db9::1', '203.0.113.9, 192.0.2.1']) {
    test(`${address} is refused by the list: INVALID_SIGNATURE without the reason`, async ({
      assert,
    }) => {
      const { client } = await listed()
      const answer = await client.get('/events', from(address))
      assertRefused(answer, 'INVALID_SIGNATURE')
      assert.notMatch(answer.text, /address|203\.0/)
    })
  }

  test('the address is checked after the signature', async ({ assert }) => {
    const { client } = await listed()
    const signature = '0'.repeat(64)
    const answer = await client.get('/events', { signature, ...from('192.0.2.1') })
    assert.property(answer.error.details, 'hint')
  })

  test('without a list every address is allowed', async ({ assert }) => {
    const { client } = await aPartner()
    assert.equal(statusOf(await client.get('/events', from('192.0.2.200'))), 200)
  })
})

test.group('Authentication failures', () => {
  const wrong = { signature: '0'.repeat(64) }
  const fail = (client: PartnerClient, times: number) =>
    Promise.all(Array.from({ length: times }, () => client.get('/events', wrong)))

  test('30 failures a minute are answered, then the address has to wait', async ({ assert }) => {
    const { client } = await aPartner()

    const answers = await fail(client, 40)

    assert.equal(answers.filter(({ status }) => status === 401).length, 30)
    const refused = answers.filter(({ status }) => status === 429)
    assert.lengthOf(refused, 10)
    for (const answer of refused) {
      assertRefused(answer, 'RATE_LIMIT_EXCEEDED')
      assert.isAbove(Number(answer.headers.get('retry-after')), 0)
      assert.equal(answer.headers.get('x-ratelimit-limit'), '30')
    }
  })

  test('failures do not count against the partner whose key was used', async ({ assert }) => {
    const { client } = await aPartner({ requestsPerMinute: 20 })
    await fail(client, 40)
    const { status, headers: limits } = await client.get('/events')
    assert.deepEqual([status, limits.get('x-ratelimit-remaining')], [200, '19'])
  })

  test('unknown keys count against the same budget of the address', async () => {
    const { client } = await aPartner()
    await fail(client, 30)
    const answer = await client.get('/events', { headers: { 'X-Api-Key': 'pk_sandbox_nobody' } })
    assertRefused(answer, 'RATE_LIMIT_EXCEEDED')
  })

  test('another address is not affected', async () => {
    const { client } = await aPartner()
    await fail(client, 30)
    assertCode(
      await client.get('/events', { ...wrong, ...from('192.0.2.77') }),
      'INVALID_SIGNATURE'
    )
  })

  test('an address beyond its budget leaves no rows', async ({ assert }) => {
    const { client, id } = await aPartner()
    await fail(client, 30)
    const body = { payment_info: { amount_tenge: 1 } }
    await client.post('/orders/TIX-2026-000001/confirm', body, wrong)
    assert.lengthOf(await rows('SELECT 1 FROM confirm_attempts WHERE partner_id = ?', id), 0)
  })
})

test.group('X-Request-Id', () => {
  const situations: Record<string, [RawRequest, status: number]> = {
    'a success': [{ path: '/events' }, 200],
    'a wrong signature': [{ path: '/events', signature: () => 'x' }, 401],
    'no key': [headers({ 'X-Api-Key': undefined }), 401],
    'an unknown event': [{ path: '/events/evt_x' }, 404],
    'an unknown route': [{ path: '/nothing' }, 404],
    'a path outside the routes': [{ path: '' }, 404],
    'a wrong method': [{ method: 'DELETE', path: '/events' }, 405],
    'an unheard-of method': [{ method: 'PROPFIND', path: '/events' }, 405],
    'a wrong content type': [
      { method: 'POST', path: '/bookings', body: 'a=1', headers: { 'Content-Type': 'text/plain' } },
      415,
    ],
    'a body too large': [{ method: 'POST', path: '/bookings', body: 'x'.repeat(70_000) }, 413],
    'a body that is not JSON': [{ method: 'POST', path: '/bookings', body: '{' }, 422],
    'a path with broken percent-encoding': [{ path: '/events/%zz', isUndescribed: true }, 404],
    'a public read': [{ path: '/events/evt_x/jwks.json' }, 404],
    'the description': [{ path: '/openapi.json' }, 200],
  }
  for (const [name, [request, status]] of Object.entries(situations)) {
    test(`a UUID is echoed and anything else replaced on ${name}`, async ({ assert }) => {
      const { client } = await aPartner()
      const ask = (id: string | string[] | undefined) =>
        sendRaw(client, { ...request, headers: { ...request.headers, 'X-Request-Id': id } })
      const id = randomUUID()

      const echoed = await ask(id)

      assert.deepEqual([echoed.status, echoed.headers.get('x-request-id')], [status, id])
      const seen = new Set<string>()
      for (const other of [undefined, '', '1', `${id}0`, [id, id], 'not-a-uuid'])
        seen.add(headersOf(await ask(other)).get('x-request-id')!)
      assert.equal(seen.size, 6)
      for (const fresh of seen) assert.match(fresh, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    })
  }

  test('an upper-case UUID is echoed as sent', async ({ assert }) => {
    const { client } = await aPartner()
    const id = randomUUID().toUpperCase()
    const answer = await sendRaw(client, headers({ 'X-Request-Id': id }))
    assert.equal(answer.headers.get('x-request-id'), id)
  })
})
