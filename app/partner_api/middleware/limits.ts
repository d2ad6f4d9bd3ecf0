import platform from '#config/platform'
import type { PartnerKeyRow } from '#partners/queries/find_partner_key'
import type { Budget } from '#shared/budget'
import { partnerBudget } from '#partners/settings'
import { enter, leave, type Admission } from '#shared/rate_limit'
import { Refusal, refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

export function showLimits({ response }: HttpContext, { limit, remaining, resetAt }: Admission) {
  response.header('X-RateLimit-Limit', limit)
  response.header('X-RateLimit-Remaining', remaining)
  response.header('X-RateLimit-Reset', resetAt)
}

function assertAdmitted({ refusedBy, retryAfterSeconds }: Admission) {
  if (refusedBy) refuse('RATE_LIMIT_EXCEEDED', { retry_after: retryAfterSeconds })
}

/** The partner's rate and its requests in flight; only signed requests spend them. */
export async function assertUnderLimits(ctx: HttpContext, key: PartnerKeyRow) {
  const { requests_per_minute: perMinute, requests_in_flight: inFlight } = key
  const budget = partnerBudget(key.partner_id, perMinute, inFlight)
  const admission = await enter(budget)
  showLimits(ctx, admission)
  assertAdmitted(admission)
  ctx.response.response.once('close', () => leave(budget, admission.slot))
}

const addressBudget = ({ request }: HttpContext): Budget => ({
  key: `address:${request.ip()}`,
  perMinute: platform.failedAuthPerMinute,
})

/** Shows where the address stands, without counting: for what anybody may read. */
export async function showAddressLimits(ctx: HttpContext) {
  showLimits(ctx, await enter(addressBudget(ctx), 0))
}

/**
 * A failed authentication costs its address, never the partner whose key was used.
 * Returns what to answer: the failure itself, or RATE_LIMIT_EXCEEDED once the address has spent its minute.
 */
export async function spendFailure(ctx: HttpContext, failure: unknown): Promise<unknown> {
  if (!(failure instanceof Refusal)) {
    await showAddressLimits(ctx)
    return failure
  }
  const admission = await enter(addressBudget(ctx))
  showLimits(ctx, admission)
  if (!admission.refusedBy) return failure
  return new Refusal('RATE_LIMIT_EXCEEDED', { retry_after: admission.retryAfterSeconds })
}
