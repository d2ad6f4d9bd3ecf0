import { testBaseUrl, type PartnerClient } from '#tests/support/partner_client'
import { nowSeconds, PREFIX } from '#tests/support/raw_request'
import { createHmac } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface SocketAnswer {
  status: number
  headers: Map<string, string>
  body: string
}

export function connectToServer(baseUrl = testBaseUrl()): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** A signed request as bytes for a socket. */
export function signedBytes(client: PartnerClient, method: string, path: string, body = '') {
  const { apiKey, secret } = client.credentials
  const timestamp = nowSeconds()
  const canonical = `${timestamp}\n${method}\n${PREFIX}${path}\n${body}`
  const signature = createHmac('sha256', secret).update(canonical).digest('hex')
  return (
    `${method} ${PREFIX}${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${apiKey}\r\nX-Timestamp: ${timestamp}\r\n` +
    `X-Signature: ${signature}\r\nX-Forwarded-For: ${client.address}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

/** Sends and resets the connection so many milliseconds later. */
export async function sendAndReset(bytes: string, afterMs: number) {
  const socket = await connectToServer()
  socket.on('error', () => {})
  socket.write(bytes)
  await delay(afterMs)
  socket.resetAndDestroy()
}

/**
 * Sends bytes as they stand and reads what comes back, until the server closes the connection or the time is over.
 * Answers are cut apart by their Content-Length.
 */
export async function talk(bytes: string | Buffer, { forMs = 3_000 } = {}) {
  const socket = await connectToServer()
  const started = performance.now()
  let received = ''
  let answeredMs = Infinity
  socket.once('data', () => (answeredMs = performance.now() - started))
  socket.on('data', (chunk) => (received += chunk.toString('latin1')))
  socket.on('error', () => {})
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)))
  socket.write(bytes)
  const timer = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), forMs))
  const isClosed = await Promise.race([closed, timer])
  socket.destroy()
  const ms = performance.now() - started
  return { answers: readAnswers(received), isClosed, ms, answeredMs }
}

function readAnswers(text: string): SocketAnswer[] {
  const answers: SocketAnswer[] = []
  let rest = text
  while (rest.startsWith('HTTP/1.1 ')) {
    const end = rest.indexOf('\r\n\r\n')
    const [statusLine, ...lines] = rest.slice(0, end).split('\r\n')
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      })
    )
    const length = Number(headers.get('content-length') ?? 0)
    const body = rest.slice(end + 4, end + 4 + length)
    answers.push({ status: Number(statusLine.split(' ')[1]), headers, body })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
