import platform from '#config/platform'
import app from '@adonisjs/core/services/app'
import { defineConfig } from '@adonisjs/shield'

const isSecure = platform.appUrl.startsWith('https:')
// Vite's development server talks over a WebSocket.
const hotReload = app.inProduction ? [] : ['ws:']

/** Protects the back office. Nuxt UI sets styles at run time; scripts need a file of ours or the page's nonce. */
export default defineConfig({
  csp: {
    enabled: true,
    directives: {
      defaultSrc: [`'none'`],
      scriptSrc: [`'self'`, '@nonce'],
      styleSrc: [`'self'`, `'unsafe-inline'`],
      imgSrc: [`'self'`, 'data:'],
      fontSrc: [`'self'`],
      connectSrc: [`'self'`, ...hotReload],
      formAction: [`'self'`],
      baseUri: [`'none'`],
      frameAncestors: [`'none'`],
    },
    reportOnly: false,
  },
  csrf: {
    enabled: true,
    enableXsrfCookie: true,
    cookieOptions: { path: '/back-office', secure: isSecure },
    methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  },
  xFrame: { enabled: true, action: 'DENY' },
  hsts: { enabled: isSecure, maxAge: '365 days' },
  contentTypeSniffing: { enabled: true },
})
