import { readAddresses, readSender, readServer } from '#mail/settings'
import { isBin } from '#shared/bin'
import {
  accepted,
  databaseUrl,
  flag,
  formerSecrets,
  host,
  integer,
  longerThanBuyersAreKept,
  longKey,
  matching,
  neededBy,
  notOnLive,
  number,
  oneOf,
  optional,
  orFile,
  proxies,
  publicUrl,
  readBy,
  redisUrl,
  secret,
  sentinels,
  sessionDriver,
  text,
} from '#start/setting_rules'

const PORT = integer(1, 65_535)
const PER_MINUTE = optional(integer(1, 1_000_000))
const TENGE = optional(integer(0, 1_000_000_000_000))
// The database refuses to take out what is younger than two years.
const RETENTION_MONTHS = optional(longerThanBuyersAreKept(integer(24, 1200)))
const PERCENT = optional(number(0, 100))

/** Every setting and its rule; `.env.example` explains what each is for. What contains a secret may be in a file (`orFile`). */
export const SETTINGS = {
  NODE_ENV: oneOf(['development', 'production', 'test']),
  HOST: host,
  PORT,
  APP_URL: publicUrl,
  APP_KEY: orFile(secret),
  APP_PREVIOUS_KEYS: orFile(optional(formerSecrets)),
  LINK_KEY: orFile(secret),
  LINK_PREVIOUS_KEYS: orFile(optional(formerSecrets)),
  LOG_LEVEL: optional(oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])),

  DATABASE_URL: orFile(databaseUrl),
  OWNER_DATABASE_URL: orFile(optional(databaseUrl)),
  REPORTS_DATABASE_URL: orFile(optional(databaseUrl)),
  STANDBY_DATABASE_URL: orFile(optional(databaseUrl)),
  DB_POOL_MAX: optional(integer(2, 1000)),
  REDIS_URL: orFile(redisUrl),
  REDIS_SENTINELS: neededBy('REDIS_SENTINEL_NAME', optional(sentinels)),
  REDIS_SENTINEL_NAME: neededBy('REDIS_SENTINELS', optional(text)),
  REDIS_SENTINEL_PASSWORD: orFile(optional(text)),

  DEPLOYMENT: oneOf(['sandbox', 'live']),
  CONTRACT_PHASE: optional(integer(1, 2)),
  // As the domains order_id and ticket_number of the database have it.
  PLATFORM_PREFIX: optional(
    matching(/^[A-Z][A-Z0-9]{1,9}$/, '2 to 10 capital letters and digits, a letter first')
  ),
  PLATFORM_LEGAL_NAME: optional(text),
  PLATFORM_BIN: optional(accepted(isBin, '12 digits with the control digit of a BIN')),
  STORAGE_DIRECTORY: optional(text),
  SMTP_URL: orFile(
    neededBy('MAIL_FROM', optional(readBy(readServer, 'smtp://host:port or smtps://host:port')))
  ),
  MAIL_FROM: neededBy('SMTP_URL', optional(readBy(readSender, 'an address, or "Name <address>"'))),
  ON_DUTY_EMAILS: optional(readBy(readAddresses, 'addresses separated by commas')),
  SMTP_ANY_CERTIFICATE: optional(notOnLive(flag)),
  TRUSTED_PROXIES: optional(proxies),
  FAILED_AUTH_PER_MINUTE: PER_MINUTE,
  PDF_PER_MINUTE: PER_MINUTE,
  PUBLIC_READS_PER_MINUTE: PER_MINUTE,
  MAX_CONNECTIONS: optional(integer(1, 1_000_000)),
  MEMO_LIMIT_TENGE: TENGE,
  PAYMENT_LIMIT_TENGE: TENGE,
  COMMISSION_LIMIT_PERCENT: PERCENT,
  VAT_LIMIT_PERCENT: PERCENT,
  // Card networks take disputes up to 120 days after the event, and refunds and registers follow them.
  BUYER_RETENTION_DAYS: optional(integer(180, 36_500)),
  // A webhook is tried for three days, and a disabled endpoint is seen after five. Deliveries keep months of the journal from leaving.
  WEBHOOK_RETENTION_DAYS: optional(integer(7, 730)),
  RUN_RETENTION_DAYS: optional(integer(1, 3650)),
  JOURNAL_RETENTION_MONTHS: RETENTION_MONTHS,
  CONFIRM_RETENTION_MONTHS: RETENTION_MONTHS,
  EXPORT_THROTTLE: optional(number(0, 100)),
  SECOND_PERSON: optional(flag),
  LOCAL_WEBHOOKS: optional(notOnLive(flag)),
  METRICS_TOKEN: orFile(optional(longKey)),
  WORKER_PORT: optional(PORT),
  QUIET: optional(flag),
  REQUIRE_SECOND_FACTOR: optional(flag),
  SESSION_DRIVER: optional(sessionDriver),
}
