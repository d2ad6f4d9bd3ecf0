import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** The flood is a process of its own, so that making it doesn't delay the clock of who measures. */
export interface FloodOrder {
  port: number
  requests: number
  perSecond: number
  /** Connections that never finish what they begin to send. */
  halfOpen: number
}

export interface FloodReport {
  answered: Record<string, number>
  seconds: number
}

const SOCKETS = 16
const TICK_MS = 10
const STATUS = /HTTP\/1\.1 (\d{3})/g

process.once('message', async (order: FloodOrder) => {
  const halves = await Promise.all(
    Array.from({ length: order.halfOpen }, (_, n) => halfOpen(order, n))
  )
  const answered: Record<string, number> = {}
  const started = performance.now()
  const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => open(order.port)))
  for (const socket of sockets) countAnswers(socket, answered)
  await sendAll(order, sockets)
  await settled(answered, order.requests)
  const report: FloodReport = { answered, seconds: (performance.now() - started) / 1000 }
  for (const socket of [...sockets, ...halves]) socket.destroy()
  process.send!(report, () => process.exit(0))
})

async function sendAll({ requests, perSecond, port }: FloodOrder, sockets: Socket[]) {
  const started = performance.now()
  for (let sent = 0; sent < requests;) {
    const due = Math.min(requests, Math.ceil(((performance.now() - started) / 1000) * perSecond))
    for (; sent < due; sent++) sockets[sent % SOCKETS].write(unsignedRequest(port))
    await delay(TICK_MS)
  }
}

/** A key of the right form that nobody has, from one address. */
function unsignedRequest(port: number) {
  const key = `pk_sandbox_${randomBytes(16).toString('hex')}`
  const lines = [`Host: 127.0.0.1:${port}`, `X-Api-Key: ${key}`, 'X-Forwarded-For: 203.0.113.7']
  return `GET /api/v1/partners/events HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

async function halfOpen({ port }: FloodOrder, n: number) {
  const socket = await open(port)
  const head = `POST /api/v1/partners/bookings HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 203.0.113.8\r\n`
  const beginnings = ['', head, `${head}Content-Length: 60000\r\n\r\n{`]
  socket.write(beginnings[n % beginnings.length])
  socket.resume()
  return socket
}

async function open(port: number) {
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  return socket
}

function countAnswers(socket: Socket, answered: Record<string, number>) {
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    for (const [, status] of text.matchAll(STATUS)) answered[status] = (answered[status] ?? 0) + 1
  })
}

async function settled(answered: Record<string, number>, requests: number) {
  const deadline = performance.now() + 10_000
  const sum = () => Object.values(answered).reduce((total, count) => total + count, 0)
  while (sum() < requests && performance.now() < deadline) await delay(20)
}
