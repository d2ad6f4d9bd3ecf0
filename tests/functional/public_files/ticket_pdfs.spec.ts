import { readOrder } from '#back_office/orders/read_order'
import CancelEvent from '#sales/cancel_event/cancel_event'
import { TESTER, aSale, sell } from '#tests/support/fixtures'
import { aGate } from '#tests/functional/races/support/gates'
import { sleep, together } from '#tests/functional/races/support/crowd'
import { rows } from '#tests/functional/races/support/sql'
import { createCanvas } from '@napi-rs/canvas'
import { test } from '@japa/runner'
import jsqrModule from 'jsqr'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The package is the function itself, whatever its types say. */
const jsqr = jsqrModule as unknown as typeof jsqrModule.default

const byte = () => Math.floor(Math.random() * 256)

/** A buyer's browser at an address of its own: no key, no cookie. */
class Browser {
  #address = `172.${byte()}.${byte()}.${byte()}`

  open = (url: string, more: Record<string, string> = {}) =>
    fetch(url, { headers: { 'X-Forwarded-For': this.#address, ...more }, redirect: 'manual' })
}

async function aTicket() {
  const sale = await aSale()
  const order = await sell(sale.client, sale.event.id, ['seat-1-1'])
  return { ...sale, order, ticket: order.tickets[0], browser: new Browser() }
}

/** The words of the only page, and the text of its QR. */
async function read(response: Response) {
  const document = await getDocument({
    data: new Uint8Array(await response.arrayBuffer()),
    verbosity: 0,
  }).promise
  const page = await document.getPage(1)
  const content = await page.getTextContent()
  const text = content.items.map((item) => ('str' in item ? item.str : '')).join(' ')
  const viewport = page.getViewport({ scale: 2.5 })
  const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height))
  await page.render({ canvas: canvas as never, viewport }).promise
  const image = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  // Where there is none, jsQR may take three corners of text for one that holds nothing.
  const qr = jsqr(image.data, image.width, image.height)?.data || undefined
  await document.loadingTask.destroy()
  return { text, qr }
}

const moveEnd = (eventId: string, days: number) =>
  rows(
    `UPDATE events SET starts_at = now() - make_interval(days => $2) - interval '3 hours',
            ends_at = now() - make_interval(days => $2) WHERE id = $1`,
    [eventId, days]
  )

test.group('Ticket PDFs', () => {
  test('a PDF opens without a session and shows the ticket with its QR', async ({ assert }) => {
    const { ticket, browser } = await aTicket()

    const response = await browser.open(ticket.pdf_url)
    const { text, qr } = await read(response)

    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'application/pdf')
    assert.equal(
      response.headers.get('content-disposition'),
      `inline; filename="${ticket.number}.pdf"`
    )
    assert.match(response.headers.get('cache-control')!, /private/)
    assert.isNull(response.headers.get('set-cookie'))
    for (const name of ['limit', 'remaining', 'reset'])
      assert.match(response.headers.get(`x-ratelimit-${name}`)!, /^\d+$/)
    assert.include(text, ticket.number)
    assert.include(text, ticket.check_code)
    assert.equal(qr, ticket.qr_token)
  })

  test('openings are listed in the order, one a minute; refused links are not', async ({
    assert,
  }) => {
    const { order, ticket, browser } = await aTicket()
    const opened = () =>
      rows('SELECT minute FROM ticket_openings WHERE ticket_id = $1', [ticket.ticket_id])
    await browser.open(ticket.pdf_url.replace(/signature=.{4}/, 'signature=AAAA'))
    assert.deepEqual(await opened(), [])
    await together(5, () => browser.open(ticket.pdf_url))
    for (let first = await opened(); first.length === 0; first = await opened()) await sleep(20)
    await rows(
      `INSERT INTO ticket_openings (ticket_id, minute, opened_at)
       VALUES ($1, now() - interval '1 hour', now() - interval '1 hour')`,
      [ticket.ticket_id]
    )
    const found = await opened()
    assert.isAtLeast(found.length, 2)
    // The five may have met the turn of a minute.
    assert.isAtMost(found.length, 3)
    const page = await readOrder(order.order_id)
    const openings = page!.timeline.filter(({ kind }) => kind === 'pdf')
    assert.lengthOf(openings, found.length)
    assert.deepEqual(openings[0].detail, { ticket: ticket.number })
  })

  test('a client with the current version is answered 304 until the ticket changes', async ({
    assert,
  }) => {
    const { event, ticket, browser } = await aTicket()
    const first = await browser.open(ticket.pdf_url)
    const etag = first.headers.get('etag')!
    await first.arrayBuffer()

    const second = await browser.open(ticket.pdf_url, { 'If-None-Match': `"old", W/${etag}` })
    assert.equal(second.status, 304)
    assert.equal(await second.text(), '')
    assert.equal(second.headers.get('etag'), etag)
    assert.match(second.headers.get('cache-control')!, /private/)

    await new CancelEvent().handle({ eventId: event.id, reason: 'No light', actor: TESTER })
    const third = await browser.open(ticket.pdf_url, { 'If-None-Match': etag })
    assert.equal(third.status, 200)
    assert.notEqual(third.headers.get('etag'), etag)
    const { qr } = await read(third)
    assert.isUndefined(qr)
  })

  test('a byte range is served', async ({ assert }) => {
    const { ticket, browser } = await aTicket()
    const whole = await browser.open(ticket.pdf_url)
    const etag = whole.headers.get('etag')!
    const bytes = Buffer.from(await whole.arrayBuffer())
    assert.equal(whole.headers.get('accept-ranges'), 'bytes')

    const part = await browser.open(ticket.pdf_url, { 'Range': 'bytes=100-199', 'If-Range': etag })
    assert.equal(part.status, 206)
    assert.equal(part.headers.get('content-range'), `bytes 100-199/${bytes.length}`)
    assert.equal(part.headers.get('content-length'), '100')
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(100, 200))

    const beyond = await browser.open(ticket.pdf_url, { Range: `bytes=${bytes.length}-` })
    assert.equal(beyond.status, 416)
    assert.equal(beyond.headers.get('content-range'), `bytes */${bytes.length}`)

    const ofAnotherVersion = { 'Range': 'bytes=0-9', 'If-Range': '"another"' }
    const again = await browser.open(ticket.pdf_url, ofAnotherVersion)
    assert.equal(again.status, 200)
  })

  test('the link is the same on every read of the order', async ({ assert }) => {
    const { client, order, ticket } = await aTicket()
    const { data } = await client.get(`/orders?partner_order_id=${order.partner_order_id}`)
    assert.equal(data.tickets[0].pdf_url, ticket.pdf_url)
  })

  test('the link stays valid when the event is moved', async ({ assert }) => {
    const { client, event, order, ticket, browser } = await aTicket()
    await rows(
      `UPDATE events SET starts_at = starts_at + interval '9 days', ends_at = ends_at + interval '9 days' WHERE id = $1`,
      [event.id]
    )
    const { data } = await client.get(`/orders?partner_order_id=${order.partner_order_id}`)
    assert.equal(data.tickets[0].pdf_url, ticket.pdf_url)
    const response = await browser.open(ticket.pdf_url)
    assert.equal(response.status, 200)
  })

  test('has the same bytes on every read', async ({ assert }) => {
    const { ticket, browser } = await aTicket()
    const [one, two] = await together(2, async () => {
      const response = await browser.open(ticket.pdf_url)
      return Buffer.from(await response.arrayBuffer())
    })
    assert.isTrue(one.equals(two))
  })

  test('a refunded ticket is shown as void, without a QR', async ({ assert }) => {
    const { client, order, ticket, browser } = await aTicket()
    const body = { ticket_ids: [ticket.ticket_id], reason: 'ill' }
    await client.post(`/orders/${order.order_id}/refund`, body)

    const { text, qr } = await read(await browser.open(ticket.pdf_url))

    assert.include(text, 'АННУЛИРОВАН')
    assert.include(text, ticket.number)
    assert.notInclude(text, ticket.check_code)
    assert.isUndefined(qr)
  })

  test('a ticket of a cancelled event is shown as void, too', async ({ assert }) => {
    const { event, ticket, browser } = await aTicket()
    await new CancelEvent().handle({ eventId: event.id, reason: 'Отмена', actor: TESTER })
    const { text, qr } = await read(await browser.open(ticket.pdf_url))
    assert.include(text, 'АННУЛИРОВАН')
    assert.isUndefined(qr)
  })

  test('a used ticket is marked as used', async ({ assert }) => {
    const { event, ticket, browser } = await aTicket()
    const gate = await aGate()
    await gate.scan(event.id, ticket.qr_token)
    const { text } = await read(await browser.open(ticket.pdf_url))
    assert.include(text, 'ИСПОЛЬЗОВАН')
  })

  test('contains nothing about the buyer', async ({ assert }) => {
    const { ticket, browser } = await aTicket()
    const { text } = await read(await browser.open(ticket.pdf_url))
    assert.notInclude(text, 'buyer@example.kz')
  })

  test('opens 29 days after the end and is gone after 31', async ({ assert }) => {
    const { event, ticket, browser } = await aTicket()
    await moveEnd(event.id, 29)
    const open = await browser.open(ticket.pdf_url)
    assert.equal(open.status, 200)

    await moveEnd(event.id, 31)
    const gone = await browser.open(ticket.pdf_url)
    const page = await gone.text()

    assert.equal(gone.status, 410)
    assert.match(gone.headers.get('content-type')!, /^text\/html/)
    assert.include(page, 'Ссылка больше не действует')
    assert.include(page, 'This link has expired')
  })

  test('an altered or incomplete link is not found', async ({ assert }) => {
    const [{ ticket, browser }, other] = await Promise.all([aTicket(), aTicket()])
    const url = new URL(ticket.pdf_url)
    const signature = url.searchParams.get('signature')!
    const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
    const wrong = [
      url.origin + url.pathname,
      `${url.origin}${url.pathname}?signature=`,
      `${url.origin}${url.pathname}?signature=${flipped}`,
      `${url.origin}${url.pathname}?signature=${signature.slice(0, -1)}`,
      `${url.origin}${url.pathname}?signature=${signature}A`,
      `${url.origin}${url.pathname}?signature=${signature}&signature=${signature}`,
      `${url.origin}${url.pathname}?signature[]=${signature}`,
      other.ticket.pdf_url.replace(/signature=.*/, `signature=${signature}`),
      `${url.origin}/tickets/tkt_${'0'.repeat(26)}.pdf?signature=${signature}`,
      `${url.origin}/tickets/..%2f..%2fetc%2fpasswd?signature=${signature}`,
      `${url.origin}/tickets/${ticket.number}.pdf?signature=${signature}`,
    ]
    for (const link of wrong) {
      const response = await browser.open(link)
      const page = await response.text()
      assert.equal(response.status, 404, link)
      assert.include(page, 'Билет не найден')
      assert.match(response.headers.get('content-security-policy')!, /default-src 'none'/)
    }
  })

  test('one address may open 60 a minute, then 429 with Retry-After; others are not affected', async ({
    assert,
  }) => {
    const { ticket, browser } = await aTicket()
    const url = `${new URL(ticket.pdf_url).origin}/tickets/x.pdf`

    const answers = await together(70, () => browser.open(url))
    const refused = answers.filter(({ status }) => status === 429)
    const neighbour = await new Browser().open(ticket.pdf_url)

    assert.lengthOf(refused, 10)
    for (const { headers } of refused) assert.match(headers.get('retry-after')!, /^[1-9]\d?$/)
    assert.equal(neighbour.status, 200)
    assert.equal(neighbour.headers.get('x-ratelimit-remaining'), '59')
  })
})
