import platform from '#config/platform'
import { defineConfig, stores } from '@adonisjs/session'
import env from '#start/env'

/** Sessions of the back office; the APIs have none. */
export default defineConfig({
  // With this prefix browsers keep it from other hosts of the domain, and want it Secure and for the path `/`.
  cookieName: platform.isHttps ? '__Host-staff' : 'staff',
  clearWithBrowser: true,
  age: '8h',
  cookie: {
    path: '/',
    httpOnly: true,
    secure: platform.isHttps,
    sameSite: 'lax',
  },
  store: env.get('SESSION_DRIVER') ?? 'redis',
  stores: { redis: stores.redis({ connection: 'sessions' }) },
})
