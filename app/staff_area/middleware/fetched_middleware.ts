import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/**
 * Leaves the session as it is for what a script of a page fetches, as JSON or as a stream. Flashed messages, errors and secrets are for
 * the next page: storing the session removes them, and that page would come without them.
 */
export default class FetchedMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    if (isFetched(ctx)) leaveSession(ctx)
    return next()
  }
}

const isFetched = ({ request }: HttpContext) =>
  request.method() === 'GET' &&
  !request.header('X-Inertia') &&
  /^(application\/json|text\/event-stream)/.test(request.header('Accept') ?? '')

function leaveSession({ session }: HttpContext) {
  // The store in memory, that of the tests, has given away its own values and not a copy.
  if (!session.flashMessages.isEmpty) session.put(session.flashKey, session.flashMessages.all())
  session.commit = async () => {}
}
