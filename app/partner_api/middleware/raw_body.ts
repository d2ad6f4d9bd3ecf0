import type { IncomingMessage } from 'node:http'

export const BODY_LIMIT_BYTES = 64 * 1024
/** A larger body is read up to this size, so that its signature is checked before its size. */
const READ_LIMIT_BYTES = 4 * BODY_LIMIT_BYTES
const NO_BODY = Buffer.alloc(0)

/** RFC 9112, 6.3: without either header a request has no body. */
const announcesBody = ({ headers }: IncomingMessage) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/**
 * The bytes of the body, over which the signature is made. Null for a body beyond the limit of reading; the rest of it is
 * dropped.
 */
export async function readRawBody(request: IncomingMessage): Promise<Buffer | null> {
  if (!announcesBody(request)) return NO_BODY
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > READ_LIMIT_BYTES) break
    chunks.push(chunk)
  }
  if (size > READ_LIMIT_BYTES) {
    // After the loop, which would pause the stream again. An unread body would keep the connection open for ever.
    request.resume()
    return null
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
}

const DROP_MS = 2_000

/** Discards the rest of an unread body for two seconds, then closes the connection. */
export function dropBody(request: IncomingMessage) {
  if (request.complete || request.destroyed) return
  request.resume()
  const end = setTimeout(() => request.socket.destroy(), DROP_MS)
  request.once('end', () => clearTimeout(end))
  request.once('close', () => clearTimeout(end))
}
