import app from '@adonisjs/core/services/app'
import { defineConfig } from '@adonisjs/core/http'
import { answerBadUrl } from '#http/errors/bad_url'
import { trustedProxies } from '#config/platform'
import env from '#start/env'

export const appUrl = env.get('APP_URL').replace(/\/$/, '')

export const http = defineConfig({
  // Longer than the idle time-out of the usual proxies, so that they never meet a closed connection; a test's client is idle for longer.
  keepAliveTimeout: app.inTest ? 600_000 : 65_000,
  // A connection that sends no complete header in this time is closed, so that half-open ones don't pile up.
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  generateRequestId: true,
  allowMethodSpoofing: false,
  useAsyncLocalStorage: false,
  trustProxy: (address) => trustedProxies.check(address),
  onBadUrl: answerBadUrl,
  cookie: {
    domain: '',
    path: '/',
    maxAge: '2h',
    httpOnly: true,
    secure: app.inProduction,
    sameSite: 'lax',
  },
})
