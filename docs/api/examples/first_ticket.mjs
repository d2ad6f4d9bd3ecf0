// Sells two tickets of one event. Node.js 20 or newer, nothing to install.
//
//   PARTNER_BASE_URL=… PARTNER_API_KEY=… PARTNER_SECRET=… node first_ticket.mjs
//   node first_ticket.mjs --check-vector
import { createHmac, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** The lower-case hex HMAC-SHA256 of timestamp, method, uri and body joined by line feeds. */
function sign(secret, timestamp, method, uri, body) {
  return createHmac('sha256', secret)
    .update(`${timestamp}\n${method}\n${uri}\n`)
    .update(body)
    .digest('hex')
}

if (process.argv[2] === '--check-vector') {
  const secret = 'sk_sandbox_check_vector_0123456789abcdef'
  const body =
    '{"event_id":"evt_check_vector","partner_booking_id":"check/2026/0001","seats":["seat-a-1","seat-a-2"],"customer":{"name":"Айгүл Нұрланқызы","email":"aigul+tickets@example.com","phone":"+77010000001"}}'
  const booking = sign(secret, '1789000000', 'POST', '/api/v1/partners/bookings', body)
  const events = sign(secret, '1789000060', 'GET', '/api/v1/partners/events?offset=0&limit=10', '')
  console.log(`create_booking ${booking}`)
  console.log(`list_events ${events}`)
  process.exit()
}

class ApiError extends Error {
  constructor(call, status, requestId, error) {
    super(
      `${call}: HTTP ${status} ${error?.code ?? 'without a code'} (X-Request-Id ${requestId}) ` +
        `${error?.message ?? ''} ${JSON.stringify(error?.details ?? {})}`
    )
    this.code = error?.code
    this.details = error?.details ?? {}
  }
}

function required(name) {
  if (process.env[name]) return process.env[name]
  console.error(`FAILED: set ${name}`)
  process.exit(2)
}

const baseUrl = required('PARTNER_BASE_URL').replace(/\/$/, '')
const apiKey = required('PARTNER_API_KEY')
const secret = required('PARTNER_SECRET')

/**
 * Signs and sends one call and returns the parsed answer.
 * Repeats it, signed afresh, when the answer is lost, 408, 429 or 5xx: every call is idempotent.
 */
async function call(method, path, payload) {
  const url = new URL(baseUrl + path)
  const uri = url.pathname + url.search
  // Serialised once: these very bytes are signed and sent.
  const body = Buffer.from(payload === undefined ? '' : JSON.stringify(payload))

  for (let attempt = 1; ; attempt++) {
    const timestamp = String(Math.floor(Date.now() / 1000))
    let requestId = randomUUID()
    let pause = 2 ** (attempt - 1)
    let failure
    try {
      const response = await fetch(url, {
        method,
        headers: {
          'X-Api-Key': apiKey,
          'X-Timestamp': timestamp,
          'X-Signature': sign(secret, timestamp, method, uri, body),
          'X-Request-Id': requestId,
          ...(method === 'POST' && { 'Content-Type': 'application/json' }),
        },
        body: method === 'POST' ? body : undefined,
        redirect: 'manual',
        signal: AbortSignal.timeout(10_000),
      })
      const answer = parseJson(await response.text())
      if (response.ok && answer) return answer

      requestId = response.headers.get('X-Request-Id') ?? requestId
      pause = Number(response.headers.get('Retry-After')) || pause
      failure = new ApiError(`${method} ${uri}`, response.status, requestId, answer?.error)
      const isWorthARepeat = [408, 429].includes(response.status) || response.status >= 500
      if (response.status >= 300 && !isWorthARepeat) throw failure
    } catch (error) {
      if (error instanceof ApiError) throw error
      const reason = error.cause?.message ?? error.message
      failure = new Error(`${method} ${uri}: no answer (X-Request-Id ${requestId}): ${reason}`)
    }
    if (attempt === 4) throw failure
    console.error(`   ${failure.message}; again in ${pause} s`)
    await sleep(pause * 1000)
  }
}

/** A proxy in front of the service may answer without JSON: then only the HTTP status counts. */
function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Your acquirer goes here. CHARGE=decline plays a refused card. */
async function charge(_totalTenge) {
  if (process.env.CHARGE === 'decline') return undefined
  return {
    external_payment_id: randomUUID(),
    paid_at: new Date().toISOString().replace('Z', '+00:00'),
  }
}

/**
 * Holds two seats. Reads are advice; only a booking guarantees, so a lost race is no error:
 * take other seats under a new partner_booking_id.
 */
async function bookTwoSeats(eventId) {
  const sectors = (await call('GET', `/events/${eventId}/seats`)).data
  console.log(`2. Sectors: ${sectors.length}`)

  for (const sector of sectors.filter((each) => each.free_seats >= 2)) {
    const query = `sector=${encodeURIComponent(sector.sector_id)}`
    const seats = (await call('GET', `/events/${eventId}/seats?${query}`)).data
    let candidates = seats.filter((seat) => seat.is_sellable).map((seat) => seat.space_id)
    console.log(`   Sector ${sector.sector_id}: ${candidates.length} seats to sell`)

    for (let attempt = 1; attempt <= 5 && candidates.length >= 2; attempt++) {
      const partnerBookingId = randomUUID() // store it before the call
      try {
        const booking = await call('POST', '/bookings', {
          event_id: eventId,
          partner_booking_id: partnerBookingId,
          seats: candidates.slice(0, 2),
        })
        return booking.data
      } catch (error) {
        if (error.code !== 'SEATS_NOT_AVAILABLE') throw error
        const taken = error.details.seats
        console.log(`   Taken meanwhile: ${taken.join(', ')}; trying others`)
        candidates = candidates.filter((seat) => !taken.includes(seat))
      }
    }
  }
  throw new Error('no two seats are left')
}

async function confirm(order, partnerOrderId, payment) {
  try {
    const answer = await call('POST', `/orders/${order.order_id}/confirm`, {
      payment_info: {
        amount_tenge: order.total_tenge,
        paid_at: payment.paid_at,
        external_payment_id: payment.external_payment_id,
        currency: 'KZT',
        method: 'card',
      },
    })
    return answer.data
  } catch (error) {
    if (['ORDER_EXPIRED', 'ORDER_CANCELLED', 'EVENT_CANCELLED'].includes(error.code)) {
      console.error('RETURN THE MONEY: there will be no tickets')
    } else {
      const read = `GET /orders?partner_order_id=${partnerOrderId}`
      console.error(`UNCERTAIN: read ${read} before deciding on the money`)
    }
    throw error
  }
}

async function main() {
  const events = await call('GET', '/events?limit=100&offset=0')
  const onSale = events.data.find(
    (event) => event.status === 'sales_open' && event.access === 'active'
  )
  const eventId = process.env.EVENT_ID || onSale?.event_id
  if (!eventId) throw new Error('no event is on sale')
  console.log(`1. Events: ${events.meta.total} granted; selling ${eventId}`)

  const booking = await bookTwoSeats(eventId)
  const held = booking.seats.map((seat) => seat.space_id).join(', ')
  console.log(
    `3. Booking ${booking.booking_id} holds ${held} for ${booking.ttl_seconds} s, until ${booking.expires_at}`
  )

  // The order locks the seats while the buyer pays.
  const partnerOrderId = randomUUID() // store it before the call
  const { data: order } = await call('POST', '/orders', {
    booking_id: booking.booking_id,
    partner_order_id: partnerOrderId,
    customer: { email: 'buyer@example.com' },
    consent: true,
  })
  if (order.status !== 'pending') throw new Error(`order ${order.order_id} is ${order.status}`)
  console.log(
    `4. Order ${order.order_id}: ${order.total_tenge} tenge, to be paid until ${order.expires_at}`
  )

  // Charge only now, then confirm at once.
  const payment = await charge(order.total_tenge)
  if (!payment) {
    const { data: cancelled } = await call('POST', `/orders/${order.order_id}/cancel`)
    console.log(`5. The payment was declined; order ${order.order_id} is ${cancelled.status}`)
    return
  }
  const paid = await confirm(order, partnerOrderId, payment)
  console.log(`5. Order ${paid.order_id} is ${paid.status}`)

  // The tickets are as good as money: the file is for this user only.
  const file = `tickets-${partnerOrderId}.json`
  writeFileSync(file, JSON.stringify(paid.tickets, null, 2), { mode: 0o600 })
  console.log(`6. Saved ${paid.tickets.length} tickets to ${file}`)
  for (const ticket of paid.tickets) {
    console.log(
      `   ${ticket.number}: QR token of ${ticket.qr_token.length} characters, ${ticket.pdf_url}`
    )
  }
}

main().catch((error) => {
  console.error(`FAILED: ${error.message}`)
  process.exit(1)
})
