import { readRange } from '#http/byte_range'
import type { HttpContext } from '@adonisjs/core/http'

/** Sends a file, or the part that was asked for: viewers of PDFs fetch what they show. */
export function sendBytes({ request, response }: HttpContext, bytes: Buffer, etag: string) {
  response.header('Accept-Ranges', 'bytes')
  const ifRange = request.header('if-range')
  // A part of an older version would not fit what the client already has.
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
