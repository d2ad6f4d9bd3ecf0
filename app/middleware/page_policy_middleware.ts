import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import vite from '@adonisjs/vite/services/main'

/** What a public page may load: our own files and nothing else. */
export default class PagePolicyMiddleware {
  async handle({ response }: HttpContext, next: NextFn, { inlineStyles = false } = {}) {
    response.header('Content-Security-Policy', contentPolicy(inlineStyles))
    response.header('X-Content-Type-Options', 'nosniff')
    response.header('Referrer-Policy', 'strict-origin-when-cross-origin')
    response.header('Cache-Control', 'no-cache')
    return next()
  }
}

function contentPolicy(inlineStyles: boolean) {
  const isDevelopment = vite.getDevServer() !== undefined
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'${inlineStyles || isDevelopment ? ` 'unsafe-inline'` : ''}`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'${isDevelopment ? ' ws:' : ''}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}
