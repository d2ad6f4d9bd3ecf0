import type { HttpContext } from '@adonisjs/core/http'

/** Whether the response was sent or the client has disconnected. */
export const isOver = ({ response }: HttpContext) => response.response.destroyed

/**
 * Runs `act` when the response ends. A response that has ended already, because the client disconnected during an
 * `await`, emits no further `close`: then `act` runs at once.
 */
export function whenOver(ctx: HttpContext, act: () => void) {
  if (isOver(ctx)) act()
  else ctx.response.response.once('close', act)
}

/** nginx's status for a request whose client disconnected before the answer. */
export const CLIENT_CLOSED_REQUEST = 499

const BROKEN_OFF =
  /^(ECONNRESET|ECONNABORTED|EPIPE|E_REQUEST_ABORTED|ABORT_ERR|ERR_STREAM_(PREMATURE_CLOSE|DESTROYED|WRITE_AFTER_END|UNABLE_TO_PIPE))$/

/** Whether a request failed because its client disconnected, which is no error. */
export function isAbandoned(error: unknown, { request, response }: HttpContext): boolean {
  const { code = '', type } = (error ?? {}) as { code?: string; type?: string }
  const isGone = request.request.socket.destroyed || response.response.destroyed
  return isGone && (BROKEN_OFF.test(code) || type === 'request.aborted')
}
