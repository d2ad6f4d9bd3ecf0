// Receives webhooks and prints each piece of news once. Node.js 20 or newer, nothing to install.
//
//   PARTNER_API_KEY=… PARTNER_SECRET=… PORT=8080 node webhook_receiver.mjs
//
// A key and its secret are one pair. While you change over to another key, give both pairs: the
// second in PARTNER_NEXT_API_KEY and PARTNER_NEXT_SECRET. TLS ends at the proxy in front of this
// program, which must pass path and query on as they came.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const WINDOW_SECONDS = 300
const MAX_BODY_BYTES = 64 * 1024

/** The field that identifies each webhook; more fields and webhooks may come. */
const TOLD_BY = {
  expired_at: 'booking_expired',
  change_type: 'event_updated',
  cancelled_at: 'event_cancelled',
}

function required(name) {
  if (process.env[name]) return process.env[name]
  console.error(`FAILED: set ${name}`)
  process.exit(2)
}

const secrets = new Map([[required('PARTNER_API_KEY'), required('PARTNER_SECRET')]])
if (process.env.PARTNER_NEXT_API_KEY) {
  secrets.set(process.env.PARTNER_NEXT_API_KEY, required('PARTNER_NEXT_SECRET'))
}

/** Why the request is not the platform's; nothing when it is. */
function faultOf(request, body) {
  const secret = secrets.get(request.headers['x-api-key'])
  const timestamp = request.headers['x-timestamp'] ?? ''
  const signature = request.headers['x-signature'] ?? ''
  if (!secret) return 'unknown key'
  if (!/^\d{10}$/.test(timestamp)) return 'the timestamp is not ten digits'
  const age = Math.floor(Date.now() / 1000) - Number(timestamp)
  if (Math.abs(age) > WINDOW_SECONDS) return `the timestamp is ${age} s old`

  // The path as it was called, with its query, and the bytes as they came.
  const expected = createHmac('sha256', secret)
    .update(`${timestamp}\n${request.method}\n${request.url}\n`)
    .update(body)
    .digest()
  // Of one length, because the comparison in constant time wants that.
  const isHex = /^[0-9a-f]{64}$/.test(signature)
  const isGenuine = isHex && timingSafeEqual(expected, Buffer.from(signature, 'hex'))
  return isGenuine ? undefined : 'the signature is wrong'
}

/** The bytes of the body; nothing when there are more than any webhook has. */
async function readBody(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const seen = new Set()

/**
 * True when the news came for the first time. In a real program this is an insert into a table with a
 * unique key, committed before the answer: after a 2xx nobody sends it to you again.
 */
function store(news) {
  // The same as X-Webhook-Id, but this one is signed.
  if (seen.has(news.delivery_id)) return false
  seen.add(news.delivery_id)
  return true
}

/** Your work goes here. News is a reason to look: read the event before you act. */
async function handle(news) {
  const field = Object.keys(TOLD_BY).find((each) => each in news)
  console.log(`${TOLD_BY[field] ?? 'other'} ${JSON.stringify(news)}`)
}

async function receive(request, response) {
  const body = await readBody(request)
  if (!body) return response.writeHead(413, { Connection: 'close' }).end()
  const fault = faultOf(request, body)
  if (fault) {
    console.error(`refused ${request.method} ${request.url}: ${fault}`)
    return response.writeHead(401).end()
  }

  const news = JSON.parse(body)
  const isNew = store(news)
  response.writeHead(204).end() // first the answer, then the work
  if (isNew) await handle(news)
}

const server = createServer((request, response) => {
  receive(request, response).catch((error) => {
    console.error(`FAILED: ${error.message}`)
    if (!response.headersSent) response.writeHead(500).end()
  })
})
server.listen(Number(process.env.PORT ?? 8080), () => {
  console.log(`Listening on port ${server.address().port}`)
})
