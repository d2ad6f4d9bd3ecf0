import type { IncomingMessage } from 'node:http'

export const BODY_LIMIT_BYTES = 64 * 1024
/** A body over the limit is still read, up to here, so that its signature is judged before its size. */
const READ_LIMIT_BYTES = 4 * BODY_LIMIT_BYTES
const NO_BODY = Buffer.alloc(0)

/** RFC 9112, 6.3: without either header a request has no body. */
const announcesBody = ({ headers }: IncomingMessage) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/**
 * The bytes as they came: the signature is over them, not over what a parser makes of them.
 * Null when there are more than we read; the rest is then dropped.
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
    // After the loop, which would stop it again: a body left unread keeps the connection from ever being closed.
    request.resume()
    return null
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
}

const DROP_MS = 2_000

/** Lets go of a body that nobody will read. What still comes is thrown away for two seconds, then the connection ends. */
export function dropBody(request: IncomingMessage) {
  if (request.complete || request.destroyed) return
  request.resume()
  const end = setTimeout(() => request.socket.destroy(), DROP_MS)
  request.once('end', () => clearTimeout(end))
  request.once('close', () => clearTimeout(end))
}
