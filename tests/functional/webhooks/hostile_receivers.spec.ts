import { aReceiver } from '#tests/support/receiver'
import {
  aHostileReceiver,
  drips,
  floods,
  says,
  saysAndEnds,
  type HostileReceiver,
} from '#tests/support/hostile_receiver'
import { tryOut } from '#tests/support/webhook_trial'
import { test } from '@japa/runner'
import type { Socket } from 'node:net'

type Behaviour = (socket: Socket) => void
type Ended = [status: number | null, failure: string | null]

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n'
const A_CHUNK = `1000\r\n${'x'.repeat(0x1000)}\r\n`
const GIGABYTE = 1024 ** 3
const MEGABYTE = 1024 ** 2

const SLOW: [what: string, behave: Behaviour, ended: Ended][] = [
  ['never answers', () => {}, [null, 'timeout']],
  ['sends its headers a byte a second', drips(`${OK}X-Slow: `), [null, 'timeout']],
  [
    'sends its body a byte a second after 200',
    drips(`${OK}Content-Length: 1000000\r\n\r\n`),
    [null, 'timeout'],
  ],
  [
    'sends chunks of a byte a second and no last one',
    drips(`${OK}${CHUNKED}`, '1\r\nx\r\n'),
    [null, 'timeout'],
  ],
  ['says 100 Continue and nothing more', says('HTTP/1.1 100 Continue\r\n\r\n'), [null, 'timeout']],
]

test.group('Slow receivers', (group) => {
  const trials = new Map<string, ReturnType<typeof trial>>()
  const trial = async (behave: Behaviour, protocol = 'http') => {
    const receiver = await aHostileReceiver(behave)
    const tried = await tryOut(receiver.url.replace('http', protocol))
    const wasLeft = receiver.isLeft
    receiver.close()
    return { ...tried, wasLeft }
  }
  // All at once, so that the whole takes as long as one of them.
  group.setup(() => {
    for (const [what, behave] of SLOW) trials.set(what, trial(behave))
    trials.set(
      'tls',
      trial(() => {}, 'https')
    )
  })

  for (const [what, , [status, failure]] of SLOW) {
    test(`a receiver that ${what} is left after 15 seconds: ${failure}`, async ({ assert }) => {
      const { attempt, delivery } = await trials.get(what)!
      assert.include(attempt, { http_status: status, failure, response: null })
      assert.isAtLeast(attempt.duration_ms, 14_900)
      assert.isBelow(attempt.duration_ms, 16_000)
      assert.include(delivery, { status: 'pending', locked_until: null })
    }).timeout(20_000)
  }

  test('a receiver that never ends the TLS handshake is left after 5 seconds: connect_timeout', async ({
    assert,
  }) => {
    const { attempt, delivery } = await trials.get('tls')!
    assert.include(attempt, { http_status: null, failure: 'connect_timeout' })
    assert.isAtLeast(attempt.duration_ms, 4_900)
    assert.isBelow(attempt.duration_ms, 6_000)
    assert.equal(delivery.status, 'pending')
  })

  test('a receiver that is left has its connection closed', async ({ assert }) => {
    for (const { wasLeft } of await Promise.all(trials.values())) assert.isTrue(wasLeft)
  })
})

const ENDLESS: [what: string, behave: Behaviour, ended: Ended][] = [
  ['a gigabyte after 200', floods(`${OK}Content-Length: ${GIGABYTE}\r\n\r\n`, 'x'), [200, null]],
  [
    'a gigabyte after 500',
    floods(`HTTP/1.1 500 No\r\nContent-Length: ${GIGABYTE}\r\n\r\n`, 'x'),
    [500, 'status_500'],
  ],
  ['chunks without end', floods(`${OK}${CHUNKED}`, A_CHUNK), [200, null]],
  ['a body of no length', floods(`${OK}Connection: close\r\n\r\n`, 'x'), [200, null]],
  ['a gigabyte of one header', floods(`${OK}X-Large: `, 'x'), [null, 'headers_too_large']],
  ['a gigabyte of headers', floods(OK, 'X-Many: x\r\n'), [null, 'headers_too_large']],
  ['100 Continue for ever', floods('', 'HTTP/1.1 100 Continue\r\n\r\n'), [null, 'too_many_1xx']],
  ['a gigabyte of no HTTP', floods('', '\u0001'), [null, 'not_http']],
]

test.group('Receivers that send too much', (group) => {
  let receiver: HostileReceiver
  group.each.teardown(() => receiver.close())

  for (const [what, behave, [status, failure]] of ENDLESS) {
    test(`${what}: ${failure ?? 'delivered'}, and the remainder is not read`, async ({
      assert,
    }) => {
      receiver = await aHostileReceiver(behave)
      const peak = watchMemory()
      const { attempt, delivery } = await tryOut(receiver.url)

      assert.isBelow(peak(), 50 * MEGABYTE)
      assert.include(attempt, { http_status: status, failure })
      assert.equal(delivery.status, failure === null ? 'delivered' : 'pending')
      assert.isAtMost(Buffer.byteLength(attempt.response ?? ''), 4096)
      assert.isBelow(attempt.duration_ms, 5_000)
      assert.isBelow(receiver.bytesWritten, 16 * MEGABYTE)
    })
  }
})

/** By how much the process has grown at most. */
function watchMemory() {
  const before = process.memoryUsage.rss()
  let most = before
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss())
  }
  const watch = setInterval(look, 10)
  return () => {
    clearInterval(watch)
    look()
    return most - before
  }
}

const ODD: [what: string, behave: Behaviour, ended: Ended][] = [
  ['hangs up before the status', (socket) => socket.end(), [null, 'connection_lost']],
  ['hangs up in its headers', saysAndEnds(`${OK}X-Half: `), [null, 'connection_lost']],
  [
    'hangs up in a body of a known length',
    saysAndEnds(`${OK}Content-Length: 100\r\n\r\nhalf`),
    [null, 'connection_lost'],
  ],
  ['hangs up in a chunk', saysAndEnds(`${OK}${CHUNKED}64\r\nhalf`), [null, 'connection_lost']],
  ['resets the connection', (socket) => socket.resetAndDestroy(), [null, 'connection_lost']],
  [
    'resets it in a body',
    (socket) =>
      socket.write(`${OK}Content-Length: 100\r\n\r\nhalf`, () => socket.resetAndDestroy()),
    [null, 'connection_lost'],
  ],
  ['speaks SSH', saysAndEnds('SSH-2.0-OpenSSH_9.6\r\n'), [null, 'not_http']],
  ['speaks HTTP/0.9', saysAndEnds('<html>hello</html>'), [null, 'not_http']],
  [
    'names two lengths',
    says(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
    [null, 'not_http'],
  ],
  ['spoils a chunk', says(`${OK}${CHUNKED}nonsense\r\n`), [null, 'not_http']],
  [
    'switches protocols',
    says('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    [101, 'status_101'],
  ],
  [
    'switches protocols without naming one',
    saysAndEnds('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    [101, 'status_101'],
  ],
  [
    'sends 20 KiB of headers',
    says(`${OK}X: ${'x'.repeat(20_480)}\r\n\r\n`),
    [null, 'headers_too_large'],
  ],
  ['invents a status', says('HTTP/1.1 999 Hm\r\nContent-Length: 0\r\n\r\n'), [999, 'status_999']],
  ['answers 204 with nothing', says('HTTP/1.1 204 No Content\r\n\r\n'), [204, null]],
  ['answers 200 and hangs up', saysAndEnds(`${OK}\r\n`), [200, null]],
  [
    'answers after an early hint',
    says(`HTTP/1.1 103 Early Hints\r\n\r\n${OK}Content-Length: 0\r\n\r\n`),
    [200, null],
  ],
]

test.group('Receivers with unusual answers', (group) => {
  let receiver: { close: () => void }
  group.each.teardown(() => receiver.close())

  for (const [what, behave, [status, failure]] of ODD) {
    test(`${what}: ${failure ?? 'delivered'}`, async ({ assert }) => {
      const hostile = await aHostileReceiver(behave)
      receiver = hostile
      const { attempt, attempts, delivery } = await tryOut(hostile.url)

      assert.lengthOf(attempts, 1)
      assert.include(attempt, { http_status: status, failure })
      assert.include(delivery, {
        status: failure === null ? 'delivered' : 'pending',
        attempts: 1,
        locked_until: null,
      })
      assert.isBelow(attempt.duration_ms, 2_000)
    })
  }

  for (const form of ['seconds', 'a date']) {
    test(`429 is retried after Retry-After, in ${form}`, async ({ assert }) => {
      const header = form === 'seconds' ? '3600' : new Date(Date.now() + 3_600_000).toUTCString()
      const busy = await aReceiver((response) => {
        response.writeHead(429, { 'Retry-After': header }).end()
      })
      receiver = busy
      const { attempt, delivery } = await tryOut(busy.url)
      assert.include(attempt, { http_status: 429, failure: 'status_429' })
      assert.closeTo(delivery.next_at.getTime() - Date.now(), 3_600_000, 10_000)
    })
  }

  test('429 with an invalid Retry-After is retried by the table', async ({ assert }) => {
    const busy = await aReceiver((response) => {
      response.writeHead(429, { 'Retry-After': '-1e99, soon' }).end()
    })
    receiver = busy
    const { delivery } = await tryOut(busy.url)
    assert.closeTo(delivery.next_at.getTime() - Date.now(), 5000, 1500)
  })
})
