import encryption from '@adonisjs/core/services/encryption'
import type { HttpContext } from '@adonisjs/core/http'

const PURPOSE = 'flashed-secret'

/** Keeps a secret for the next page only; encrypted, because the session lies in Redis. */
export const flashSecret = ({ session }: HttpContext, secret: unknown) =>
  session.flash('secret', encryption.encrypt(secret, { purpose: PURPOSE }))

/** The secret flashed for this page, or null; the browser encrypts the page in its history until sign-out. */
export function takeFlashedSecret<Secret>({ inertia, session }: HttpContext): Secret | null {
  const kept: unknown = session.flashMessages.get('secret')
  if (typeof kept !== 'string') return null
  inertia.encryptHistory()
  return encryption.decrypt<Secret>(kept, PURPOSE)
}
