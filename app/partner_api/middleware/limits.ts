import { addressOf, assertAdmitted, showLimits } from '#http/limit_headers'
import platform from '#config/platform'
import { whenOver } from '#http/exchange'
import type { PartnerKeyRow } from '#partners/queries/find_partner_key'
import { partnerBudget, withReserve } from '#partners/settings'
import { isConfirmOrCancel } from '#partner_api/middleware/reserved_connections'
import { enter, leave } from '#shared/rate_limit'
import type { HttpContext } from '@adonisjs/core/http'

/** Counts a signed request against the partner's rate and its requests in flight. */
export async function assertUnderLimits(ctx: HttpContext, key: PartnerKeyRow) {
  const budget = partnerBudget(key.partner_id, key.requests_per_minute, key.requests_in_flight)
  const admission = await enter(isConfirmOrCancel(ctx) ? withReserve(budget) : budget)
  if (!admission.refusedBy) whenOver(ctx, () => leave(budget, admission.slot))
  showLimits(ctx, admission)
  assertAdmitted(admission)
}

/** Counts an unsigned public read against the budget of its address. */
export async function assertUnderPublicLimit(ctx: HttpContext) {
  const budget = { key: `public:${addressOf(ctx)}`, perMinute: platform.publicReadsPerMinute }
  const admission = await enter(budget)
  showLimits(ctx, admission)
  assertAdmitted(admission)
}

const FORGED_CONFIRMS_PER_MINUTE = 60

/** Limits records of confirms with a wrong signature: a stranger who knows the key must not flood the partner's log. */
export async function mayRecordForged(partnerId: number): Promise<boolean> {
  const budget = { key: `forged:${partnerId}`, perMinute: FORGED_CONFIRMS_PER_MINUTE }
  const { refusedBy } = await enter(budget)
  return refusedBy === null
}
