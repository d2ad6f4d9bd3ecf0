import platform from '#config/platform'
import { addressOf, showLimits } from '#http/limit_headers'
import type { Budget } from '#shared/budget'
import { enter, type Admission } from '#shared/rate_limit'
import { Refusal } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import { LRUCache } from 'lru-cache'

const MAX_ADDRESSES = 50_000

/** Addresses that have spent their failures, each until one of them leaves the window. */
const spent = new LRUCache<string, Admission>({ max: MAX_ADDRESSES })

const budgetOf = (address: string): Budget => ({
  key: `address:${address}`,
  perMinute: platform.failedAuthPerMinute,
})

/** Whether the address has no failure left; such a request is refused without a question to PostgreSQL or Redis. */
export const hasSpentFailures = (ctx: HttpContext) => spent.has(addressOf(ctx))

/** Shows where the address stands, without counting. */
export async function showFailures(ctx: HttpContext) {
  showLimits(ctx, await enter(budgetOf(addressOf(ctx)), 0))
}

/**
 * A failed authentication costs its address, never the partner or device whose key was used.
 * Returns what to answer: the failure itself, or RATE_LIMIT_EXCEEDED once the address has spent its minute.
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
