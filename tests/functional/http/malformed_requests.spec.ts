import { aPartner } from '#tests/support/fixtures'
import { PREFIX } from '#tests/support/raw_request'
import { talk, type SocketAnswer } from '#tests/support/raw_socket'
import { test } from '@japa/runner'
import assert from 'node:assert/strict'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const DESCRIPTION = `${PREFIX}/openapi.json`
const GOOD = `GET ${DESCRIPTION} HTTP/1.1\r\nHost: tickets.test\r\n\r\n`

function assertEnvelope({ status, headers, body }: SocketAnswer, expected: number, code: string) {
  assert.equal(status, expected)
  assert.match(headers.get('content-type')!, /^application\/json/)
  assert.match(headers.get('x-request-id')!, UUID)
  for (const name of ['limit', 'remaining', 'reset'])
    assert.match(headers.get(`x-ratelimit-${name}`)!, /^\d+$/)
  const { error } = JSON.parse(body)
  assert.equal(error.code, code)
  assert.deepEqual(Object.keys(error), ['code', 'message', 'details'])
}

const broken: [name: string, bytes: string, status: number, code: string][] = [
  ['words that are no request', 'hello there\r\n\r\n', 400, 'BAD_REQUEST'],
  ['an unknown method', `FETCH / HTTP/1.1\r\nHost: x\r\n\r\n`, 400, 'BAD_REQUEST'],
  ['another protocol', `GET / SPDY/9\r\nHost: x\r\n\r\n`, 400, 'BAD_REQUEST'],
  ['NUL in a header', `GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n`, 400, 'BAD_REQUEST'],
  ['no Host', `GET ${DESCRIPTION} HTTP/1.1\r\n\r\n`, 400, 'BAD_REQUEST'],
  [
    'two Hosts',
    `GET ${DESCRIPTION} HTTP/1.1\r\nHost: a.test\r\nhost: b.test\r\n\r\n`,
    400,
    'BAD_REQUEST',
  ],
  ['a target that is no URL', 'GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'BAD_REQUEST'],
  [
    'two lengths',
    `POST ${PREFIX}/bookings HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`,
    400,
    'BAD_REQUEST',
  ],
  [
    'a length and chunks',
    `POST ${PREFIX}/bookings HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'BAD_REQUEST',
  ],
  [
    'a header of 20 KB',
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
    431,
    'HEADERS_TOO_LARGE',
  ],
  [
    'an expectation',
    `GET / HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\n\r\n`,
    417,
    'EXPECTATION_FAILED',
  ],
]

test.group('Malformed requests', () => {
  for (const [name, bytes, status, code] of broken) {
    test(`${name}: ${status} with the error envelope`, async ({ assert: check }) => {
      const { answers } = await talk(bytes, { forMs: 1_500 })
      check.lengthOf(answers, 1)
      assertEnvelope(answers[0], status, code)
    })
  }

  test('the answer to the previous request on the connection comes first', async ({
    assert: check,
  }) => {
    const { answers, isClosed } = await talk(`${GOOD}garbage\r\n\r\n${GOOD}`)
    check.deepEqual(
      answers.map(({ status }) => status),
      [200, 400]
    )
    check.equal(JSON.parse(answers[0].body).openapi.split('.')[0], '3')
    assertEnvelope(answers[1], 400, 'BAD_REQUEST')
    check.isTrue(isClosed)
  })

  test('a body that ends within a chunk is 400 with its request id', async () => {
    const { client } = await aPartner()
    const id = '6f1c6c3e-4d0b-4a52-9d6c-3f1d6f1c6c3e'
    const { answers } = await talk(
      `POST ${PREFIX}/bookings HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${client.credentials.apiKey}\r\n` +
        `X-Request-Id: ${id}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`
    )
    assertEnvelope(answers[0], 400, 'BAD_REQUEST')
    assert.equal(answers[0].headers.get('x-request-id'), id)
  })

  test('chunk extensions of 20 KB are 400 and not a body over its limit', async () => {
    const { client } = await aPartner()
    const { answers } = await talk(
      `POST ${PREFIX}/bookings HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${client.credentials.apiKey}\r\n` +
        `Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`
    )
    assertEnvelope(answers[0], 400, 'BAD_REQUEST')
  })

  for (const [name, lines] of [
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: a.test\r\nHost: b.test'],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: a-miracle'],
  ]) {
    test(`${name}: the headers of the limit are about the sender behind the proxy`, async ({
      assert: check,
    }) => {
      const { client } = await aPartner()
      await client.get('/events', { signature: 'wrong' })
      const { answers } = await talk(`${lines}\r\nX-Forwarded-For: ${client.address}\r\n\r\n`, {
        forMs: 1_500,
      })
      check.equal(answers[0].headers.get('x-ratelimit-remaining'), '29')
    })
  }
})

test.group('Unusual but correct requests', () => {
  test('an absolute request target is read as its path', async ({ assert: check }) => {
    const { answers } = await talk(
      `GET http://tickets.test${DESCRIPTION} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    )
    check.equal(answers[0].status, 200)
  })

  test('HTTP/1.0 needs no Host', async ({ assert: check }) => {
    const { answers } = await talk(`GET ${DESCRIPTION} HTTP/1.0\r\n\r\n`)
    check.equal(answers[0].status, 200)
  })

  test('HEAD of a public read has the headers and no body', async ({ assert: check }) => {
    const { answers } = await talk(
      `HEAD ${DESCRIPTION} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    )
    check.equal(answers[0].status, 200)
    check.equal(answers[0].body, '')
    check.equal(answers[0].headers.get('x-ratelimit-limit'), '300')
  })
})

test.group('Unfinished requests', () => {
  test('with an unknown key are answered early, and the connection is closed', async ({
    assert: check,
  }) => {
    const { answers, isClosed, ms } = await talk(
      `POST ${PREFIX}/bookings HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.44\r\n` +
        `Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"seats":`,
      { forMs: 6_000 }
    )
    assertEnvelope(answers[0], 401, 'INVALID_API_KEY')
    check.isTrue(isClosed)
    check.isBelow(ms, 4_000)
  })

  test('with bodies that end in time leave the connection open', async ({ assert: check }) => {
    const body = '{"seats": []}'
    const unsigned = `POST ${PREFIX}/bookings HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const { answers } = await talk(unsigned + unsigned + GOOD)
    check.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 200]
    )
  })

  test('idle connections are closed after ten seconds', async ({ assert: check }) => {
    const { answers, isClosed, ms } = await talk('GET / HT', { forMs: 14_000 })
    assertEnvelope(answers[0], 408, 'REQUEST_TIMEOUT')
    check.isTrue(isClosed)
    check.isBelow(ms, 14_000)
  }).timeout(16_000)
})
