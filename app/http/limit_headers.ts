import { addressGroup } from '#shared/addresses'
import { refuse } from '#shared/refusals'
import type { Admission } from '#shared/rate_limit'
import type { HttpContext } from '@adonisjs/core/http'

/** The address group that unauthenticated requests are counted by. */
export const addressOf = ({ request }: HttpContext) => addressGroup(request.ip())

/** Sets the headers of a budget, which every answer carries (contract, Limits). */
export function showLimits({ response }: HttpContext, { limit, remaining, resetAt }: Admission) {
  response.header('X-RateLimit-Limit', limit)
  response.header('X-RateLimit-Remaining', remaining)
  response.header('X-RateLimit-Reset', resetAt)
}

export function assertAdmitted({ refusedBy, retryAfterSeconds }: Admission) {
  if (refusedBy) refuse('RATE_LIMIT_EXCEEDED', { retry_after: retryAfterSeconds })
}
