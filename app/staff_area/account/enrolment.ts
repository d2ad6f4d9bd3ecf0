import {
  encryptTotpSecret,
  enrolmentUri,
  newTotpSecret,
  openTotpSecret,
} from '#staff/second_factor'
import type { HttpContext } from '@adonisjs/core/http'
import QRCode from 'qrcode'

const KEY = 'enrolment'

/** The secret for a new authenticator: the same until a code proves it or the session ends. */
export function enrolment({ auth, session }: HttpContext) {
  const { id, email } = auth.use('staff').getUserOrFail()
  const kept = session.get(KEY) as string | undefined
  const secret = (kept && openTotpSecret(id, kept)) || newTotpSecret()
  session.put(KEY, encryptTotpSecret(id, secret))
  return {
    secret,
    show: async () => {
      const svg = await QRCode.toString(enrolmentUri(secret, email), { type: 'svg', margin: 2 })
      return { secret, qr: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` }
    },
    end: () => session.forget(KEY),
  }
}
