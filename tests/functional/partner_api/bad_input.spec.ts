import { statusOf } from '#tests/support/answers'
import { assertCode, assertInvalid, assertRefused } from '#tests/support/expectations'
import { paymentOf } from '#tests/support/fixtures'
import { aBooking, anOrder, aPaidOrder, bookingBody, orderBody } from '#tests/support/operations'
import { sendRaw, type RawRequest } from '#tests/support/raw_request'
import { traceOf } from '#tests/support/rows'
import { test } from '@japa/runner'
import { gzipSync } from 'node:zlib'

type Tree = Record<string, any>

const MISSING = Symbol('missing')
const EMOJI = '🎟'
const COMBINING = 'e\u0301'
const long = (length: number, unit = 'x') => unit.repeat(length)
const nested = (depth: number) => {
  const value = '['.repeat(depth) + ']'.repeat(depth)
  return JSON.parse(value) as unknown
}

/** A copy of the body with another value at the dotted path, or without it. */
function withValue(body: Tree, path: string, value: unknown): Tree {
  const copy = structuredClone(body)
  const keys = path.split('.')
  const last = keys.pop()!
  const parent = keys.reduce((node, key) => (node[key] ??= {}) as Tree, copy)
  if (value === MISSING) delete parent[last]
  else parent[last] = value
  return copy
}

const NOT_TEXT = [null, 0, 7, true, false, [], ['a'], {}, { a: 1 }, nested(50)]
const NOT_STORABLE = ['\0', 'a\0b', '\uD83C', 'x\uDC00y']
const NOT_OBJECT = [null, '', 'text', 7, true, [], [{}]]
const NOT_LIST = [null, '', 'seat-1-1', 'seat-1-1,seat-1-2', 7, true, {}, { 0: 'seat-1-1' }]

interface Rule {
  path: string
  wrong: unknown[]
  right?: unknown[]
  /** The reported field when it's not the path itself. */
  reported?: string
}

/** Text of a length: what no text field takes, and both of its ends. */
const textRule = (path: string, min: number, max: number, isRequired = true): Rule => ({
  path,
  wrong: [
    ...(isRequired ? [MISSING] : []),
    ...(min > 0 ? [''] : []),
    ...NOT_TEXT,
    ...NOT_STORABLE,
    long(max + 1),
    long(max + 1, 'Ң'),
    long(max + 1, EMOJI),
    long(max * 3),
    long(20_000),
  ],
  right: [
    ...(isRequired ? [] : [MISSING]),
    long(Math.max(min, 1)),
    long(max),
    long(max, 'Ң'),
    long(max, EMOJI),
    long(max / 2, COMBINING),
    ' ',
    '  a ',
    'Әсел',
    `a'"\\<>&;--`,
    '\n\t',
    '\uFFFF\u200B',
  ],
})

const EMAILS: Rule = {
  path: 'customer.email',
  wrong: [
    ...NOT_TEXT,
    ...NOT_STORABLE,
    '',
    'x',
    '@',
    'a@',
    '@b.kz',
    'a b@c.kz',
    'a@b',
    ' a@b.kz',
    'a@b.kz ',
    `${long(64)}@${long(190)}.kz`,
  ],
  right: ['a@b.kz', 'a.b+c@d-e.kz', `${long(60)}@${long(60)}.kz`],
}

interface Operation {
  name: string
  /** Where the request goes, and a body that is right. */
  prepare: () => Promise<Prepared>
  rules: Rule[]
  succeeds: number[]
}
interface Prepared {
  client: Awaited<ReturnType<typeof aBooking>>['client']
  partner: Awaited<ReturnType<typeof aBooking>>['partner']
  path: string
  body: Tree
}

const operations: Operation[] = [
  {
    name: 'POST /bookings',
    prepare: async () => {
      const { client, partner, event } = await aBooking()
      const customer = { name: 'Ә', email: 'a@b.kz', phone: '7' }
      return {
        client,
        partner,
        path: '/bookings',
        body: bookingBody(event.id, { seats: ['seat-1-1'], customer }),
      }
    },
    rules: [
      { ...textRule('event_id', 1, 64), right: [] },
      textRule('partner_booking_id', 1, 64),
      {
        path: 'seats',
        wrong: [
          MISSING,
          ...NOT_LIST,
          [],
          nested(1),
          ['a', 'a'],
          long(21)
            .split('')
            .map((_, i) => `s${i}`),
        ].filter((v) => JSON.stringify(v) !== '[[]]'),
      },
      { ...textRule('seats.0', 1, 64), right: [], wrong: [...NOT_TEXT, '', long(65)] },
      { path: 'customer', wrong: NOT_OBJECT, right: [MISSING, {}, { unknown: nested(20) }] },
      textRule('customer.name', 0, 200, false),
      { ...EMAILS, right: [MISSING, ...EMAILS.right!] },
      textRule('customer.phone', 0, 32, false),
    ],
    succeeds: [200, 201, 409],
  },
  {
    name: 'POST /orders',
    prepare: async () => {
      const { client, partner, booking } = await aBooking()
      return { client, partner, path: '/orders', body: orderBody(booking.booking_id) }
    },
    rules: [
      { ...textRule('booking_id', 1, 64), right: [] },
      textRule('partner_order_id', 1, 64),
      { path: 'customer', wrong: [MISSING, ...NOT_OBJECT] },
      {
        path: 'customer',
        wrong: [{}, { name: 'A' }, { emails: ['a@b.kz'] }],
        reported: 'customer.email',
      },
      { ...EMAILS, wrong: [MISSING, ...EMAILS.wrong] },
      textRule('customer.name', 0, 200, false),
      textRule('customer.phone', 0, 32, false),
      { path: 'consent', wrong: [MISSING, null, false, 0, 1, 'true', 'yes', '', [], {}, [true]] },
    ],
    succeeds: [201, 409],
  },
  {
    name: 'POST /orders/{order_id}/confirm',
    prepare: async () => {
      const { client, partner, order } = await anOrder()
      const path = `/orders/${order.order_id}/confirm`
      return { client, partner, path, body: paymentOf(24_000, { method: 'card' }) }
    },
    rules: [
      { path: 'payment_info', wrong: [MISSING, ...NOT_OBJECT] },
      {
        path: 'payment_info.amount_tenge',
        wrong: [
          MISSING,
          null,
          '',
          '24000',
          24_000.5,
          -1,
          -24_000,
          1e15 + 0.5,
          2 ** 53,
          1e300,
          true,
          [24_000],
          {},
          23_999,
          0,
        ],
      },
      {
        path: 'payment_info.paid_at',
        wrong: [
          MISSING,
          ...NOT_TEXT,
          '',
          1789742435,
          '2026-09-18',
          '18.09.2026 19:40',
          '2026-09-18T19:40:35',
          '2026-09-31T00:00:00Z',
          '2026-09-18T25:00:00Z',
          '2026-09-18T19:40:35+25:00',
          long(65, '1'),
        ],
      },
      textRule('payment_info.external_payment_id', 1, 128),
      {
        path: 'payment_info.currency',
        wrong: [MISSING, null, '', 'kzt', 'USD', 'KZT ', 398, ['KZT'], {}],
      },
      textRule('payment_info.method', 0, 64, false),
    ],
    succeeds: [200],
  },
  {
    name: 'POST /orders/{order_id}/refund',
    prepare: async () => {
      const { client, partner, order } = await aPaidOrder()
      const ids = order.tickets.map((ticket: any) => ticket.ticket_id)
      return {
        client,
        partner,
        path: `/orders/${order.order_id}/refund`,
        body: { ticket_ids: ids, reason: 'нет' },
      }
    },
    rules: [
      {
        path: 'ticket_ids',
        wrong: [
          MISSING,
          ...NOT_LIST,
          [],
          ['a', 'a'],
          long(21)
            .split('')
            .map((_, i) => `t${i}`),
        ],
      },
      { path: 'ticket_ids.1', wrong: [...NOT_TEXT, '', long(65)] },
      textRule('reason', 1, 500),
    ],
    succeeds: [200, 409],
  },
]

const shortened = (value: unknown) => {
  const text = value === MISSING ? 'missing' : JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 24)}… (${text.length})` : text
}

for (const { name, prepare, rules, succeeds } of operations) {
  test.group(`Invalid input: ${name}`, () => {
    for (const { path, wrong, right = [], reported = path } of rules) {
      test(`${path} is refused in ${wrong.length} invalid forms, and nothing is written`, async ({
        assert,
      }) => {
        const { client, partner, path: target, body } = await prepare()
        const before = await traceOf(partner)
        for (const value of wrong) {
          const answer = await client.post(target, withValue(body, path, value))
          try {
            assertInvalid(answer, ...fieldsOf(answer, reported))
            assert.deepEqual(await traceOf(partner), before)
          } catch (error) {
            throw new Error(`${path} = ${shortened(value)}: ${answer.text}`, { cause: error })
          }
        }
      })

      for (const value of right) {
        test(`${path} = ${shortened(value)} is allowed`, async ({ assert }) => {
          const { client, path: target, body } = await prepare()
          const answer = await client.post(target, withValue(body, path, value))
          assert.include(succeeds, answer.status, answer.text)
        })
      }
    }

    test('an unknown field is ignored, whatever its value', async ({ assert }) => {
      const { client, path, body } = await prepare()
      const more = { ...body, __proto__x: 1, extra: nested(100), constructor: { name: 'x' } }
      assert.include(succeeds, statusOf(await client.post(path, more)))
    })

    test('__proto__ in the body pollutes nothing', async ({ assert }) => {
      const { client, path, body } = await prepare()
      const raw = JSON.stringify(body).replace('{', '{"__proto__":{"polluted":true},')
      await client.post(path, raw)
      assert.notProperty({}, 'polluted')
    })
  })
}

/** A problem inside the field (`seats.0` of `seats`) is about it too. */
function fieldsOf(answer: { error?: { details: any } }, field: string): string[] {
  const problems = (answer.error?.details?.fields ?? []) as { field: string }[]
  const inside = problems
    .map((problem) => problem.field)
    .filter((one) => one.startsWith(`${field}.`))
  return inside.length > 0 ? [...new Set(inside)] : [field]
}

const json = (value: unknown) => JSON.stringify(value)
const bodyForms: Record<
  string,
  {
    raw: Partial<RawRequest>
    code: 'INVALID_PARAMETERS' | 'UNSUPPORTED_MEDIA_TYPE' | 'PAYLOAD_TOO_LARGE'
  }
> = {
  'an open brace': { raw: { body: '{' }, code: 'INVALID_PARAMETERS' },
  'a comma at the end': { raw: { body: '{"a":1,}' }, code: 'INVALID_PARAMETERS' },
  'single quotes': { raw: { body: `{'a':1}` }, code: 'INVALID_PARAMETERS' },
  'NaN': { raw: { body: '{"a":NaN}' }, code: 'INVALID_PARAMETERS' },
  'two objects': { raw: { body: '{}{}' }, code: 'INVALID_PARAMETERS' },
  'white space only': { raw: { body: '  \n ' }, code: 'INVALID_PARAMETERS' },
  'a list': { raw: { body: '[]' }, code: 'INVALID_PARAMETERS' },
  'a list of objects': { raw: { body: '[{}]' }, code: 'INVALID_PARAMETERS' },
  'a string': { raw: { body: '"a"' }, code: 'INVALID_PARAMETERS' },
  'a number': { raw: { body: '1' }, code: 'INVALID_PARAMETERS' },
  'null': { raw: { body: 'null' }, code: 'INVALID_PARAMETERS' },
  'true': { raw: { body: 'true' }, code: 'INVALID_PARAMETERS' },
  'an endless list': { raw: { body: '['.repeat(30_000) }, code: 'INVALID_PARAMETERS' },
  'a deep list': {
    raw: { body: '['.repeat(30_000) + ']'.repeat(30_000) },
    code: 'INVALID_PARAMETERS',
  },
  'a NUL byte': { raw: { body: '{"a":"\0"}' }, code: 'INVALID_PARAMETERS' },
  'Latin-1 bytes': {
    raw: { body: Buffer.from('{"a":"é"}', 'latin1') },
    code: 'INVALID_PARAMETERS',
  },
  'a form': {
    raw: { body: 'a=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  'plain text': {
    raw: { body: '{}', headers: { 'Content-Type': 'text/plain' } },
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  'text/json': {
    raw: { body: '{}', headers: { 'Content-Type': 'text/json' } },
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  'application/jsonp': {
    raw: { body: '{}', headers: { 'Content-Type': 'application/jsonp' } },
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  'no content type': {
    raw: { body: '{}', headers: { 'Content-Type': undefined } },
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  'multipart': {
    raw: { body: '--x--', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } },
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  'charset=utf-16': {
    raw: { body: '{}', headers: { 'Content-Type': 'application/json; charset=utf-16' } },
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  'charset=windows-1251': {
    raw: { body: '{}', headers: { 'Content-Type': 'application/json; charset=windows-1251' } },
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  'gzip': {
    raw: { body: gzipSync('{}'), headers: { 'Content-Encoding': 'gzip' } },
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  'one byte too many': { raw: { body: `{"a":"${long(65_536 - 7)}"}` }, code: 'PAYLOAD_TOO_LARGE' },
  'a megabyte': { raw: { body: `{"a":"${long(1_000_000)}"}` }, code: 'PAYLOAD_TOO_LARGE' },
}

test.group('Bodies', () => {
  for (const [name, { raw, code }] of Object.entries(bodyForms)) {
    test(`${name}: ${code} from every POST, and nothing is written`, async ({ assert }) => {
      const { client, partner, order } = await anOrder()
      const before = await traceOf(partner)
      const at = (verb: string) => `/orders/${order.order_id}/${verb}`
      for (const path of ['/bookings', '/orders', at('confirm'), at('cancel'), at('refund')]) {
        const answer = await sendRaw(client, { method: 'POST', path, ...raw })
        if (code === 'INVALID_PARAMETERS') assertInvalid(answer, 'body')
        else assertCode(answer, code)
      }
      assert.deepEqual(await traceOf(partner), before)
    })
  }

  test('exactly 64 KiB is read', async ({ assert }) => {
    const { client, event } = await aBooking()
    const body = bookingBody(event.id, { seats: ['seat-1-1'], pad: '' })
    const pad = long(65_536 - Buffer.byteLength(json(body)))
    const answer = await sendRaw(client, {
      method: 'POST',
      path: '/bookings',
      body: json({ ...body, pad }),
    })
    assert.equal(answer.status, 201)
  })

  for (const type of [
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON',
    'application/json; charset="utf-8"',
  ]) {
    test(`${type} is accepted`, async ({ assert }) => {
      const { client, event } = await aBooking()
      const body = json(bookingBody(event.id, { seats: ['seat-1-1'] }))
      const headers = { 'Content-Type': type }
      const answer = await sendRaw(client, { method: 'POST', path: '/bookings', body, headers })
      assert.equal(answer.status, 201)
    })
  }

  test('an empty body is refused with every missing field', async () => {
    const { client, order } = await anOrder()
    const at = (verb: string) => `/orders/${order.order_id}/${verb}`
    assertInvalid(await client.post('/bookings'), 'event_id', 'partner_booking_id', 'seats')
    assertInvalid(
      await client.post('/orders'),
      'booking_id',
      'partner_order_id',
      'customer',
      'consent'
    )
    assertInvalid(await client.post(at('confirm')), 'payment_info')
    assertInvalid(await client.post(at('refund')), 'ticket_ids', 'reason')
  })

  test('of a repeated JSON key the last value counts', async ({ assert }) => {
    const { client, event } = await aBooking()
    const body = json(bookingBody(event.id, { seats: ['seat-1-1'] })).replace('{', '{"seats":[],')
    assert.equal(statusOf(await client.post('/bookings', body)), 201)
  })
})

test.group('Queries', () => {
  test('a repeated parameter is refused by every operation', async ({ assert }) => {
    const { client, event, partner, order } = await anOrder()
    const before = await traceOf(partner)
    const at = (verb: string) => `/orders/${order.order_id}/${verb}`
    for (const path of ['/events', `/events/${event.id}`, `/events/${event.id}/seats`, '/orders'])
      assertInvalid(await client.get(`${path}?x=1&y=2&x=1`), 'x')
    const posts = [
      ['/bookings', bookingBody(event.id)],
      ['/orders', orderBody(order.booking_id)],
      [at('confirm'), paymentOf(24_000)],
      [at('cancel'), ''],
      [at('refund'), { ticket_ids: ['tkt_x'], reason: 'нет' }],
    ] as const
    for (const [path, body] of posts) assertInvalid(await client.post(`${path}?x=1&x=2`, body), 'x')
    const { entries, ...left } = await traceOf(partner)
    assert.deepEqual({ entries, ...left }, before)
  })

  test('a parameter name may be encoded in any way', async () => {
    const { client } = await aBooking()
    assertInvalid(await client.get('/events?limit=1&%6Cimit=2'), 'limit')
  })

  for (const query of [
    'limit[]=1',
    'limit=1;limit=2',
    '__proto__=1',
    'constructor=1',
    '&&&',
    '=1',
    '%FF=1',
  ]) {
    test(`?${query} is used as sent`, async ({ assert }) => {
      const { client } = await aBooking()
      const { status } = await sendRaw(client, { path: `/events?${query}` })
      assert.equal(status, query.includes(';') ? 422 : 200)
    })
  }

  for (const [value, code] of [
    ['', 'INVALID_PARAMETERS'],
    [long(65), 'INVALID_PARAMETERS'],
    ['%00', 'INVALID_PARAMETERS'],
    ['%FF', 'ORDER_NOT_FOUND'],
    [long(64), 'ORDER_NOT_FOUND'],
    ['%20', 'ORDER_NOT_FOUND'],
    ['null', 'ORDER_NOT_FOUND'],
    [encodeURIComponent(long(64, EMOJI)), 'ORDER_NOT_FOUND'],
    [encodeURIComponent(`' OR 1=1 --`), 'ORDER_NOT_FOUND'],
  ] as const) {
    test(`partner_order_id=${value.slice(0, 24)} (${value.length}): ${code}`, async () => {
      const { client } = await aBooking()
      assertCode(await sendRaw(client, { path: `/orders?partner_order_id=${value}` }), code)
    })
  }
})

test.group('Paths', () => {
  const allowed: Record<string, string> = {
    '/events': 'GET',
    '/events/evt_x': 'GET',
    '/events/evt_x/seats': 'GET',
    '/events/evt_x/jwks.json': 'GET, HEAD',
    '/openapi.json': 'GET, HEAD',
    '/bookings': 'POST',
    '/orders': 'POST, GET',
    '/orders/TIX-2026-000001/confirm': 'POST',
    '/orders/TIX-2026-000001/cancel': 'POST',
    '/orders/TIX-2026-000001/refund': 'POST',
  }
  const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  for (const [path, allow] of Object.entries(allowed)) {
    test(`another method on ${path}: 405 with Allow: ${allow}`, async ({ assert }) => {
      const { client } = await aBooking()
      for (const method of METHODS.filter((one) => !allow.includes(one))) {
        const answer = await sendRaw(client, { method, path })
        assertCode(answer, 'METHOD_NOT_ALLOWED')
        assert.sameMembers(answer.headers.get('allow')!.split(', '), allow.split(', '))
      }
    })
  }

  for (const path of [
    '',
    '/',
    '/nothing',
    '/event',
    '/events/evt_x/seats/more',
    '/bookings/bkg_x',
    '/orders/TIX-2026-000001',
    '/orders/TIX-2026-000001/pay',
    '/Events',
    '//events',
    '/events/../orders',
    '/%2e%2e/bookings',
    '/webhooks',
  ]) {
    test(`no such route: "${path}"`, async () => {
      const { client } = await aBooking()
      assertRefused(await sendRaw(client, { path }), 'NOT_FOUND')
    })
  }

  for (const id of [
    '%00',
    '%F0%9F%8E%9F',
    `${long(3000)}`,
    '..%2F..%2Fetc',
    '%27%20OR%201%3D1',
    'null',
    '0',
    'TIX-2026-99999999999999999999',
  ]) {
    test(`an unknown identifier is not found: ${id.slice(0, 30)}`, async () => {
      const { client } = await aBooking()
      const post = (path: string, body: object | '') =>
        sendRaw(client, { method: 'POST', path, body: body && json(body) })
      assertCode(await sendRaw(client, { path: `/events/${id}` }), 'EVENT_NOT_FOUND')
      assertCode(await sendRaw(client, { path: `/events/${id}/seats` }), 'EVENT_NOT_FOUND')
      assertCode(await sendRaw(client, { path: `/events/${id}/jwks.json` }), 'EVENT_NOT_FOUND')
      assertCode(await post(`/orders/${id}/confirm`, paymentOf(1)), 'ORDER_NOT_FOUND')
      assertCode(await post(`/orders/${id}/cancel`, ''), 'ORDER_NOT_FOUND')
      const refund = { ticket_ids: ['tkt_x'], reason: 'нет' }
      assertCode(await post(`/orders/${id}/refund`, refund), 'ORDER_NOT_FOUND')
    })
  }
})
