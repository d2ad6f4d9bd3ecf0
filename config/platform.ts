import { addressList } from '#shared/addresses'
import env from '#start/env'
import { resolve } from 'node:path'

if (env.get('DEPLOYMENT') === 'live' && env.get('LOCAL_WEBHOOKS'))
  throw new Error('LOCAL_WEBHOOKS is for trying out: a live deployment must not have it')

/** What a deployment decides about the partner contract; see `.env.example` for each. */
export default {
  deployment: env.get('DEPLOYMENT'),
  contractPhase: env.get('CONTRACT_PHASE') ?? 2,
  prefix: env.get('PLATFORM_PREFIX') ?? 'TIX',
  appUrl: env.get('APP_URL').replace(/\/$/, ''),
  linkKey: env.get('LINK_KEY'),
  failedAuthPerMinute: env.get('FAILED_AUTH_PER_MINUTE') ?? 30,
  localWebhooks: env.get('LOCAL_WEBHOOKS') ?? false,
  secondPerson: env.get('SECOND_PERSON') ?? env.get('DEPLOYMENT') === 'live',
  /** A correction of a settled period of more than this takes two people. */
  memoLimitTenge: BigInt(env.get('MEMO_LIMIT_TENGE') ?? 100_000),
  /** Who settles with partners, as documents name it. */
  legalName: env.get('PLATFORM_LEGAL_NAME') ?? null,
  bin: env.get('PLATFORM_BIN') ?? null,
  /** Workbooks and uploaded registers lie here; web and workers share it. */
  storageDirectory: resolve(env.get('STORAGE_DIRECTORY') || 'tmp/storage'),
  /** How many times longer than it works a workbook export pauses while partners send requests (ADR 14). */
  exportThrottle: env.get('EXPORT_THROTTLE') ?? 4,
  metricsToken: env.get('METRICS_TOKEN') ?? null,
  /** Whether everybody but gate staff needs a second factor to sign in. */
  requiresSecondFactor:
    env.get('DEPLOYMENT') === 'live' || (env.get('REQUIRE_SECOND_FACTOR') ?? false),
  pdfPerMinute: env.get('PDF_PER_MINUTE') ?? 60,
  /** Connections to PostgreSQL that each process may hold. */
  databaseConnections: env.get('DB_POOL_MAX') ?? 20,
  publicReadsPerMinute: env.get('PUBLIC_READS_PER_MINUTE') ?? 300,
}

/** Only these peers may speak for another address through `X-Forwarded-For`. */
export const trustedProxies = addressList((env.get('TRUSTED_PROXIES') ?? '').split(','))
