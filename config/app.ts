import app from '@adonisjs/core/services/app'
import { defineConfig } from '@adonisjs/core/http'
import { answerBadUrl } from '#http/errors/bad_url'
import platform, { trustedProxies } from '#config/platform'
import env from '#start/env'

export const appUrl = env.get('APP_URL').replace(/\/$/, '')

export const http = defineConfig({
  // Longer than the idle timeout of common proxies, so that they never reuse a closed connection; tests are idle even longer.
  keepAliveTimeout: app.inTest ? 600_000 : 65_000,
  // A connection that sends no complete header in this time is closed, so that half-open ones don't accumulate.
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
    secure: platform.isHttps,
    sameSite: 'lax',
  },
})
