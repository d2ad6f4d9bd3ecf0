import type { HttpContext } from '@adonisjs/core/http'

/** First and last byte, both included. */
export interface ByteRange {
  first: number
  last: number
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/

/**
 * The range of a `Range` header (RFC 9110, 14.1.2); null for the whole file.
 * Several ranges and malformed headers are ignored, as the standard allows.
 *
 *     bytes=0-99  of 500  →  0 to 99
 *     bytes=400-  of 500  →  400 to 499
 *     bytes=-100  of 500  →  400 to 499
 *     bytes=500-  of 500  →  unsatisfiable
 */
export function readRange(header: string | undefined, size: number) {
  const [, from, to] = ONE_RANGE.exec(header ?? '') ?? []
  if (from === undefined || (from === '' && to === '')) return null
  if (from === '') return clipRange(size - Math.min(Number(to), size), size - 1, size)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < Number(from)) return null
  return clipRange(Number(from), last, size)
}

const clipRange = (first: number, last: number, size: number): ByteRange | 'unsatisfiable' =>
  first < size ? { first, last } : 'unsatisfiable'

/** Sends a file, or the requested range: PDF viewers fetch the parts that they show. */
export function sendBytes({ request, response }: HttpContext, bytes: Buffer, etag: string) {
  response.header('Accept-Ranges', 'bytes')
  const ifRange = request.header('if-range')
  // A range of another version would not fit the parts that the client has.
  const isOfThisVersion = ifRange === undefined || ifRange === etag
  const range = isOfThisVersion ? readRange(request.header('range'), bytes.length) : null
  if (range === null) return response.send(bytes)
  if (range === 'unsatisfiable') {
    response.status(416).removeHeader('content-type')
    return response.header('Content-Range', `bytes */${bytes.length}`).send('')
  }
  response.status(206)
  response.header('Content-Range', `bytes ${range.first}-${range.last}/${bytes.length}`)
  return response.send(bytes.subarray(range.first, range.last + 1))
}
