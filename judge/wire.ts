import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** A response on a raw HTTP/1.1 socket, where requests are sent byte for byte, read by our own parser. */
export interface WireAnswer {
  status: number
  /** Names in lower case; a repeated header has all its values. */
  headers: Map<string, string[]>
  body: Buffer
  text: string
}

export interface Conversation {
  answers: WireAnswer[]
  /** Bytes after the last complete response. */
  rest: Buffer
  /** The server closed its side, or reset. */
  isClosed: boolean
}

export interface Talk {
  port: number
  /** The number of responses to wait for; without it, until the server closes or the time is up. */
  until?: number
  timeoutMs?: number
  /** Responses to HEAD have no body. */
  isHead?: boolean
}

/** Sends the chunks, with pauses between them, and reads the responses. */
export async function talk(
  { port, until = Number.POSITIVE_INFINITY, timeoutMs = 5_000, isHead = false }: Talk,
  ...chunks: (string | Buffer | { pauseMs: number })[]
): Promise<Conversation> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  let received: Buffer = Buffer.alloc(0)
  let isClosed = false
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const timer = setTimeout(end, timeoutMs)
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
    end()
  })
  socket.on('end', () => {
    isClosed = true
    end()
  })
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    if (parseAnswers(received, isHead).answers.length >= until) end()
  })
  void write(socket, chunks)
  await ended
  clearTimeout(timer)
  socket.destroy()
  return { ...parseAnswers(received, isHead), isClosed }
}

async function write(socket: Socket, chunks: (string | Buffer | { pauseMs: number })[]) {
  for (const chunk of chunks) {
    if (typeof chunk === 'object' && 'pauseMs' in chunk) await delay(chunk.pauseMs)
    else if (socket.writable) socket.write(chunk)
  }
}

const BLANK_LINE = Buffer.from('\r\n\r\n')
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})/

export function parseAnswers(
  bytes: Buffer,
  isHead = false
): { answers: WireAnswer[]; rest: Buffer } {
  const answers: WireAnswer[] = []
  let rest = bytes
  for (;;) {
    const headEnd = rest.indexOf(BLANK_LINE)
    if (headEnd === -1) return { answers, rest }
    const [statusLine, ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n')
    const status = Number(STATUS_LINE.exec(statusLine)?.[1])
    if (!status) return { answers, rest }
    const headers = readHeaders(lines)
    const after = rest.subarray(headEnd + BLANK_LINE.length)
    const hasBody = !isHead && status >= 200 && status !== 204 && status !== 304
    const taken = hasBody ? readBody(headers, after) : { body: Buffer.alloc(0), length: 0 }
    if (!taken) return { answers, rest }
    rest = after.subarray(taken.length)
    // 100 Continue is not the final response.
    if (status >= 200) {
      answers.push({ status, headers, body: taken.body, text: taken.body.toString() })
    }
  }
}

function readHeaders(lines: string[]) {
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  return headers
}

function readBody(headers: Map<string, string[]>, bytes: Buffer) {
  if (headers.get('transfer-encoding')?.[0] === 'chunked') return readChunks(bytes)
  const length = Number(headers.get('content-length')?.[0] ?? 0)
  return bytes.length < length ? undefined : { body: bytes.subarray(0, length), length }
}

function readChunks(bytes: Buffer) {
  const chunks: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    const start = lineEnd + 2
    if (Number.isNaN(size) || bytes.length < start + size + 2) return undefined
    if (size === 0) return { body: Buffer.concat(chunks), length: start + 2 }
    chunks.push(bytes.subarray(start, start + size))
    at = start + size + 2
  }
}
