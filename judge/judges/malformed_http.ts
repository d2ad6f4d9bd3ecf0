import { randomUUID } from 'node:crypto'
import { Checks } from '../checks.ts'
import { envelopeFault, PREFIX, randomAddress } from '../client.ts'
import { Shop } from '../shop.ts'
import type { Judge, Product } from '../types.ts'
import { talk, type Conversation, type WireAnswer } from '../wire.ts'

const malformedHttp: Judge = {
  name: 'malformed_http',
  about: 'what no client library would send, on bare sockets',
  needs: 'product',
  runs: 'meanwhile',
  async run(product) {
    const trial = new Trial(product)
    // At the same time as the others, because it waits for a timeout of the server.
    const slow = trial.unfinishedBodies()
    await trial.requestLines()
    await trial.headers()
    await trial.lengths()
    await trial.chunks()
    await trial.targets()
    await trial.pipelines()
    await trial.methods()
    await trial.patience()
    await slow
    await trial.isAlive('after everything')
    return trial.checks.verdict
  },
}

type Expected = number[]

/** The parser's own refusals. */
const BAD: Expected = [400]
const TOO_LONG: Expected = [414, 431]
/** The time limit for the response to an incomplete request body. */
const UNFINISHED_LIMIT_MS = 40_000

/** The limit of failures per address is 30 a minute. */
const MORE_THAN_FAILURES = 35

class Trial {
  readonly checks = new Checks()
  readonly #product: Product

  constructor(product: Product) {
    this.#product = product
  }

  async requestLines() {
    const host = `${this.#head()}\r\n`
    const target = `${PREFIX}/openapi.json`
    const lines: [name: string, bytes: string | Buffer, expected: Expected][] = [
      ['A word', 'GARBAGE\r\n\r\n', BAD],
      ['A method alone', 'GET\r\n\r\n', BAD],
      ['No version', `GET ${target}\r\n${host}`, [200, 400]],
      ['HTTP/9.9', `GET ${target} HTTP/9.9\r\n${host}`, BAD],
      ['HTTP/2 without TLS', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', BAD],
      ['A version in lower case', `GET ${target} http/1.1\r\n${host}`, BAD],
      ['A method in lower case', `get ${target} HTTP/1.1\r\n${host}`, BAD],
      ['An unknown method', `FOO ${target} HTTP/1.1\r\n${host}`, BAD],
      ['A method of 5,000 letters', `${'A'.repeat(5_000)} / HTTP/1.1\r\n${host}`, BAD],
      ['A blank in the target', `GET ${target} x HTTP/1.1\r\n${host}`, BAD],
      ['A tab in the target', `GET ${target}\tx HTTP/1.1\r\n${host}`, BAD],
      ['NUL in the target', `GET ${target}\0 HTTP/1.1\r\n${host}`, BAD],
      ['No slash before the target', `GET events HTTP/1.1\r\n${host}`, [400, 404]],
      [
        'A target of bytes',
        Buffer.from(`GET ${PREFIX}/\xff\xfe HTTP/1.1\r\n${host}`, 'latin1'),
        BAD,
      ],
      ['Broken percent-encoding', `GET ${PREFIX}/%zz HTTP/1.1\r\n${host}`, [400, 401, 404]],
      ['A target of 20,000 letters', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}`, TOO_LONG],
      ['Line feeds alone', `GET ${target} HTTP/1.1\n${host.replaceAll('\r', '')}`, BAD],
      ['TLS on this port', Buffer.from('16030100a5010000a10303', 'hex'), BAD],
      ['Bytes of no meaning', Buffer.from('00ff00ff0d0a0d0a', 'hex'), BAD],
      ['Empty lines before the request', `\r\n\r\nGET ${target} HTTP/1.1\r\n${host}`, [200]],
    ]
    for (const [name, bytes, expected] of lines) await this.#refused(name, bytes, expected)
  }

  async headers() {
    const more = (line: string | Buffer) =>
      Buffer.concat([
        Buffer.from(`GET ${PREFIX}/openapi.json HTTP/1.1\r\n${this.#head()}`),
        Buffer.from(line),
        Buffer.from('\r\n\r\n'),
      ])
    const withoutHost = (lines: string) => `GET ${PREFIX}/openapi.json HTTP/1.1\r\n${lines}\r\n`
    const cases: [name: string, bytes: string | Buffer, expected: Expected][] = [
      ['NUL in a header', more('X-A: a\0b'), BAD],
      ['NUL in the name of a header', more('X-\0A: a'), BAD],
      ['A bare CR in a header', more('X-A: a\rb'), BAD],
      ['DEL in a header', more('X-A: \x7f'), BAD],
      ['A header without a colon', more('X-A'), BAD],
      ['A header without a name', more(': a'), BAD],
      ['A blank before the colon', more('X-A : a'), BAD],
      ['A folded header', more('X-A: a\r\n b'), BAD],
      ['A header of bytes', more(Buffer.from('X-A: \xff\xfe', 'latin1')), [200]],
      ['One header of 20,000 letters', more(`X-A: ${'a'.repeat(20_000)}`), [431]],
      ['A name of 20,000 letters', more(`${'X'.repeat(20_000)}: a`), [431]],
      [
        '3,000 headers',
        more(Array.from({ length: 3_000 }, (_, n) => `X-${n}: a`).join('\r\n')),
        [431],
      ],
      [
        '1,500 short headers',
        more(Array.from({ length: 1_500 }, () => 'a:b').join('\r\n')),
        [200, 431],
      ],
      ['Two Host headers', more('Host: other.example'), BAD],
      ['The same Host twice', more(`Host: 127.0.0.1:${this.#product.port}`), BAD],
      ['No Host', withoutHost(''), BAD],
      ['An empty Host', withoutHost('Host:\r\n'), [200, 400]],
      ['A Host with a blank', withoutHost('Host: a b\r\n'), [200, 400]],
      ['A Host with a path', withoutHost('Host: a/b@c\r\n'), [200, 400]],
      ['A Host of 8,000 letters', withoutHost(`Host: ${'a'.repeat(8_000)}\r\n`), [200, 400, 431]],
      ['An expectation that nobody meets', more('Expect: a-miracle'), [417]],
      [
        'An upgrade to something unknown',
        more('Connection: Upgrade\r\nUpgrade: x'),
        [200, 400, 426],
      ],
      [
        'An upgrade to a WebSocket',
        more('Connection: Upgrade\r\nUpgrade: websocket'),
        [200, 400, 426],
      ],
      ['Connection: nonsense', more('Connection: \u00e9, ,,,'), [200]],
    ]
    for (const [name, bytes, expected] of cases) await this.#refused(name, bytes, expected)
  }

  async lengths() {
    const post = (lines: string, body = '{}') =>
      `POST ${PREFIX}/bookings HTTP/1.1\r\n${this.#head()}Content-Type: application/json\r\n${lines}\r\n\r\n${body}`
    const cases: [name: string, lines: string, expected: Expected, body?: string][] = [
      ['Two different Content-Length', 'Content-Length: 2\r\nContent-Length: 3', BAD],
      ['Content-Length twice', 'Content-Length: 2\r\nContent-Length: 2', [400, 401]],
      ['A list as Content-Length', 'Content-Length: 2, 2', BAD],
      ['A Content-Length below zero', 'Content-Length: -1', BAD],
      ['A Content-Length with a plus', 'Content-Length: +2', BAD],
      ['A hexadecimal Content-Length', 'Content-Length: 0x2', BAD],
      ['A Content-Length of letters', 'Content-Length: two', BAD],
      ['An empty Content-Length', 'Content-Length:', [400, 401]],
      ['A Content-Length beyond 64 bits', 'Content-Length: 99999999999999999999999', BAD],
      [
        'Content-Length with chunks',
        'Content-Length: 2\r\nTransfer-Encoding: chunked',
        BAD,
        '0\r\n\r\n',
      ],
      [
        'Chunks with Content-Length',
        'Transfer-Encoding: chunked\r\nContent-Length: 2',
        BAD,
        '0\r\n\r\n',
      ],
      ['An unknown coding', 'Transfer-Encoding: gzap', BAD, '0\r\n\r\n'],
      ['Chunked not last', 'Transfer-Encoding: chunked, identity', BAD, '0\r\n\r\n'],
      [
        'Chunked in two headers',
        'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
        BAD,
        '0\r\n\r\n',
      ],
      ['Chunked with a blank in it', 'Transfer-Encoding: chun ked', BAD, '0\r\n\r\n'],
      ['Chunked after a vertical tab', 'Transfer-Encoding: \x0bchunked', BAD, '0\r\n\r\n'],
    ]
    for (const [name, lines, expected, body] of cases) {
      await this.#refused(name, post(lines, body), expected)
    }
    const old = `POST ${PREFIX}/bookings HTTP/1.0\r\n${this.#head()}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
    await this.#refused('Chunks in HTTP/1.0', old, [400, 401])
  }

  /** Signed, because the server does not read unsigned bodies. */
  async chunks() {
    const uri = `${PREFIX}/bookings`
    const head = (body: string) =>
      `POST ${uri} HTTP/1.1\r\n${this.#head()}${lines(this.#sign('POST', uri, body))}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    const cases: [name: string, chunks: string, expected: Expected][] = [
      ['A chunk size of letters', 'zz\r\n{}\r\n0\r\n\r\n', BAD],
      ['A chunk size below zero', '-2\r\n{}\r\n0\r\n\r\n', BAD],
      ['A chunk size beyond 64 bits', 'ffffffffffffffffff\r\n{}\r\n0\r\n\r\n', BAD],
      ['A chunk longer than its size', '1\r\n{}\r\n0\r\n\r\n', BAD],
      ['A chunk without its end', '2\r\n{}0\r\n\r\n', BAD],
      ['A chunk size with a blank', '2 \r\n{}\r\n0\r\n\r\n', [400, 401, 422]],
      ['An extension of 20,000 letters', `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, BAD],
      ['A trailer that is none', '2\r\n{}\r\n0\r\ngarbage\r\n\r\n', BAD],
      ['Line feeds alone between chunks', '2\n{}\n0\n\n', [400, 401, 422]],
      ['Good chunks', '1\r\n{\r\n1\r\n}\r\n0\r\n\r\n', [422]],
      ['Good chunks with a trailer', '2\r\n{}\r\n0\r\nX-A: b\r\n\r\n', [422]],
    ]
    for (const [name, chunks, expected] of cases) {
      await this.#refused(name, head('{}') + chunks, expected)
    }
    const garbage = `5\r\n${'x'.repeat(400)}`.repeat(40)
    await this.#refused('Chunks of garbage', head('{}') + garbage, BAD)
  }

  async targets() {
    const { port } = this.#product
    const uri = `${PREFIX}/events?limit=1`
    const signed = lines(this.#sign('GET', uri))
    const absolute = `GET http://127.0.0.1:${port}${uri} HTTP/1.1\r\n${this.#head()}${signed}\r\n`
    await this.#refused('A signed target in absolute form', absolute, [200])
    const open = `GET http://127.0.0.1:${port}${PREFIX}/openapi.json HTTP/1.1\r\n${this.#head()}\r\n`
    await this.#refused('The description by an absolute target', open, [200])
    const other = `GET http://other.example/ HTTP/1.1\r\n${this.#head()}\r\n`
    await this.#answered('The target of another host', other, [200, 302, 404, 421])
    const broken = `GET http://[::1 HTTP/1.1\r\n${this.#head()}\r\n`
    await this.#answered('An absolute target that is none', broken, [400, 404])
    await this.#answered('OPTIONS *', `OPTIONS * HTTP/1.1\r\n${this.#head()}\r\n`, [204, 404])
    await this.#answered('GET *', `GET * HTTP/1.1\r\n${this.#head()}\r\n`, [400, 404])
    const tunnel = await this.#talk(`CONNECT other.example:443 HTTP/1.1\r\n${this.#head()}\r\n`, 1)
    const isRefused = tunnel.isClosed || [400, 404, 405].includes(tunnel.answers[0]?.status)
    this.checks.expect(isRefused, 'CONNECT opens no tunnel', shown(tunnel))
    const old = `GET ${uri} HTTP/1.0\r\n${signed}\r\n`
    const answer = await this.#talk(old)
    const isDone = answer.answers[0]?.status === 200 && answer.isClosed
    this.checks.expect(isDone, 'HTTP/1.0 without a Host is answered and closed', shown(answer))
  }

  async pipelines() {
    const good = () => this.#good(randomUUID())
    const first = randomUUID()
    const third = randomUUID()
    const three = await this.#talk([this.#good(first), good(), this.#good(third)].join(''), 3)
    const ids = three.answers.map((answer) => header(answer, 'x-request-id'))
    const isInOrder = ids.length === 3 && ids[0] === first && ids[2] === third
    this.checks.expect(
      isInOrder,
      'Three good requests in one packet are answered in order',
      shown(three)
    )

    for (const [name, garbage] of Object.entries(GARBAGE)) {
      const id = randomUUID()
      const all = await this.#talk(`${this.#good(id)}${garbage}${good()}`)
      const [owed, refusal, ...others] = all.answers
      const isOwed = owed?.status === 200 && header(owed, 'x-request-id') === id
      this.checks.expect(isOwed, `good, ${name}, good: the first answer comes first`, shown(all))
      const fault = refusal ? faultOf(refusal) : 'no answer'
      this.checks.expect(
        !fault,
        `good, ${name}, good: the garbage is answered in the envelope`,
        `${fault} ${shown(all)}`
      )
      this.checks.expect(
        refusal?.status < 500 && others.length === 0,
        `good, ${name}, good: nothing is read after it`,
        shown(all)
      )
      this.checks.expect(all.isClosed, `good, ${name}, good: the connection is closed`, shown(all))
    }

    const seats = `${PREFIX}/events/${this.#product.events.arena}/seats`
    const heavy = `GET ${seats} HTTP/1.1\r\n${this.#head()}${lines(this.#sign('GET', seats))}\r\n`
    const late = await this.#talk(`${heavy}${heavy}GARBAGE\r\n\r\n`)
    const statuses = late.answers.map(({ status }) => status).join()
    this.checks.expect(
      statuses === '200,200,400',
      'Two answers that take long come before the refusal',
      shown(late)
    )

    const smuggled = `GET ${PREFIX}/openapi.json HTTP/1.1\r\n${this.#head()}\r\n{"a":1}\r\n\r\n`
    const body = await this.#talk(smuggled)
    const isRead = body.answers[0]?.status === 200 && body.answers[1]?.status === 400
    this.checks.expect(
      isRead,
      'Bytes after a request without a length are the next request',
      shown(body)
    )
  }

  async methods() {
    const { partners, sign } = this.#product
    const address = randomAddress()
    const from = (method: string, path: string) =>
      `${method} ${PREFIX}${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: ${address}\r\n\r\n`
    for (let n = 0; n < MORE_THAN_FAILURES; n++) {
      const head = { ...this.#target, until: 1, isHead: true }
      const { answers } = await talk(head, from('HEAD', '/openapi.json'))
      this.checks.expect(
        answers[0]?.status === 200,
        'HEAD of the description is 200',
        shownStatus(answers)
      )
    }
    const failure = await this.#talk(from('GET', '/events'), 1)
    const isFirst = failure.answers[0]?.status === 401
    this.checks.expect(isFirst, 'HEAD of the description costs no failure', shown(failure))

    const uri = `${PREFIX}/events`
    const signed = lines(sign(partners.bulk, { method: 'HEAD', uri }))
    const bytes = `HEAD ${uri} HTTP/1.1\r\n${this.#head()}${signed}\r\n`
    const { answers } = await talk({ ...this.#target, until: 1, isHead: true }, bytes)
    const isRight =
      answers[0]?.status === 200 ||
      (answers[0]?.status === 405 && header(answers[0], 'allow') !== '')
    this.checks.expect(
      isRight,
      'HEAD of a read is 200, or 405 with Allow',
      String(answers[0]?.status)
    )

    const unsigned = await this.#talk(`GET ${uri} HTTP/1.1\r\n${this.#head()}\r\n`, 1)
    const challenge = unsigned.answers[0] && header(unsigned.answers[0], 'www-authenticate')
    this.checks.expect(Boolean(challenge), '401 comes with WWW-Authenticate', shown(unsigned))
  }

  /** Slow requests are accepted, and a client that expects 100 Continue receives it. */
  async patience() {
    const uri = `${PREFIX}/bookings`
    const body = '{"event_id":1}'
    const signed = lines(this.#sign('POST', uri, body))
    const head = `POST ${uri} HTTP/1.1\r\n${this.#head()}${signed}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    const pieces = [...`${head}\r\n${body}`.match(/[^]{1,60}/g)!].flatMap((piece) => [
      piece,
      { pauseMs: 50 },
    ])
    const slow = await talk({ ...this.#target, until: 1, timeoutMs: 15_000 }, ...pieces)
    this.checks.expect(
      slow.answers[0]?.status === 422,
      'A request in small pieces is answered',
      shown(slow)
    )

    const waiting = await talk(
      { ...this.#target, until: 1 },
      `${head}Expect: 100-continue\r\n\r\n`,
      { pauseMs: 300 },
      body
    )
    this.checks.expect(
      waiting.answers[0]?.status === 422,
      'Who expects 100 Continue may send',
      shown(waiting)
    )

    const unsigned = `POST ${uri} HTTP/1.1\r\n${this.#head()}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`
    const early = await this.#talk(unsigned, 1)
    const isEarly = early.answers[0]?.status === 401
    this.checks.expect(
      isEarly,
      'An unsigned request is refused before its body has come',
      shown(early)
    )
  }

  /** Requests that stop in the head or body get 408 in the envelope instead of a connection that stays open. */
  async unfinishedBodies() {
    const uri = `${PREFIX}/bookings`
    const signed = lines(this.#sign('POST', uri, '{}'))
    const requests = {
      'A head that never ends': `GET ${PREFIX}/openapi.json HTTP/1.1\r\n${this.#head()}`,
      'A body that never comes': `POST ${uri} HTTP/1.1\r\n${this.#head()}${signed}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{`,
      'Chunks that never end': `POST ${uri} HTTP/1.1\r\n${this.#head()}${signed}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
    }
    await Promise.all(
      Object.entries(requests).map(async ([name, bytes]) => {
        const said = await talk({ ...this.#target, timeoutMs: UNFINISHED_LIMIT_MS }, bytes)
        this.#judge(name, said, [408])
      })
    )
  }

  async isAlive(when: string) {
    const shop = new Shop(this.#product)
    const { status } = await shop.get('/events')
    this.checks.expect(status === 200, `The server answers ${when}`, String(status))
    shop.close()
  }

  get #target() {
    return { port: this.#product.port }
  }

  /** Expects one response of these statuses, with the error envelope in refusals. */
  async #refused(name: string, bytes: string | Buffer, expected: Expected) {
    this.#judge(name, await this.#talk(bytes, 1), expected)
  }

  /** Expects one response of these statuses from pages for people, with an error page instead of the envelope. */
  async #answered(name: string, bytes: string, expected: Expected) {
    const said = await this.#talk(bytes, 1)
    const isExpected = expected.includes(said.answers[0]?.status)
    this.checks.expect(isExpected, `${name} is ${expected.join(' or ')}`, shown(said))
  }

  #judge(name: string, said: Conversation, expected: Expected) {
    const [answer] = said.answers
    const isExpected = expected.includes(answer?.status)
    const fault = answer && answer.status >= 400 ? faultOf(answer) : undefined
    const sentence = `${name} is ${expected.join(' or ')}${isExpected && fault ? `: ${fault}` : ''}`
    this.checks.expect(isExpected && !fault, sentence, shown(said))
  }

  #talk(bytes: string | Buffer, until?: number) {
    return talk({ ...this.#target, until, timeoutMs: 3_000 }, bytes)
  }

  #head() {
    return `Host: 127.0.0.1:${this.#product.port}\r\nX-Forwarded-For: ${randomAddress()}\r\n`
  }

  #sign(method: string, uri: string, body = '') {
    return this.#product.sign(this.#product.partners.bulk, { method, uri, body })
  }

  #good(requestId: string) {
    const uri = `${PREFIX}/events?limit=1`
    const signed = lines({ ...this.#sign('GET', uri), 'X-Request-Id': requestId })
    return `GET ${uri} HTTP/1.1\r\n${this.#head()}${signed}\r\n`
  }
}

const GARBAGE: Record<string, string> = {
  'garbage': 'GARBAGE\r\n\r\n',
  'bytes': '\0\x01\x02\r\n\r\n',
  'a broken header': 'GET / HTTP/1.1\r\nHost: a\r\nX-\0A: b\r\n\r\n',
  'two lengths': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  'two hosts': 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'a huge header': `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
}

const shownStatus = (answers: WireAnswer[]) => String(answers[0]?.status)

const lines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

const header = (answer: WireAnswer, name: string) => answer.headers.get(name)?.[0] ?? ''

function faultOf(answer: WireAnswer) {
  const headers = Object.fromEntries([...answer.headers].map(([name, [value]]) => [name, value]))
  let json: unknown
  try {
    json = JSON.parse(answer.text)
  } catch {
    return 'no JSON'
  }
  if (headers['x-content-type-options'] !== 'nosniff') return 'no nosniff'
  return envelopeFault({ headers, json })
}

const shown = ({ answers, isClosed, rest }: Conversation) =>
  [
    ...answers.map(({ status, text }) => `${status} ${text.slice(0, 120)}`),
    ...(rest.length > 0 ? [`then ${rest.length} bytes: ${rest.toString().slice(0, 80)}`] : []),
    isClosed ? 'closed' : 'open',
  ].join(' | ')

export default malformedHttp
