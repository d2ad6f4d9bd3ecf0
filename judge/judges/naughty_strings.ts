import { randomUUID } from 'node:crypto'
import { Checks } from '../checks.ts'
import { Client, envelopeFault, inParallel, PREFIX, randomAddress, type Answer } from '../client.ts'
import { naughtyStrings } from '../naughty.ts'
import { Office } from '../office.ts'
import { Shop } from '../shop.ts'
import type { Judge, Product } from '../types.ts'
import { talk } from '../wire.ts'

/** What the product reads of a form without sign-in, encoded. */
const SIGN_IN_LIMIT_BYTES = 8 * 1024

const AT_ONCE = 8
/** Few, because each sign-in hashes a password. */
const EVERY_NTH_PASSWORD = 10

const naughty: Judge = {
  name: 'naughty_strings',
  about: 'the Big List of Naughty Strings through every text field of every operation',
  needs: 'product',
  async run(product) {
    const trial = new Trial(product)
    const shop = trial.shop
    await trial.bookings()
    await trial.orders()
    await trial.confirmsAndRefunds()
    await trial.queriesAndPaths()
    await trial.headers()
    await trial.gate()
    await trial.signIn()
    shop.close()
    return trial.checks.verdict
  },
}

type Body = Record<string, unknown>

class Trial {
  readonly checks = new Checks()
  readonly shop: Shop
  readonly #product: Product
  /** Made by one step, used by the next. */
  readonly #bookings: string[] = []
  readonly #orders: { id: string; totalTenge: number }[] = []

  constructor(product: Product) {
    this.#product = product
    this.shop = new Shop(product)
  }

  async bookings() {
    await this.#each(async (text) => {
      const { shop } = this
      const plain = await shop.bookingBody()
      const fresh = async () => ({ ...(await shop.bookingBody()), customer: {} })
      const email = 'guest@example.kz'
      const bodies: [field: string, body: Body][] = [
        ['partner_booking_id', { ...plain, partner_booking_id: text }],
        ['customer.name', { ...(await fresh()), customer: { name: text } }],
        ['customer.email', { ...(await fresh()), customer: { email: text } }],
        ['customer.phone', { ...(await fresh()), customer: { email, phone: text } }],
      ]
      for (const [field, body] of bodies) {
        const data = await this.#create('/bookings', field, body, text)
        if (data) this.#bookings.push(String(data.booking_id))
      }
      const event = await shop.post('/bookings', { ...plain, event_id: text })
      this.#refused('event_id of a booking', text, event, [404, 422])
      const seat = await shop.post('/bookings', {
        ...plain,
        partner_booking_id: randomUUID(),
        seats: [text],
      })
      this.#refused('seats of a booking', text, seat, [422])
      if (seat.json?.error?.code === 'SEATS_UNKNOWN') {
        const named = seat.json.error.details.seats
        this.#expect(named.length === 1 && named[0] === text, 'details.seats', text, seat)
      }
    })
  }

  async orders() {
    await this.#each(async (text) => {
      const { shop } = this
      const email = 'guest@example.kz'
      const bodyFor = async (more: Body) => ({
        ...shop.orderBody(await this.#takeBooking()),
        ...more,
      })
      const bodies: [field: string, body: Body][] = [
        ['partner_order_id', await bodyFor({ partner_order_id: text })],
        ['customer.name', await bodyFor({ customer: { email, name: text } })],
        ['customer.email', await bodyFor({ customer: { email: text } })],
        ['customer.phone', await bodyFor({ customer: { email, phone: text } })],
      ]
      for (const [field, body] of bodies) {
        const data = await this.#create('/orders', field, body, text)
        if (!data) {
          this.#bookings.push(String(body.booking_id))
          continue
        }
        this.#orders.push({ id: String(data.order_id), totalTenge: Number(data.total_tenge) })
        if (field === 'partner_order_id') await this.#readBack(text, data)
      }
      const booking = await shop.post('/orders', { ...shop.orderBody(text) })
      this.#refused('booking_id of an order', text, booking, [409, 422])
      const consent = await shop.post('/orders', { ...shop.orderBody('bkg_x'), consent: text })
      this.#refused('consent of an order', text, consent, [422])
    })
  }

  async confirmsAndRefunds() {
    await this.#each(async (text) => {
      const order = await this.#takeOrder()
      const path = `/orders/${order.id}`
      const { payment_info: info } = this.shop.confirmBody(order.totalTenge)
      const confirm = (more: Body) =>
        this.shop.post(`${path}/confirm`, { payment_info: { ...info, ...more } })
      for (const field of ['paid_at', 'currency', 'amount_tenge']) {
        this.#refused(`payment_info.${field}`, text, await confirm({ [field]: text }), [422])
      }
      const wholeInfo = await this.shop.post(`${path}/confirm`, { payment_info: text })
      this.#refused('payment_info', text, wholeInfo, [422])

      const attempts: Body[] = [
        { external_payment_id: text, method: text },
        { external_payment_id: text },
        { method: text },
        {},
      ]
      for (const more of attempts) {
        const answer = await confirm(more)
        if (answer.status !== 200) {
          this.#refused(`payment_info.${Object.keys(more).join(', ')}`, text, answer, [422])
          continue
        }
        const stored = answer.json.data.payment_info
        const isKept = Object.keys(more).every((field) => stored[field] === text)
        this.#expect(isKept, 'payment_info is kept as sent', text, answer)
        const again = await confirm(more)
        const isSame = again.status === 200 && sameData(again, answer)
        this.#expect(isSame, 'A confirm repeated is answered the same', text, again)
        await this.#refund(path, answer.json.data.tickets[0].ticket_id, text)
        return
      }
      this.#expect(false, 'A confirm that is right is accepted after wrong ones', text)
    })
  }

  async #refund(path: string, ticketId: string, text: string) {
    const refund = (ticket: string, reason: string) =>
      this.shop.post(`${path}/refund`, { ticket_ids: [ticket], reason })
    this.#refused('ticket_ids of a refund', text, await refund(text, 'why'), [409, 422])
    const first = await refund(ticketId, text)
    if (first.status !== 200) return this.#refused('reason of a refund', text, first, [422])
    const again = await refund(ticketId, text)
    const isSame = again.status === 200 && sameData(again, first)
    this.#expect(isSame, 'A refund repeated is answered the same', text, again)
    const other = await refund(ticketId, `${text.slice(0, 400)} other`)
    this.#expect(other.status === 409, 'A refund for another reason is 409', text, other)
  }

  async queriesAndPaths() {
    const { open } = this.#product.events
    const queries = [
      ...['updated_since', 'date_from', 'date_to', 'venue_id', 'event_type', 'limit', 'offset'].map(
        (name) => `/events?${name}=`
      ),
      `/events/${open}/seats?sector=`,
      `/events/${open}/seats?category=`,
      '/orders?partner_order_id=',
    ]
    const paths: [method: 'get' | 'post', before: string, after: string][] = [
      ['get', '/events/', ''],
      ['get', '/events/', '/seats'],
      ['get', '/events/', '/jwks.json'],
      ['post', '/orders/', '/confirm'],
      ['post', '/orders/', '/cancel'],
      ['post', '/orders/', '/refund'],
    ]
    await this.#each(async (text) => {
      const encoded = encode(text)
      for (const query of queries) {
        const answer = await this.shop.get(query + encoded)
        this.#answered(query, text, answer, [200, 404, 422])
      }
      for (const [method, before, after] of paths) {
        const path = before + encoded + after
        const body =
          after === '/refund' ? { ticket_ids: ['tkt_x'], reason: 'why' } : this.shop.confirmBody(1)
        const answer =
          method === 'get' ? await this.shop.get(path) : await this.shop.post(path, body)
        // An empty string, or one of dots and slashes, results in another path.
        const what = `${method} ${before}{text}${after}`
        this.#answered(what, text, answer, [200, 401, 404, 405, 422])
      }
    })
  }

  async headers() {
    const { port, partners, sign } = this.#product
    const uri = `${PREFIX}/events`
    const confirmUri = `${PREFIX}/orders/TIX-2026-000001/confirm`
    const body = JSON.stringify(this.shop.confirmBody(1))
    await this.#each(async (text) => {
      const value = headerValue(text)
      const signed = sign(partners.bulk, { method: 'GET', uri })
      const send = async (
        method: string,
        target: string,
        headers: Record<string, string | Buffer>,
        sent = ''
      ) => {
        const { answers } = await talk(
          { port, until: 1 },
          requestBytes(method, target, headers, sent)
        )
        return answers[0]
      }
      const requestId = await send('GET', uri, { ...signed, 'X-Request-Id': value })
      this.#wire('X-Request-Id', text, requestId, [200])
      const key = await send('GET', uri, { ...signed, 'X-Api-Key': value })
      this.#wire('X-Api-Key', text, key, [401])
      const signature = await send('GET', uri, { ...signed, 'X-Signature': value })
      this.#wire('X-Signature', text, signature, [401])
      // On a confirm, because confirms are recorded as sent.
      const confirm = sign(partners.bulk, {
        method: 'POST',
        uri: confirmUri,
        body,
        timestamp: text,
      })
      const type = { 'Content-Type': 'application/json' }
      const stamped = { ...confirm, ...type, 'X-Timestamp': value }
      this.#wire('X-Timestamp', text, await send('POST', confirmUri, stamped, body), [401])
      const typed = {
        ...sign(partners.bulk, { method: 'POST', uri: confirmUri, body }),
        'Content-Type': value,
      }
      this.#wire('Content-Type', text, await send('POST', confirmUri, typed, body), [404, 415])
    })
  }

  async gate() {
    const { port, gateKey, events } = this.#product
    const client = new Client(this.#product)
    const scan = (body: unknown) =>
      client.send({
        method: 'POST',
        uri: '/api/v1/gate/scans',
        body: JSON.stringify(body),
        headers: { 'X-Gate-Key': gateKey, 'Content-Type': 'application/json' },
      })
    await this.#each(async (text) => {
      client.address = randomAddress()
      const token = await scan({ event_id: events.arena, qr_token: text })
      this.#refused('qr_token of a scan', text, token, [409, 422])
      const event = await scan({ event_id: text, qr_token: 'a.b.c' })
      this.#refused('event_id of a scan', text, event, [409, 422])
      const headers = { 'X-Gate-Key': headerValue(text), 'Content-Type': 'application/json' }
      const { answers } = await talk(
        { port, until: 1 },
        requestBytes('POST', '/api/v1/gate/scans', headers, '{}')
      )
      this.#wire('X-Gate-Key', text, answers[0], [401])
    })
    client.close()
  }

  async signIn() {
    const office = new Office(this.#product)
    await office.get('/back-office/sign-in')
    let n = 0
    await inParallel(naughtyStrings, 1, async (text) => {
      office.moveElsewhere()
      const hashed = n++ % EVERY_NTH_PASSWORD === 0
      const email = hashed ? `nobody-${n}@example.kz` : text
      const form = { email, password: text }
      const answer = await office.postForm('/back-office/sign-in', form)
      const isTooLong = new URLSearchParams(form).toString().length > SIGN_IN_LIMIT_BYTES
      const [status, rule] = isTooLong
        ? [413, 'A sign-in form above its limit is refused as too long']
        : [302, 'The sign-in form leads back']
      this.#expect(answer.status === status, rule, text, answer)
      const page = await office.get('/back-office/sign-in')
      this.#expect(page.status === 200, 'The sign-in page shows what was wrong', text, page)
    })
    office.close()
  }

  /** Created with the text as sent, and identical when repeated; or refused with the name of the field. */
  async #create(path: string, field: string, body: Body, text: string) {
    const answer = await this.shop.post(path, body)
    if (answer.status !== 201) {
      this.#refused(`${field} in POST ${path}`, text, answer, [422])
      const named = (answer.json?.error?.details?.fields ?? []) as { field: string }[]
      const isNamed = named.some((problem) => problem.field === field)
      this.#expect(isNamed, `details.fields names ${field}`, text, answer)
      return undefined
    }
    const { data } = answer.json
    const isKept = valueAt(data, field) === text
    this.#expect(isKept, `${field} in POST ${path} comes back as sent`, text, answer)
    const again = await this.shop.post(path, body)
    const isSame = again.status === 200 && sameData(again, answer)
    this.#expect(
      isSame,
      `POST ${path} with this ${field} repeated is 200 with the same`,
      text,
      again
    )
    return data as Body
  }

  async #readBack(key: string, order: Body) {
    const answer = await this.shop.get(`/orders?partner_order_id=${encode(key)}`)
    const isFound = answer.json?.data?.order_id === order.order_id
    this.#expect(isFound, 'GET /orders finds the order by its key', key, answer)
  }

  async #takeBooking(): Promise<string> {
    const kept = this.#bookings.pop()
    if (kept) return kept
    const { booking_id: id } = await this.shop.book()
    return String(id)
  }

  async #takeOrder() {
    const kept = this.#orders.pop()
    if (kept) return kept
    const { order_id: id, total_tenge: totalTenge } = await this.shop.order()
    return { id: String(id), totalTenge: Number(totalTenge) }
  }

  #each(work: (text: string) => Promise<void>) {
    return inParallel(naughtyStrings, AT_ONCE, async (text) => {
      // Public reads are limited by address.
      this.shop.client.address = randomAddress()
      await work(text)
    })
  }

  /** Expects one of these statuses, and the error envelope in refusals. */
  #answered(what: string, text: string, answer: Answer, statuses: number[]) {
    const fault = answer.status >= 400 ? envelopeFault(answer) : undefined
    const isRight = statuses.includes(answer.status) && !fault
    this.#expect(
      isRight,
      `${what} is ${statuses.join(' or ')}${fault ? `: ${fault}` : ''}`,
      text,
      answer
    )
  }

  #refused(what: string, text: string, answer: Answer, statuses: number[]) {
    this.#answered(what, text, answer, statuses)
  }

  /** Characters that are invalid in headers get 400 from the parser; all others reach the application. */
  #wire(
    header: string,
    text: string,
    answer: { status: number; headers: Map<string, string[]>; text: string } | undefined,
    statuses: number[]
  ) {
    const expected = isUnsendable(headerValue(text))
      ? [400]
      : text.length > 10_000
        ? [431]
        : statuses
    const requestId = answer?.headers.get('x-request-id')?.[0] ?? ''
    const isRight =
      expected.includes(answer?.status ?? 0) && (expected[0] === 400 || UUID.test(requestId))
    const detail = `${answer?.status} ${answer?.text}`
    this.checks.expect(isRight, `${header}: ${show(text)} is ${expected.join(' or ')}`, detail)
  }

  #expect(holds: boolean, sentence: string, text: string, answer?: Answer) {
    const detail = answer && `${answer.status} ${answer.text}`
    this.checks.expect(holds, `${sentence}, with ${show(text)}`, detail)
  }
}

const UUID = /^[0-9a-f-]{36}$/i
/** Control characters, which no header may carry; a tab may be. */
const isUnsendable = (text: string) =>
  [...text].some((letter) => letter !== '\t' && (letter < ' ' || letter === '\x7f'))

const show = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
const sameData = (one: Answer, other: Answer) =>
  JSON.stringify(one.json?.data) === JSON.stringify(other.json?.data)

const valueAt = (data: unknown, path: string) =>
  path.split('.').reduce((value: any, name) => value?.[name], data)

/** Percent-encoded as UTF-8; half of a surrogate pair as what UTF-8 makes of it. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed())

/** UTF-8 on the wire; the line break that would end the header is left out. */
const headerValue = (text: string) => text.replaceAll(/[\r\n]/g, '')

function requestBytes(
  method: string,
  target: string,
  headers: Record<string, string | Buffer>,
  body: string
) {
  const lines = Object.entries({
    'Host': '127.0.0.1',
    'X-Forwarded-For': randomAddress(),
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

export default naughty
