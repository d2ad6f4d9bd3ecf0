import { addressList } from '#shared/addresses'
import { storageDirectory } from '#start/checks'
import env from '#start/env'

/** The settings of a deployment; `.env.example` explains each. */
export default {
  deployment: env.get('DEPLOYMENT'),
  contractPhase: env.get('CONTRACT_PHASE') ?? 2,
  prefix: env.get('PLATFORM_PREFIX') ?? 'TIX',
  appUrl: env.get('APP_URL').replace(/\/$/, ''),
  /** Whether browsers come over HTTPS; a live deployment always does. Cookies are Secure then. */
  isHttps: env.get('APP_URL').startsWith('https:'),
  linkKey: env.get('LINK_KEY'),
  /** Former keys: links, cursors and workbooks that were made with them are still accepted. */
  formerLinkKeys: env.get('LINK_PREVIOUS_KEYS') ?? [],
  /** A drill with a restored copy: nothing is delivered or mailed. */
  isQuiet: env.get('QUIET') ?? false,
  failedAuthPerMinute: env.get('FAILED_AUTH_PER_MINUTE') ?? 30,
  localWebhooks: env.get('LOCAL_WEBHOOKS') ?? false,
  secondPerson: env.get('SECOND_PERSON') ?? env.get('DEPLOYMENT') === 'live',
  /** What one person may do in settlement, in one act and altogether in a day; more needs the approval of a second person. */
  singlePersonLimits: {
    /** Memos. */
    correctionTenge: BigInt(env.get('MEMO_LIMIT_TENGE') ?? 100_000),
    paymentTenge: BigInt(env.get('PAYMENT_LIMIT_TENGE') ?? 10_000_000),
    /** Terms with higher rates, in hundredths of a percent. */
    commissionBp: Math.round((env.get('COMMISSION_LIMIT_PERCENT') ?? 50) * 100),
    vatBp: Math.round((env.get('VAT_LIMIT_PERCENT') ?? 30) * 100),
  },
  /** Our legal name and BIN, with which an empty setting is filled once (`findIssuer`). */
  legalName: env.get('PLATFORM_LEGAL_NAME') ?? null,
  bin: env.get('PLATFORM_BIN') ?? null,
  /** The directory of workbooks and uploaded registers, which web and workers share. */
  storageDirectory: storageDirectory(),
  /** How many times longer than it works a run pauses while partners send requests (ADR 14). */
  runPauseFactor: env.get('EXPORT_THROTTLE') ?? 4,
  metricsToken: env.get('METRICS_TOKEN') ?? null,
  /** Whether staff, except gate staff, need a second factor to sign in. */
  requiresSecondFactor:
    env.get('DEPLOYMENT') === 'live' || (env.get('REQUIRE_SECOND_FACTOR') ?? false),
  pdfPerMinute: env.get('PDF_PER_MINUTE') ?? 60,
  /** The size of each process's connection pool. */
  databaseConnections: env.get('DB_POOL_MAX') ?? 20,
  /** Days after the end of an event for which its buyers' personal data are kept (docs/privacy.md). */
  buyerRetentionDays: env.get('BUYER_RETENTION_DAYS') ?? 1095,
  /** Days after its end for which a delivery of a webhook is kept, with its attempts. */
  webhookRetentionDays: env.get('WEBHOOK_RETENTION_DAYS') ?? 90,
  /** Days for which the files of a run are kept, unless an issued statement has them. */
  runRetentionDays: env.get('RUN_RETENTION_DAYS') ?? 30,
  /** Table → months after which a month of it is archived (docs/operations.md); null: never. */
  retentionMonths: {
    journal: env.get('JOURNAL_RETENTION_MONTHS') ?? null,
    confirm_attempts: env.get('CONFIRM_RETENTION_MONTHS') ?? null,
  },
  publicReadsPerMinute: env.get('PUBLIC_READS_PER_MINUTE') ?? 300,
}

/** Peers whose `X-Forwarded-For` header is trusted. */
export const trustedProxies = addressList((env.get('TRUSTED_PROXIES') ?? '').split(','))
