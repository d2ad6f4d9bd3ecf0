import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

const NO_BODY = Buffer.alloc(0)

/** RFC 9112, 6.3: without either header a request has no body. */
const announcesBody = ({ headers }: IncomingMessage) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/** The bytes of the body as sent. Null for a body beyond the limit; the rest of it is dropped. */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number
): Promise<Buffer | null> {
  if (!announcesBody(request)) return NO_BODY
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limitBytes) break
    chunks.push(chunk)
  }
  if (size > limitBytes) {
    // After the loop, which would pause the stream again. An unread body would keep the connection open for ever.
    request.resume()
    return null
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
}

const UNTRUSTED_MS = 2_000

/** The body of a sender who is refused already: null also when it isn't whole in two seconds. */
export function readUntrustedBody(
  request: IncomingMessage,
  limitBytes: number
): Promise<Buffer | null> {
  const read = readBody(request, limitBytes).catch(() => null)
  return Promise.race([read, delay(UNTRUSTED_MS, null, { ref: false })])
}

/** Discards the rest of an unread body for two seconds, then closes the connection. */
export function dropBody(request: IncomingMessage) {
  if (request.complete || request.destroyed) return
  request.resume()
  const end = setTimeout(() => request.socket.destroy(), UNTRUSTED_MS)
  request.once('end', () => clearTimeout(end))
  request.once('close', () => clearTimeout(end))
}
