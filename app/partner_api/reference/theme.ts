import type { HttpContext } from '@adonisjs/core/http'

/** The reader's colour theme, from a cookie so that the first paint is right; null follows the system. */
export function themeOf(request: HttpContext['request']): 'light' | 'dark' | null {
  const chosen = request.plainCookie('theme', { encoded: false })
  return chosen === 'light' || chosen === 'dark' ? chosen : null
}
