import type { HttpContext } from '@adonisjs/core/http'

/** A scheme of our own (RFC 9110, 11.6.1): no browser opens a dialog for it, and pages know the answer by it. */
const SCHEME = 'Session realm="back office"'

/**
 * Whether a page that is open asks, to act or to read a part of itself again. It then opens the sign-in over itself
 * (`resources/components/sign_in_dialog.vue`), so that nothing is lost that was typed there. What leads to another page is redirected.
 */
export const isRequestOfOpenPage = ({ request }: HttpContext) =>
  request.header('X-Inertia') !== undefined &&
  // Whoever signs out need not sign in for it.
  request.url() !== '/back-office/sign-out' &&
  (request.method() !== 'GET' || request.header('X-Inertia-Partial-Component') !== undefined)

export function answerSignedOut({ response }: HttpContext) {
  response.status(401).header('WWW-Authenticate', SCHEME)
  return response.send('')
}
