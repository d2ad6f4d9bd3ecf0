import { Env } from '@adonisjs/core/env'

/** Every variable is explained in `.env.example`. */
export default await Env.create(new URL('../', import.meta.url), {
  NODE_ENV: Env.schema.enum(['development', 'production', 'test'] as const),
  HOST: Env.schema.string({ format: 'host' }),
  PORT: Env.schema.number(),
  APP_URL: Env.schema.string({ format: 'url', tld: false }),
  APP_KEY: Env.schema.secret(),
  LINK_KEY: Env.schema.secret(),
  LOG_LEVEL: Env.schema.enum.optional([
    'fatal',
    'error',
    'warn',
    'info',
    'debug',
    'trace',
    'silent',
  ] as const),

  DATABASE_URL: Env.schema.string(),
  DB_POOL_MAX: Env.schema.number.optional(),
  REDIS_URL: Env.schema.string(),

  DEPLOYMENT: Env.schema.enum(['sandbox', 'live'] as const),
  CONTRACT_PHASE: Env.schema.enum.optional([1, 2] as const),
  PLATFORM_PREFIX: Env.schema.string.optional(),
  PLATFORM_LEGAL_NAME: Env.schema.string.optional(),
  PLATFORM_BIN: Env.schema.string.optional(),
  STORAGE_DIRECTORY: Env.schema.string.optional(),
  SMTP_URL: Env.schema.string.optional(),
  MAIL_FROM: Env.schema.string.optional(),
  SMTP_ANY_CERTIFICATE: Env.schema.boolean.optional(),
  TRUSTED_PROXIES: Env.schema.string.optional(),
  FAILED_AUTH_PER_MINUTE: Env.schema.number.optional(),
  PDF_PER_MINUTE: Env.schema.number.optional(),
  MEMO_LIMIT_TENGE: Env.schema.number.optional(),
  SECOND_PERSON: Env.schema.boolean.optional(),
  LOCAL_WEBHOOKS: Env.schema.boolean.optional(),
  METRICS_TOKEN: Env.schema.string.optional(),
  WORKER_PORT: Env.schema.number.optional(),
  REQUIRE_SECOND_FACTOR: Env.schema.boolean.optional(),
  SESSION_DRIVER: Env.schema.enum.optional(['redis', 'memory'] as const),
})
