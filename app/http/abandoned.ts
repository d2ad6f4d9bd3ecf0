import type { HttpContext } from '@adonisjs/core/http'

/** What nginx calls a request whose client went away before it was answered. */
export const CLIENT_CLOSED_REQUEST = 499

const BROKEN_OFF =
  /^(ECONNRESET|ECONNABORTED|EPIPE|E_REQUEST_ABORTED|ABORT_ERR|ERR_STREAM_(PREMATURE_CLOSE|DESTROYED|WRITE_AFTER_END|UNABLE_TO_PIPE))$/

/** Whether a request failed because its client went away: nobody's fault, and nobody waits for the answer. */
export function isAbandoned(error: unknown, { request, response }: HttpContext): boolean {
  const { code = '', type } = (error ?? {}) as { code?: string; type?: string }
  const isGone = request.request.socket.destroyed || response.response.destroyed
  return isGone && (BROKEN_OFF.test(code) || type === 'request.aborted')
}
