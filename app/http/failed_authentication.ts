import platform from '#config/platform'
import { addressOf, showLimits } from '#http/limit_headers'
import type { Budget } from '#shared/budget'
import { enter, type Admission } from '#shared/rate_limit'
import { Refusal } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import { LRUCache } from 'lru-cache'

const MAX_ADDRESSES = 50_000

/** Addresses with too many failures, each until the window allows one more. */
const spent = new LRUCache<string, Admission>({ max: MAX_ADDRESSES })

const budgetOf = (address: string): Budget => ({
  key: `address:${address}`,
  perMinute: platform.failedAuthPerMinute,
})

/** Whether the address has too many failures; it is then refused without a query to PostgreSQL or Redis. */
export const hasSpentFailures = (ctx: HttpContext) => spent.has(addressOf(ctx))

/** Sets the headers of the address's budget without counting. */
export async function showFailures(ctx: HttpContext) {
  showLimits(ctx, await enter(budgetOf(addressOf(ctx)), 0))
}

/**
 * Counts a failed authentication against its address, never against the partner or device of the key.
 * Returns the error to answer with: the failure itself, or RATE_LIMIT_EXCEEDED beyond the limit of the address.
 */
export async function spendFailure(ctx: HttpContext, failure: unknown): Promise<unknown> {
  if (!(failure instanceof Refusal)) {
    await showFailures(ctx)
    return failure
  }
  const address = addressOf(ctx)
  const admission = spent.get(address) ?? (await enter(budgetOf(address)))
  showLimits(ctx, admission)
  const waitMs = Math.max(1, admission.resetAt * 1000 - Date.now())
  if (admission.remaining === 0)
    spent.set(address, { ...admission, refusedBy: 'rate' }, { ttl: waitMs })
  if (!admission.refusedBy) return failure
  return new Refusal('RATE_LIMIT_EXCEEDED', { retry_after: Math.ceil(waitMs / 1000) })
}
