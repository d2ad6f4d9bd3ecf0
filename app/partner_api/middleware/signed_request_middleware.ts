import { isOver } from '#http/exchange'
import { hasSpentFailures, spendFailure } from '#http/failed_authentication'
import { dropBody, readBody, readUntrustedBody } from '#http/request_body'
import {
  assertAllowedAddress,
  explainSignature,
  explainsSignatures,
  hasPossibleSignature,
  isSigned,
  readApiKey,
} from '#partner_api/middleware/authentication'
import { BODY_LIMIT_BYTES, READ_LIMIT_BYTES } from '#partner_api/middleware/body_limits'
import { countWhenAnswered } from '#partner_api/middleware/counted_answers'
import {
  isConfirmOrCancel,
  withConnectionReserve,
} from '#partner_api/middleware/reserved_connections'
import { readJsonBody } from '#partner_api/middleware/json_body'
import { assertUnderLimits, mayRecordForged } from '#partner_api/middleware/limits'
import { assertNotRestored } from '#partner_api/middleware/restored_database'
import {
  isConfirm,
  recordUnservedFailure,
  recordUnservedRefusal,
} from '#partner_api/middleware/unserved_confirms'
import { readQuery } from '#partner_api/validation'
import {
  findPartnerKey,
  cachedKey,
  type CachedKey,
  type PartnerKeyRow,
} from '#partners/queries/find_partner_key'
import { AnswerDeadline } from '#shared/answer_deadline'
import { withReserve } from '#shared/connection_places'
import type { SellingPartner } from '#sales/selling_partner'
import type { Actor } from '#shared/actor'
import { Refusal, refuse } from '#shared/refusals'
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
 * Authenticates a partner's request and applies its limits (completions, Order of checks, 2 to 6).
 * One middleware, because the contract fixes the order of the steps.
 */
export default class SignedRequestMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const { key, raw, deadline } = await this.#authenticate(ctx)
    countWhenAnswered(ctx, key.partner_id)
    ctx.caller = key.code
    ctx.partnerCode = key.code
    ctx.partner = toSellingPartner(key)
    ctx.actor = { kind: 'partner', name: key.api_key, requestId: ctx.requestId }
    try {
      await assertUnderLimits(ctx, key)
      assertNotRestored(ctx, key)
      if (ctx.request.method() === 'POST') {
        ctx.body = readJsonBody(ctx, raw)
        readQuery(ctx.request.request.url!)
      }
    } catch (refusal) {
      await withReserve(() => recordUnservedRefusal(ctx, key.partner_id, raw, refusal, true))
      throw refusal
    }
    if (isAbandonedRead(ctx)) return
    const handled = withConnectionReserve(ctx, async () => {
      if (!isAbandonedRead(ctx)) await next()
    })
    return deadline.race(handled)
  }

  /**
   * The signature is checked with a cached key before the key is read from PostgreSQL, and the body is read only for a
   * known key and headers that can be right: an address with too many failures costs no query, and the body of a stranger
   * no memory.
   */
  async #authenticate(ctx: HttpContext): Promise<Authenticated> {
    const attempt: Attempt = {}
    let deadline = new AnswerDeadline()
    const find = (apiKey: string) => deadline.race(findPartnerKey(apiKey))
    try {
      const apiKey = readApiKey(ctx)
      const hasSpent = hasSpentFailures(ctx)
      attempt.cached = cachedKey(apiKey) ?? (hasSpent ? undefined : await find(apiKey))
      if (!attempt.cached) refuse('INVALID_API_KEY')

      attempt.isUnread = !hasPossibleSignature(ctx)
      const raw = attempt.isUnread
        ? undefined
        : await readBody(ctx.request.request, READ_LIMIT_BYTES)
      if (raw === null) refuse('PAYLOAD_TOO_LARGE', { limit_bytes: BODY_LIMIT_BYTES })
      attempt.raw = raw
      // The time in which the body arrived was the client's.
      deadline = new AnswerDeadline()
      if (!raw || !isSigned(ctx, attempt.cached, raw))
        attempt.mismatch = new Refusal('INVALID_SIGNATURE')
      if (attempt.mismatch && hasSpent) throw attempt.mismatch

      const mayUseReserve = isConfirmOrCancel(ctx) && !attempt.mismatch
      const findKey = () => find(apiKey)
      const key = await (mayUseReserve ? withReserve(findKey) : findKey())
      if (!key) refuse('INVALID_API_KEY')
      if (attempt.mismatch) throw attempt.mismatch
      assertAllowedAddress(ctx, key)
      return { key, raw: raw!, deadline }
    } catch (failure) {
      throw await this.#answerFailure(ctx, attempt, failure)
    }
  }

  /** The answer to a failed attempt; beyond the budget of its address nothing is read, recorded or explained. */
  async #answerFailure(ctx: HttpContext, attempt: Attempt, failure: unknown) {
    const { cached, raw, mismatch } = attempt
    try {
      if (cached && raw && !mismatch && !(failure instanceof Refusal))
        recordUnservedFailure(ctx, cached.partner_id, raw, failure)
      const answer = await spendFailure(ctx, failure)
      if (answer !== failure || !cached) return answer
      countWhenAnswered(ctx, cached.partner_id)
      return answer instanceof Refusal ? await explain(ctx, cached, attempt, answer) : answer
    } finally {
      dropBody(ctx.request.request)
    }
  }
}

/** Records a forged confirm, and explains a wrong signature in the sandbox: for these two a body is read after all. */
async function explain(ctx: HttpContext, key: CachedKey, attempt: Attempt, answer: Refusal) {
  if (!attempt.isUnread && !attempt.raw) return answer
  const isRecorded = isConfirm(ctx) && (await mayRecordForged(key.partner_id))
  const isExplained = answer === attempt.mismatch && explainsSignatures()
  if (!isRecorded && !isExplained) return answer
  const raw = attempt.isUnread
    ? await readUntrustedBody(ctx.request.request, READ_LIMIT_BYTES)
    : attempt.raw
  if (!raw) return answer
  if (isRecorded) await recordUnservedRefusal(ctx, key.partner_id, raw, answer, false)
  return isExplained ? explainSignature(ctx, key, raw) : answer
}

interface Authenticated {
  key: PartnerKeyRow
  raw: Buffer
  deadline: AnswerDeadline
}

/** The progress of an authentication. */
interface Attempt {
  cached?: CachedKey
  /** Set when the headers cannot be right, whatever the body is. */
  isUnread?: boolean
  raw?: Buffer
  /** Set when the signature does not match ours. */
  mismatch?: Refusal
}

/** A read whose client has disconnected is skipped; a write is finished. */
const isAbandonedRead = (ctx: HttpContext) => ctx.request.method() === 'GET' && isOver(ctx)

const toSellingPartner = (key: PartnerKeyRow): SellingPartner => ({
  id: key.partner_id,
  isSuspended: key.status === 'suspended',
  requestsInFlight: key.requests_in_flight,
  pendingOrders: key.pending_orders,
  holdSeconds: key.hold_seconds,
  paymentWindowSeconds: key.payment_window_seconds,
})
