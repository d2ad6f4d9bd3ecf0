import platform from '#config/platform'
import { defineConfig, stores } from '@adonisjs/session'
import env from '#start/env'

/** Sessions of the back office; the APIs have none. */
export default defineConfig({
  cookieName: 'staff',
  clearWithBrowser: true,
  age: '8h',
  cookie: {
    path: '/back-office',
    httpOnly: true,
    secure: platform.appUrl.startsWith('https:'),
    sameSite: 'lax',
  },
  store: env.get('SESSION_DRIVER') ?? 'redis',
  stores: { redis: stores.redis({ connection: 'sessions' }) },
})
