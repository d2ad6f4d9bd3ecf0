import { createHmac, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Partner, Site } from '../judge/types.ts'
import { log, logError } from './output.ts'
import { root } from './paths.ts'

const results = join(root, 'tmp/scan')
const API = '/api/v1/partners/'
const OFFICE = '/back-office'
const WAPITI_SECONDS = 720
const SQLMAP_SECONDS = 480

/** Wapiti's modules but those that need the internet (wapp, nikto) or guess at names and passwords (buster, brute_login_form). */
const MODULES =
  'backup,blindsql,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,ssrf,xss,xxe'

interface Target {
  name: string
  path: string
  /** The parameter that sqlmap changes; its value in a body is marked with an asterisk. */
  parameter?: string
  body?: object
}

/** Endpoints whose input reaches SQL: by a query, a body, or the sign-in form. */
const targets = ({ events }: Site): Target[] => [
  {
    name: 'find an order',
    path: `${API}orders?partner_order_id=abc`,
    parameter: 'partner_order_id',
  },
  {
    name: 'seats of a sector',
    path: `${API}events/${events.open}/seats?sector_id=parter`,
    parameter: 'sector_id',
  },
  {
    name: 'book seats',
    path: `${API}bookings`,
    body: { event_id: events.open, partner_booking_id: 'scan*', seats: ['none*'] },
  },
  { name: 'search orders', path: `${OFFICE}/orders?q=ivan&status=paid`, parameter: 'q,status' },
  {
    name: 'search the journal',
    path: `${OFFICE}/journal?name=order_confirmed&actor=demo`,
    parameter: 'name,actor',
  },
  { name: 'list settlements', path: `${OFFICE}/settlement?q=kassa`, parameter: 'q' },
  { name: 'a ticket', path: '/tickets/tkt_1.pdf?signature=abc', parameter: 'signature' },
  {
    name: 'sign in',
    path: `${OFFICE}/sign-in`,
    body: { email: 'someone*@sandbox.test', password: 'wrong*' },
  },
]

/** What wapiti says of every product that is asked without TLS, or that is meant so; docs/security.md has the answers. */
const ANSWERED = [
  'X-XSS-Protection is not set',
  'Strict-Transport-Security is not set',
  'Secure flag is not set in the cookie : XSRF-TOKEN',
  'Secure flag is not set in the cookie : staff',
  'HttpOnly flag is not set in the cookie : XSRF-TOKEN',
]
/** Nothing leaves this machine: without it wapiti asks a server of its author what has reached it. */
const NOBODY = 'http://127.0.0.1:9/'

const STARTS = [
  '/?lang=en',
  '/docs',
  '/docs/guide',
  `${OFFICE}/orders?q=a`,
  `${OFFICE}/events?q=a`,
  `${OFFICE}/journal?name=order_confirmed`,
  `${OFFICE}/settlement`,
  `${OFFICE}/cases`,
  `${OFFICE}/runs`,
  `${OFFICE}/staff?q=a`,
]

/** Runs both scanners against the product; prints what they say, and returns 1 when they have found something. */
export async function scan(site: Site): Promise<number> {
  mkdirSync(results, { recursive: true })
  const front = await Front.open(site)
  try {
    const findings = [...(await runWapiti(front.url)), ...(await runSqlmap(front.url, site))]
    for (const failure of front.failures) findings.push(`the product answered ${failure}`)
    writeFileSync(join(results, 'findings.json'), JSON.stringify(findings, null, 2))
    for (const finding of findings) logError(finding)
    log(`${front.requests} requests, ${findings.length} findings; the logs are in ${results}`)
    return findings.length > 0 ? 1 : 0
  } finally {
    front.close()
  }
}

/**
 * A proxy before the product, so that scanners get as far as somebody who is let in: it signs what goes to the partner
 * API, and gives the back office the session of an auditor, who may read everything and change nothing.
 */
class Front {
  requests = 0
  /** Answers of 5xx. */
  readonly failures: string[] = []
  readonly #site: Site
  readonly #cookies = new Map<string, string>()
  readonly #server = createServer((incoming, response) => {
    this.#forward(incoming, response).catch((error: Error) => response.destroy(error))
  })

  private constructor(site: Site) {
    this.#site = site
  }

  static async open(site: Site) {
    const front = new Front(site)
    front.#server.listen(0, '127.0.0.1')
    await once(front.#server, 'listening')
    await front.#signIn()
    return front
  }

  get url() {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close() {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #signIn() {
    const { email, password } = this.#site.staff.auditor
    const page = `${this.#site.appUrl}${OFFICE}/sign-in`
    const form = await fetch(page)
    this.#keep(form.headers)
    const headers = { ...this.#session(), 'Content-Type': 'application/json' }
    const body = JSON.stringify({ email, password })
    const answer = await fetch(page, { method: 'POST', headers, body, redirect: 'manual' })
    this.#keep(answer.headers)
    if (answer.headers.get('location')?.includes('sign-in')) throw new Error('Not signed in')
  }

  #keep(headers: Headers) {
    for (const cookie of headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      this.#cookies.set(name, value)
    }
  }

  #session() {
    return {
      'Cookie': [...this.#cookies].map((pair) => pair.join('=')).join('; '),
      'X-XSRF-TOKEN': decodeURIComponent(this.#cookies.get('XSRF-TOKEN') ?? ''),
    }
  }

  async #forward(incoming: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { method = 'GET', url: path = '/', headers } = incoming
    const { host, port } = this.#site
    const sent = {
      ...headers,
      // From everywhere, so that no limit of an address hides what is behind it.
      'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`,
      ...(path.startsWith(API) && signatureOf(this.#site.partners.bulk, method, path, body)),
      // The sign-in is for those who have no session.
      ...(path.startsWith(OFFICE) && !path.startsWith(`${OFFICE}/sign-`) && this.#session()),
    }
    const forwarded = request({ host, port, method, path, headers: sent, agent: false })
    forwarded.on('error', (error) => response.destroy(error))
    forwarded.end(body)
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage]
    this.requests += 1
    if (answer.statusCode! >= 500) this.failures.push(`${answer.statusCode} to ${method} ${path}`)
    response.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(response)
  }
}

function signatureOf({ apiKey, secret }: Partner, method: string, path: string, body: Buffer) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const hmac = createHmac('sha256', secret).update(`${timestamp}\n${method}\n${path}\n`)
  if (method !== 'GET') hmac.update(body)
  return {
    'x-api-key': apiKey,
    'x-timestamp': timestamp,
    'x-signature': hmac.digest('hex'),
  }
}

async function runWapiti(url: string): Promise<string[]> {
  const report = join(results, 'wapiti.json')
  const starts = STARTS.flatMap((path) => ['--start', url + path])
  const limits = ['--max-scan-time', '60', '--max-attack-time', '40', '--timeout', '10']
  const folders = ['--store-session', results, '--store-config', results, '--flush-session']
  const output = ['--format', 'json', '--output', report, '--no-bugreport', '--endpoint', NOBODY]
  await runScanner(
    'wapiti',
    ['--url', `${url}/`, '--scope', 'domain', '--module', MODULES].concat(
      starts,
      limits,
      folders,
      output
    ),
    WAPITI_SECONDS
  )
  const { vulnerabilities, anomalies } = JSON.parse(readFileSync(report, 'utf8')) as Record<
    'vulnerabilities' | 'anomalies',
    Record<string, { path: string; method: string; info: string }[]>
  >
  return Object.entries({ ...vulnerabilities, ...anomalies }).flatMap(([kind, found]) =>
    found
      .filter(({ info }) => !ANSWERED.includes(info))
      .map(({ method, path, info }) => `wapiti: ${kind}: ${method} ${path}: ${info}`)
  )
}

async function runSqlmap(url: string, site: Site): Promise<string[]> {
  const findings: string[] = []
  for (const { name, path, parameter, body } of targets(site)) {
    const what = body
      ? ['--data', JSON.stringify(body), '--headers', 'Content-Type: application/json']
      : ['-p', parameter!]
    const how = ['--batch', '--dbms', 'PostgreSQL', '--level', '2', '--time-sec', '2']
    const more = ['--retries', '0', '--flush-session', '--output-dir', results, '--threads', '4']
    // Refusals are what most answers are; they are compared like others.
    const codes = ['--ignore-code', '*', '--ignore-redirects', '--skip-waf', '--disable-coloring']
    const text = await runScanner(
      'sqlmap',
      ['-u', url + path, ...what, ...how, ...more, ...codes],
      SQLMAP_SECONDS
    )
    writeFileSync(join(results, `sqlmap ${name}.log`), text)
    const verdict = sqlmapVerdict(text)
    if (verdict !== SAFE) findings.push(`sqlmap: ${name}: ${verdict}`)
    log(`sqlmap: ${name}: ${verdict}`)
  }
  return findings
}

const SAFE = 'not injectable'

/** What sqlmap's words say of an endpoint. One that it had no time for, or could not reach, is none that nothing was found in. */
export function sqlmapVerdict(text: string) {
  if (/identified the following injection point|is vulnerable/.test(text)) return 'can be injected'
  return /do(es)? not (seem|appear) to be injectable/.test(text) ? SAFE : 'not finished in time'
}

/** Runs until it ends or its time is over; returns what it has printed. */
async function runScanner(program: string, args: string[], seconds: number): Promise<string> {
  log(`${program} ${args.slice(0, 2).join(' ')}`)
  const child = spawn('timeout', [`${seconds}`, program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  await once(child, 'close')
  writeFileSync(join(results, `${program}.log`), text)
  return text
}
