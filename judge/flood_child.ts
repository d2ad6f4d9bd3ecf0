import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** The flood runs in its own process, so that generating it does not distort the measurements. */
export interface FloodOrder {
  port: number
  requests: number
  perSecond: number
  /** Connections that never finish what they begin to send. */
  halfOpen: number
}

export interface FloodReport {
  /** Status → how many. */
  answered: Record<string, number>
}

const SOCKETS = 16
const STATUS = /^HTTP\/1\.1 (\d{3})/

process.on('message', async (order: FloodOrder) => {
  process.send!(await flood(order))
})

async function flood(order: FloodOrder): Promise<FloodReport> {
  const halves = await Promise.all(
    Array.from({ length: order.halfOpen }, (_, n) => halfOpen(order, n))
  )
  const answered: Record<string, number> = {}
  const started = performance.now()
  let sent = 0
  /** Each connection waits for its response before its next request; together they keep the rate. */
  const askAgainAndAgain = async () => {
    const socket = await open(order.port)
    while (sent < order.requests && !socket.destroyed) {
      const dueMs = (sent++ / order.perSecond) * 1_000
      await delay(Math.max(0, started + dueMs - performance.now()))
      const status = await ask(socket, order.port)
      answered[status] = (answered[status] ?? 0) + 1
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: SOCKETS }, askAgainAndAgain))
  for (const socket of halves) socket.destroy()
  return { answered }
}

/** The status, or `none` when the connection ends without an answer. */
function ask(socket: Socket, port: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const onData = (bytes: Buffer) => {
    const status = STATUS.exec(bytes.toString('latin1'))?.[1]
    if (status) settle(status)
  }
  const onClose = () => settle('none')
  const settle = (status: string) => {
    socket.off('data', onData).off('close', onClose)
    resolve(status)
  }
  socket.on('data', onData).on('close', onClose)
  socket.write(unsignedRequest(port))
  return promise
}

/** A request with a well-formed key that does not exist, always from the same address. */
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
