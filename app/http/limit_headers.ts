import { addressGroup } from '#shared/addresses'
import { refuse } from '#shared/refusals'
import type { Admission } from '#shared/rate_limit'
import type { HttpContext } from '@adonisjs/core/http'

/** Whose budget an unauthenticated request spends. */
export const addressOf = ({ request }: HttpContext) => addressGroup(request.ip())

/** Every answer shows one budget (contract, Limits). */
export function showLimits({ response }: HttpContext, { limit, remaining, resetAt }: Admission) {
  response.header('X-RateLimit-Limit', limit)
  response.header('X-RateLimit-Remaining', remaining)
  response.header('X-RateLimit-Reset', resetAt)
}

export function assertAdmitted({ refusedBy, retryAfterSeconds }: Admission) {
  if (refusedBy) refuse('RATE_LIMIT_EXCEEDED', { retry_after: retryAfterSeconds })
}
