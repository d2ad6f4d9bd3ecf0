import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { WHOLE_ORDER_EVERY } from './fill_months.ts'
import { median } from './rounds.ts'
import type { Site } from './testbed.ts'

const ROUNDS = 60
/** Each connection of the pool plans a statement for five visits before it keeps the plan. */
const WARM_UP = 60
/** Different orders, partners and events that one page is asked about, again and again. */
const SAMPLES = 15

interface FilledSite extends Site {
  /** How many orders were filled in. */
  orders: number
}

interface VisitedPage {
  name: string
  /** Below the back office. `order` is one that is there with all its parts. */
  path: (order: FilledOrder) => string
}

interface FilledOrder {
  number: number
  id: string
  /** Code of its partner. */
  partner: string
  event: string
  /** The day of its sale at the venues. */
  day: string
  requestId: string
}

/** Pages, lists and searches that show orders, confirms and the journal. */
const PAGES: VisitedPage[] = [
  { name: 'overview', path: () => '/' },
  { name: 'orders', path: () => '/orders' },
  { name: 'orders: paid', path: () => '/orders?status=paid' },
  { name: 'orders: of a partner', path: ({ partner }) => `/orders?partner=${partner}` },
  { name: 'orders: of an event', path: ({ event }) => `/orders?event=${event}` },
  {
    name: 'orders: of an event, by total',
    path: ({ event }) => `/orders?event=${event}&sort=highest`,
  },
  {
    name: 'orders: of a partner, refunded',
    path: ({ partner }) => `/orders?partner=${partner}&status=refunded`,
  },
  { name: 'orders: by number', path: ({ id }) => `/orders?q=${id}` },
  { name: 'orders: by e-mail', path: ({ number }) => `/orders?q=buyer${number}@bench.test` },
  { name: 'orders: by phone', path: ({ number }) => `/orders?q=${phoneOf(number)}` },
  { name: 'orders: by payment', path: ({ number }) => `/orders?q=pay-${number}` },
  { name: 'orders: by request', path: ({ requestId }) => `/orders?q=${requestId}` },
  { name: 'orders: by first name', path: () => '/orders?q=Aigerim' },
  { name: 'orders: by surname', path: ({ number }) => `/orders?q=${surnameOf(number)}` },
  {
    name: 'orders: by full name',
    path: ({ number }) => `/orders?q=${surnameOf(number)}+Father${lettersOf(number / 1000)}`,
  },
  { name: 'order', path: ({ id }) => `/orders/${id}` },
  { name: 'palette: a number', path: ({ id }) => `/find?q=${id}` },
  { name: 'palette: a name', path: () => '/find?q=Aigerim' },
  { name: 'journal', path: () => '/journal' },
  { name: 'journal: of a partner', path: ({ partner }) => `/journal?partner=${partner}` },
  { name: 'journal: of an order', path: ({ id }) => `/journal?order=${id}` },
  { name: 'journal: of an event', path: ({ event }) => `/journal?event=${event}` },
  { name: 'journal: of a request', path: ({ requestId }) => `/journal?request=${requestId}` },
  { name: 'journal: of a day', path: ({ day }) => `/journal?from=${day}&to=${day}` },
  { name: 'journal: by staff', path: () => '/journal?kind=staff' },
  { name: 'events', path: () => '/events' },
  { name: 'event', path: ({ event }) => `/events/${event}` },
  { name: 'partner', path: ({ partner }) => `/partners/${partner}` },
  { name: 'webhooks', path: () => '/webhooks' },
]

const lettersOf = (number: number) =>
  String(Math.floor(number) % 1000)
    .padStart(3, '0')
    .replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)])
const surnameOf = (number: number) => `Family${lettersOf(number)}`
const phoneOf = (number: number) => encodeURIComponent(`+7701${String(number).padStart(8, '0')}`)

export interface PageFigure {
  name: string
  /** Medians. */
  smallMs: number
  largeMs: number
  ratio: number
}

/** Visits each page over HTTP by turns in both sites, as an administrator's browser that has the page's scripts already. */
export async function measurePages(small: FilledSite, large: FilledSite): Promise<PageFigure[]> {
  const visitors = [new Visitor(small), new Visitor(large)]
  for (const visitor of visitors) await visitor.arrive()
  const figures: PageFigure[] = []
  for (const page of PAGES) {
    const times: [number[], number[]] = [[], []]
    for (let turn = 0; turn < ROUNDS + WARM_UP; turn++)
      for (const [index, visitor] of visitors.entries()) {
        const ms = await visitor.visit(page, turn)
        if (turn >= WARM_UP) times[index].push(ms)
      }
    const [smallMs, largeMs] = times.map(median)
    figures.push({ name: page.name, smallMs, largeMs, ratio: largeMs / smallMs })
  }
  for (const visitor of visitors) visitor.leave()
  return figures
}

class Visitor {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #cookies = new Map<string, string>()
  readonly #site: FilledSite
  #orders: FilledOrder[] = []

  constructor(site: FilledSite) {
    this.#site = site
  }

  async arrive() {
    this.#orders = await sampleOf(this.#site)
    await this.#send('GET', '/sign-in')
    const { status, headers } = await this.#send('POST', '/sign-in', this.#site.administrator)
    if (status !== 302 || headers.location?.includes('sign-in'))
      throw new Error(`Signing in was answered ${status} ${headers.location}`)
  }

  /** Milliseconds until the whole answer is there. */
  async visit({ name, path }: VisitedPage, turn: number) {
    const began = performance.now()
    const { status } = await this.#send('GET', path(this.#orders[turn % SAMPLES]))
    if (status !== 200) throw new Error(`The page ${name} was answered ${status}`)
    return performance.now() - began
  }

  leave() {
    this.#agent.destroy()
  }

  async #send(method: string, path: string, body?: object) {
    const headers = {
      'Accept': 'text/html',
      'Content-Type': 'application/json',
      'Cookie': [...this.#cookies].map((pair) => pair.join('=')).join('; '),
      'X-XSRF-TOKEN': decodeURIComponent(this.#cookies.get('XSRF-TOKEN') ?? ''),
    }
    const { port } = this.#site
    const answer = await new Promise<{ status: number; headers: IncomingHttpHeaders }>(
      (resolve, reject) => {
        const options = { port, method, path: `/back-office${path}`, headers, agent: this.#agent }
        const asked = request(options, (response) => {
          response.resume()
          response.on('error', reject)
          response.on('end', () =>
            resolve({ status: response.statusCode!, headers: response.headers })
          )
        })
        asked.on('error', reject)
        asked.end(body && JSON.stringify(body))
      }
    )
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      this.#cookies.set(name, value)
    }
    return answer
  }
}

/** Orders that are there with all their parts, evenly over the months. */
async function sampleOf({ database, orders }: FilledSite): Promise<FilledOrder[]> {
  const whole = Math.floor(orders / WHOLE_ORDER_EVERY)
  const numbers = Array.from(
    { length: SAMPLES },
    (_, index) => WHOLE_ORDER_EVERY * (1 + Math.floor((index * whole) / SAMPLES))
  )
  const { rows } = await database.query<FilledOrder>(
    `SELECT k::int AS number, o.id, p.code AS partner, o.event_id AS event,
            to_char(o.created_at AT TIME ZONE '-05', 'YYYY-MM-DD') AS day,
            (SELECT request_id FROM journal j WHERE j.order_id = o.id AND j.name = 'order_placed') AS "requestId"
       FROM unnest($1::int[]) k JOIN orders o ON o.id = 'TIX-2025-' || lpad(k::text, 8, '0') JOIN partners p ON p.id = o.partner_id
      ORDER BY k`,
    [numbers]
  )
  return rows
}
