import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A path with broken percent-encoding never reaches a door; it is told in the envelope all the same. */
export function answerBadUrl(_request: IncomingMessage, response: ServerResponse) {
  const message = 'The path is not correctly percent-encoded'
  const error = { code: 'NOT_FOUND', message, details: {} }
  response.writeHead(404, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': randomUUID(),
  })
  response.end(JSON.stringify({ error }))
}
