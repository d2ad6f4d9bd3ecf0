import { readAddresses, readSender, readServer } from '#mail/settings'
import env from '#start/env'

const [url, from] = [env.get('SMTP_URL'), env.get('MAIL_FROM')]

/** The SMTP server for e-mail; see `.env.example`. */
export default {
  /** Null: e-mail is off. */
  server: url ? readServer(url) : null,
  from: from ? readSender(from) : null,
  /** Who is mailed when an invariant is broken; empty: staff of operations and administrators. */
  onDuty: readAddresses(env.get('ON_DUTY_EMAILS') ?? ''),
  anyCertificate: env.get('SMTP_ANY_CERTIFICATE') ?? false,
  /** Time limit for the connection and the greeting. */
  connectMs: 15_000,
  /** Time limit between two responses. */
  silenceMs: 60_000,
  /** Time limit for one mail as a whole. */
  wholeMs: 120_000,
}
