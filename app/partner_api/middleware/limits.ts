import { addressOf, assertAdmitted, showLimits } from '#http/limit_headers'
import platform from '#config/platform'
import { whenOver } from '#http/exchange'
import type { PartnerKeyRow } from '#partners/queries/find_partner_key'
import { partnerBudget, withReserve } from '#partners/settings'
import { isConfirmOrCancel } from '#partner_api/middleware/reserve_for_confirms'
import { enter, leave } from '#shared/rate_limit'
import type { HttpContext } from '@adonisjs/core/http'

/** The partner's rate and its requests in flight; only signed requests spend them. */
export async function assertUnderLimits(ctx: HttpContext, key: PartnerKeyRow) {
  const budget = partnerBudget(key.partner_id, key.requests_per_minute, key.requests_in_flight)
  const admission = await enter(isConfirmOrCancel(ctx) ? withReserve(budget) : budget)
  if (!admission.refusedBy) whenOver(ctx, () => leave(budget, admission.slot))
  showLimits(ctx, admission)
  assertAdmitted(admission)
}

/** What anybody may read, without a signature, has a budget of its own for each address. */
export async function assertUnderPublicLimit(ctx: HttpContext) {
  const budget = { key: `public:${addressOf(ctx)}`, perMinute: platform.publicReadsPerMinute }
  const admission = await enter(budget)
  showLimits(ctx, admission)
  assertAdmitted(admission)
}

const FORGED_CONFIRMS_PER_MINUTE = 60

/** A stranger who knows a partner's key must not fill its log of confirms from many addresses. */
export async function mayTraceForged(partnerId: number): Promise<boolean> {
  const budget = { key: `forged:${partnerId}`, perMinute: FORGED_CONFIRMS_PER_MINUTE }
  const { refusedBy } = await enter(budget)
  return refusedBy === null
}
