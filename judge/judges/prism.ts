import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Checks } from '../checks.ts'
import { PREFIX } from '../client.ts'
import { startTool } from '../tools.ts'
import type { Judge, Product } from '../types.ts'

const READY = /Prism is listening/
const START_LIMIT_MS = 30_000

const prism: Judge = {
  name: 'prism',
  about:
    'puts Prism between a client and the API: each request and each answer must be as described',
  needs: 'product',
  async run(product) {
    const checks = new Checks()
    const port = await freePort()
    const proxy = await startProxy(product, port)
    try {
      await sell(new ProxiedClient(product, port, checks), product, checks)
    } catch (error) {
      // The earlier failures say more.
      checks.expect(false, 'The sale goes on to its end', (error as Error).stack)
    } finally {
      proxy.kill()
    }
    return checks.verdict
  },
}

async function startProxy(
  { descriptionFile, apiUrl, scratchDirectory: cwd }: Product,
  port: number
) {
  const proxy = startTool(
    '.bin/prism',
    ['proxy', descriptionFile, apiUrl, '--port', String(port), '--errors'],
    { cwd }
  )
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let output = ''
  const onOutput = (chunk: Buffer) => {
    output += chunk.toString()
    if (READY.test(output)) resolve()
  }
  proxy.stdout.on('data', onOutput)
  proxy.stderr.on('data', onOutput)
  proxy.once('exit', () => reject(new Error(`Prism has ended: ${output}`)))
  const limit = setTimeout(
    () => reject(new Error(`Prism does not listen: ${output}`)),
    START_LIMIT_MS
  )
  await promise.finally(() => clearTimeout(limit))
  return proxy
}

interface Proxied {
  status: number
  json: any
}

/** Sends requests through Prism that are signed for the API itself. */
class ProxiedClient {
  readonly #product: Product
  readonly #base: string
  readonly #checks: Checks

  constructor(product: Product, port: number, checks: Checks) {
    this.#product = product
    this.#base = `http://127.0.0.1:${port}`
    this.#checks = checks
  }

  get(path: string, code = 'bulk') {
    return this.#judged('GET', path, '', code)
  }

  post(path: string, body?: unknown, code = 'bulk') {
    return this.#judged('POST', path, body === undefined ? '' : JSON.stringify(body), code)
  }

  async #judged(method: string, path: string, body: string, code: string): Promise<Proxied> {
    const { status, json, violations, byPrism } = await this.send(method, path, body, code)
    const isClean = !byPrism && violations === null
    this.#checks.expect(
      isClean,
      `${method} ${path} and its answer ${status} are as described`,
      violations ?? json
    )
    return { status, json }
  }

  async send(method: string, path: string, body: string, code = 'bulk') {
    const partner = this.#product.partners[code]
    const signed = this.#product.sign(partner, { method, uri: PREFIX + path, body })
    const type = body === '' ? {} : { 'Content-Type': 'application/json' }
    const response = await fetch(this.#base + path, {
      method,
      headers: { ...signed, ...type },
      body: body === '' ? undefined : body,
    })
    const json = (await response.json()) as any
    const byPrism = String(json.type ?? '').includes('stoplight.io/prism')
    return {
      status: response.status,
      json,
      violations: response.headers.get('sl-violations'),
      byPrism,
    }
  }
}

async function sell(client: ProxiedClient, { events }: Product, checks: Checks) {
  const answers = async (answer: Promise<Proxied>, status: number, what: string) => {
    const { status: received, json } = await answer
    checks.expect(received === status, `Through Prism ${what} answers ${status}`, json)
    return json
  }

  const page = await answers(client.get('/events?limit=10'), 200, 'the list of events')
  await answers(client.get(`/events?updated_since=${page.meta.cursor}`), 200, 'the feed')
  for (const purpose of ['arena', 'cancelled', 'scheduled'])
    await answers(client.get(`/events/${events[purpose]}`), 200, `the event ${purpose}`)
  await answers(client.get(`/events/${events.arena}/jwks.json`), 200, 'the set of keys')
  const sectors = await answers(client.get(`/events/${events.arena}/seats`), 200, 'the sectors')
  const [{ sector_id: sector }] = sectors.data
  const inSector = await answers(
    client.get(`/events/${events.arena}/seats?sector=${sector}`),
    200,
    'the seats'
  )
  await answers(
    client.get(`/events/${events.arena}/seats?sector=${sector}&category=fan`),
    200,
    'a category'
  )
  const free = (inSector.data as any[])
    .filter((seat) => seat.is_sellable)
    .map((seat) => seat.space_id)

  const booking = bookingOf(events.arena, free.slice(0, 2))
  const held = await answers(client.post('/bookings', booking), 201, 'a booking')
  await answers(client.post('/bookings', booking), 200, 'its repeat')
  await answers(
    client.post('/bookings', { ...booking, seats: [free[3]] }),
    409,
    'another body under its key'
  )
  await answers(
    client.post('/bookings', bookingOf(events.arena, free.slice(1, 3))),
    409,
    'a booking of a taken seat'
  )
  await answers(
    client.post('/bookings', bookingOf(events.arena, ['seat-none'])),
    422,
    'a booking of an unknown seat'
  )
  await answers(
    client.post('/bookings', bookingOf(events.paused, ['seat-1-1'])),
    409,
    'a booking in a pause'
  )
  await answers(
    client.post('/bookings', bookingOf(events.ungranted, ['seat-1-1'])),
    403,
    'a booking without a grant'
  )

  const order = orderOf(held.data.booking_id)
  const placed = await answers(client.post('/orders', order), 201, 'an order')
  await answers(client.post('/orders', order), 200, 'its repeat')
  await answers(
    client.get(`/orders?partner_order_id=${order.partner_order_id}`),
    200,
    'the pending order'
  )
  const { order_id: id, total_tenge: total } = placed.data
  await answers(client.post(`/orders/${id}/confirm`, paymentOf(total - 1)), 422, 'a wrong amount')
  const paid = await answers(
    client.post(`/orders/${id}/confirm`, paymentOf(total)),
    200,
    'a confirm'
  )
  await answers(client.post(`/orders/${id}/cancel`), 409, 'a cancel of a paid order')
  await answers(
    client.get(`/orders?partner_order_id=${order.partner_order_id}`),
    200,
    'the paid order'
  )
  const [first] = paid.data.tickets
  const refund = { ticket_ids: [first.ticket_id], reason: 'Судья' }
  await answers(client.post(`/orders/${id}/refund`, refund), 200, 'a refund')
  await answers(
    client.post(`/orders/${id}/refund`, { ...refund, reason: 'Another' }),
    409,
    'a refund of a void ticket'
  )

  const second = await answers(
    client.post('/bookings', bookingOf(events.arena, free.slice(4, 5))),
    201,
    'a booking'
  )
  const other = await answers(
    client.post('/orders', orderOf(second.data.booking_id)),
    201,
    'an order'
  )
  await answers(client.post(`/orders/${other.data.order_id}/cancel`), 200, 'a cancel')
  await answers(
    client.post(`/orders/${other.data.order_id}/confirm`, paymentOf(1)),
    409,
    'a confirm of it'
  )
  await answers(client.post('/orders/TIX-2020-999999/cancel'), 404, 'an order that does not exist')
  await answers(client.get('/events', 'suspended'), 403, 'a suspended partner')

  const refused = await client.send('POST', '/bookings', JSON.stringify({ ...booking, seats: 7 }))
  checks.expect(
    refused.byPrism,
    'Prism itself refuses a body that is not as described',
    refused.json
  )
}

const bookingOf = (eventId: string, seats: string[]) => ({
  event_id: eventId,
  partner_booking_id: randomUUID(),
  seats,
  customer: { name: 'Әсел', email: 'guest@example.kz' },
})

const orderOf = (bookingId: string) => ({
  booking_id: bookingId,
  partner_order_id: randomUUID(),
  customer: { email: 'guest@example.kz' },
  consent: true,
})

const paymentOf = (amount: number) => ({
  payment_info: {
    amount_tenge: amount,
    paid_at: new Date().toISOString(),
    external_payment_id: randomUUID(),
    currency: 'KZT',
  },
})

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

export default prism
