import type { IncomingMessage } from 'node:http'

export const BODY_LIMIT_BYTES = 64 * 1024

/**
 * The bytes as they came: the signature is over them, not over what a parser makes of them.
 * Null when there are more than the limit; the rest is then read and dropped.
 */
export async function readRawBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_LIMIT_BYTES) {
      request.resume()
      return null
    }
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
}
