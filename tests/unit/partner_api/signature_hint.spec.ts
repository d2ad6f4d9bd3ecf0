import { signatureHint } from '#partner_api/middleware/signature_hint'
import { isSignedBy, sign } from '#shared/signature'
import { cpuMsOf } from '#tests/support/cpu_time'
import { test } from '@japa/runner'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

const SECRET = 'sk_sandbox_secret'
const now = () => String(Math.floor(Date.now() / 1000))
const hmac = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex')

const post = {
  method: 'POST',
  uri: '/api/v1/partners/bookings',
  body: '{"seats":["seat-1"],"имя":"Әсел"}',
}
const get = {
  method: 'GET',
  uri: '/api/v1/partners/events?limit=10&date_from=2026-12-01',
  body: '',
}
const cancel = { method: 'POST', uri: '/api/v1/partners/orders/TIX-2026-000001/cancel', body: '' }
type Parts = typeof post

/** A mistake: what a partner signed instead, for which request, and what the hint must speak of. */
const mistakes: [
  what: string,
  parts: Parts,
  signed: (parts: Parts & { timestamp: string }) => string,
  hint: RegExp,
][] = [
  [
    'literal \\n',
    post,
    ({ timestamp, method, uri, body }) => [timestamp, method, uri, body].join('\\n'),
    /backslash/,
  ],
  [
    'a line feed at the end',
    post,
    ({ timestamp, method, uri, body }) => `${timestamp}\n${method}\n${uri}\n${body}\n`,
    /line feed too many/,
  ],
  [
    'no line feed before an empty body',
    cancel,
    ({ timestamp, method, uri }) => `${timestamp}\n${method}\n${uri}`,
    /line feed before the empty body/,
  ],
  [
    'no prefix',
    post,
    ({ timestamp, method, body }) => `${timestamp}\n${method}\n/bookings\n${body}`,
    /prefix/,
  ],
  [
    'no query',
    get,
    ({ timestamp, method }) => `${timestamp}\n${method}\n/api/v1/partners/events\n`,
    /query/,
  ],
  [
    'a sorted query',
    get,
    ({ timestamp, method }) =>
      `${timestamp}\n${method}\n/api/v1/partners/events?date_from=2026-12-01&limit=10\n`,
    /query/,
  ],
  [
    'a body with spaces',
    post,
    ({ timestamp, method, uri }) =>
      `${timestamp}\n${method}\n${uri}\n{"seats": ["seat-1"], "имя": "Әсел"}`,
    /serialised again/,
  ],
  [
    'an indented body',
    post,
    ({ timestamp, method, uri, body }) =>
      `${timestamp}\n${method}\n${uri}\n${JSON.stringify(JSON.parse(body), null, 2)}`,
    /serialised again/,
  ],
  [
    'a method in lower case',
    post,
    ({ timestamp, uri, body }) => `${timestamp}\npost\n${uri}\n${body}`,
    /lower case/,
  ],
]

test.group('Hints about a wrong signature', () => {
  for (const [what, parts, signed, hint] of mistakes) {
    test(`a signature with ${what} is explained`, ({ assert }) => {
      const whole = { ...parts, timestamp: now() }
      const signature = hmac(signed(whole))
      assert.isFalse(isSignedBy(SECRET, whole, signature))
      assert.match(signatureHint(SECRET, whole, signature), hint)
    })
  }

  const timestamps: [timestamp: string, hint: RegExp][] = [
    ['', /X-Timestamp is missing/],
    [String(Date.now()), /milliseconds/],
    ['1764597600.5', /ten digits/],
    ['now', /ten digits/],
  ]
  for (const [timestamp, hint] of timestamps) {
    test(`X-Timestamp "${timestamp}" is explained by ${hint}`, ({ assert }) => {
      const parts = { ...post, timestamp }
      assert.match(signatureHint(SECRET, parts, sign(SECRET, parts)), hint)
    })
  }

  for (const seconds of [-400, 400]) {
    test(`X-Timestamp ${seconds} s from our clock is explained`, ({ assert }) => {
      const parts = { ...post, timestamp: String(Math.floor(Date.now() / 1000) + seconds) }
      assert.match(signatureHint(SECRET, parts, sign(SECRET, parts)), /5 minutes/)
    })
  }

  test('a missing signature and one in upper case are explained', ({ assert }) => {
    const parts = { ...post, timestamp: now() }
    assert.match(signatureHint(SECRET, parts, ''), /X-Signature is missing/)
    assert.match(signatureHint(SECRET, parts, sign(SECRET, parts).toUpperCase()), /lowercase/)
  })

  test('a wrong secret cannot be named as the mistake', ({ assert }) => {
    const parts = { ...post, timestamp: now() }
    assert.match(signatureHint(SECRET, parts, sign('other', parts)), /check the secret/)
  })

  test('a body that is not JSON or not text is handled', ({ assert }) => {
    for (const body of ['{', Buffer.from([0xff, 0xfe, 0x00])]) {
      const hint = signatureHint(SECRET, { ...post, body, timestamp: now() }, 'a'.repeat(64))
      assert.isString(hint)
    }
  })
})

const LIMIT_BYTES = 64 * 1024
const nested = (depth: number, inner = '') => '['.repeat(depth) + inner + ']'.repeat(depth)
const filled = (depth: number) => {
  const room = LIMIT_BYTES - 2 * depth
  return nested(depth, '1,'.repeat(room / 2 - 1) + '1')
}

/** Each indented by four spaces would be megabytes to gigabytes. */
const expensive: [what: string, body: string][] = [
  ['lists 3,000 deep', nested(3_000)],
  ['lists 30,000 deep', nested(30_000)],
  ['objects 3,000 deep', `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`],
  ['64 KiB of numbers 100 lists deep', filled(100)],
  ['64 KiB of numbers 3,000 lists deep', filled(3_000)],
  ['64 KiB of numbers as deep as hints look', filled(8)],
]

test.group('Hints about a large body', () => {
  const MOST_CPU_MS = 300
  for (const [what, body] of expensive) {
    test(`${what} cost at most ${MOST_CPU_MS} ms`, ({ assert }) => {
      assert.isAtMost(body.length, LIMIT_BYTES)
      const parts = { ...post, body, timestamp: now() }
      const ms = cpuMsOf(() => signatureHint(SECRET, parts, 'a'.repeat(64)))
      assert.isBelow(ms, MOST_CPU_MS)
    })
  }

  test('a body of eight levels that was serialised again is still explained', ({ assert }) => {
    const body = nested(8, '1')
    const whole = { ...post, body, timestamp: now() }
    const indented = JSON.stringify(JSON.parse(body), null, 4)
    const signature = sign(SECRET, { ...whole, body: indented })
    assert.match(signatureHint(SECRET, whole, signature), /serialised again/)
  })
})

test.group('Signatures', () => {
  test('the published test vector is reproduced from the contract alone', ({ assert }) => {
    const file = new URL('../../../docs/api/check_vector.json', import.meta.url)
    const { secret, vectors } = JSON.parse(readFileSync(file, 'utf8'))
    assert.isAtLeast(vectors.length, 2)
    for (const { timestamp, method, uri, body, signature } of vectors) {
      const text = `${timestamp}\n${method}\n${uri}\n${body}`
      assert.equal(createHmac('sha256', secret).update(text).digest('hex'), signature)
      assert.equal(sign(secret, { timestamp, method, uri, body }), signature)
    }
  })

  for (const junk of [
    '',
    'a',
    'z'.repeat(64),
    'a'.repeat(63),
    'a'.repeat(65),
    `${'a'.repeat(64)}\n`,
  ]) {
    test(`${JSON.stringify(junk)} is refused before any comparison`, ({ assert }) => {
      assert.isFalse(isSignedBy(SECRET, { ...post, timestamp: now() }, junk))
    })
  }

  test('bytes are signed, not text: two bodies that look alike differ', ({ assert }) => {
    const parts = { ...post, timestamp: now() }
    const broken = [Buffer.from([0xff]), Buffer.from([0xfe])]
    const signatures = broken.map((body) => sign(SECRET, { ...parts, body }))
    assert.notEqual(signatures[0], signatures[1])
  })
})
