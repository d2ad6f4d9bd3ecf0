import platform from '#config/platform'
import { defineConfig } from '@adonisjs/shield'

/** Protects the back office's forms. Headers are set by `app/http/answer_policy.ts`. */
export default defineConfig({
  csp: { enabled: false },
  csrf: {
    enabled: true,
    enableXsrfCookie: true,
    cookieOptions: { path: '/back-office', secure: platform.isHttps },
    methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  },
  xFrame: { enabled: false },
  hsts: { enabled: false },
  contentTypeSniffing: { enabled: false },
})
