import encryption from '@adonisjs/core/services/encryption'
import type { HttpContext } from '@adonisjs/core/http'

const PURPOSE = 'told-once'

/** Keeps a secret for the next page alone; encrypted, because it lies in Redis until then. */
export const tellOnce = ({ session }: HttpContext, secret: unknown) =>
  session.flash('once', encryption.encrypt(secret, { purpose: PURPOSE }))

/** What was kept for this page, if anything; the browser's history keeps it encrypted until sign-out. */
export function toldOnce<Secret>({ inertia, session }: HttpContext): Secret | null {
  const kept: unknown = session.flashMessages.get('once')
  if (typeof kept !== 'string') return null
  inertia.encryptHistory()
  return encryption.decrypt<Secret>(kept, PURPOSE)
}
