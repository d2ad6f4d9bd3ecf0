import { openSecret } from '#partners/api_key'
import { statement } from '#shared/statement'
import type { HttpContext } from '@adonisjs/core/http'

const selectSecret = statement<{ secret_encrypted: string }>(
  'back_office_issued_key',
  'SELECT secret_encrypted FROM partner_keys WHERE api_key = $1 AND partner_id = $2'
)

/** The session keeps only which key it was, until the very next page. */
export const tellIssuedKey = ({ session }: HttpContext, apiKey: string) =>
  session.flash('issuedKey', apiKey)

/** Shows the secret of a key that has just been issued, once; a flash of the page stays out of the browser's history. */
export async function readIssuedKey({ inertia, session }: HttpContext, partnerId: number) {
  const apiKey = session.flashMessages.get('issuedKey') as string | undefined
  const key = apiKey && (await selectSecret.first([apiKey, partnerId]))
  if (!key) return
  const issuedKey = { apiKey, secret: openSecret(apiKey, key.secret_encrypted) }
  inertia.flash(() => ({ issuedKey }))
}
