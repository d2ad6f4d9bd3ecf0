import { assertSigned, identify } from '#partner_api/middleware/authentication'
import { noteIfRefused } from '#partner_api/middleware/refusal_notes'
import { readJsonBody } from '#partner_api/middleware/json_body'
import { assertUnderLimits, spendFailure } from '#partner_api/middleware/limits'
import { BODY_LIMIT_BYTES, readRawBody } from '#partner_api/middleware/raw_body'
import { traceTurnedAway } from '#partner_api/middleware/turned_away'
import { readQuery } from '#partner_api/validation'
import type { PartnerKeyRow } from '#partners/queries/find_partner_key'
import type { SellingPartner } from '#sales/selling_partner'
import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    partner: SellingPartner
    actor: Actor
    /** The JSON body of a signed POST. */
    body: Record<string, unknown>
  }
}

/**
 * The partner door: who asks, is it really them, may they ask now (completions, Order of checks, 2 to 6).
 * One middleware, because the order of its steps is the contract.
 */
export default class SignedRequestMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const { key, raw } = await this.#authenticate(ctx)
    noteIfRefused(ctx, key.partner_id)
    ctx.caller = key.code
    ctx.partnerCode = key.code
    ctx.partner = toSellingPartner(key)
    ctx.actor = { kind: 'partner', name: key.api_key, requestId: ctx.requestId }
    try {
      await assertUnderLimits(ctx, key)
      if (ctx.request.method() === 'POST') {
        ctx.body = readJsonBody(ctx, raw)
        readQuery(ctx.request.request.url!)
      }
    } catch (refusal) {
      await traceTurnedAway(ctx, key.partner_id, raw, refusal, true)
      throw refusal
    }
    return next()
  }

  async #authenticate(ctx: HttpContext): Promise<{ key: PartnerKeyRow; raw: Buffer }> {
    const raw = await readRawBody(ctx.request.request)
    let key: PartnerKeyRow | undefined
    try {
      key = await identify(ctx)
      if (raw === null) refuse('PAYLOAD_TOO_LARGE', { limit_bytes: BODY_LIMIT_BYTES })
      assertSigned(ctx, key, raw)
      return { key, raw }
    } catch (refusal) {
      const answer = await spendFailure(ctx, refusal)
      // Past the address's budget nothing is written: a stranger with a key must not fill the table.
      if (key && answer === refusal) {
        noteIfRefused(ctx, key.partner_id)
        if (raw) await traceTurnedAway(ctx, key.partner_id, raw, answer, false)
      }
      throw answer
    }
  }
}

const toSellingPartner = (key: PartnerKeyRow): SellingPartner => ({
  id: key.partner_id,
  isSuspended: key.status === 'suspended',
  requestsInFlight: key.requests_in_flight,
  pendingOrders: key.pending_orders,
  holdSeconds: key.hold_seconds,
  paymentWindowSeconds: key.payment_window_seconds,
})
