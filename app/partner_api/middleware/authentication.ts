import platform from '#config/platform'
import { signatureHint } from '#partner_api/middleware/signature_hint'
import { openSecret } from '#partners/api_key'
import { BODY_LIMIT_BYTES } from '#partner_api/middleware/body_limits'
import type { CachedKey, PartnerKeyRow } from '#partners/queries/find_partner_key'
import { recordRefusedAddress } from '#partners/recent_refusals'
import { addressList } from '#shared/addresses'
import { Refusal } from '#shared/refusals'
import { canonicalBytes, isSignatureShaped, isSignedBy, type SignedParts } from '#shared/signature'
import type { HttpContext } from '@adonisjs/core/http'

const WINDOW_SECONDS = 300
const TEN_DIGITS = /^\d{10}$/

/** The API key of the request; throws INVALID_API_KEY for a key of the other deployment (contract, Authentication). */
export function readApiKey({ request }: HttpContext): string {
  const apiKey = request.header('x-api-key') ?? ''
  const other = platform.deployment === 'sandbox' ? 'live' : 'sandbox'
  if (apiKey.startsWith(`pk_${other}_`)) {
    const message = `This is a ${other} key; this deployment takes ${platform.deployment} keys`
    throw new Refusal('INVALID_API_KEY', {}, message)
  }
  return apiKey
}

export function partsOf({ request }: HttpContext, body: Buffer): SignedParts {
  const method = request.method()
  const timestamp = request.header('x-timestamp') ?? ''
  return { timestamp, method, uri: request.request.url ?? '', body: method === 'GET' ? '' : body }
}

const signatureOf = ({ request }: HttpContext) => request.header('x-signature') ?? ''
const secretOf = (key: CachedKey) => openSecret(key.api_key, key.secret_encrypted)

/** Whether timestamp and signature can be right at all, judged without the body. */
export function hasPossibleSignature(ctx: HttpContext) {
  const timestamp = ctx.request.header('x-timestamp') ?? ''
  if (isTimely(timestamp)) return isSignatureShaped(signatureOf(ctx))
  if (TEN_DIGITS.test(timestamp)) ctx.refusalReason = skewInWords(timestamp)
  return false
}

/** Whether the request is signed with the key and its timestamp is within five minutes. */
export function isSigned(ctx: HttpContext, key: CachedKey, body: Buffer): boolean {
  const parts = partsOf(ctx, body)
  return isTimely(parts.timestamp) && isSignedBy(secretOf(key), parts, signatureOf(ctx))
}

/** How far our clock is ahead of the timestamp. */
const skewSecondsOf = (timestamp: string) => Math.floor(Date.now() / 1000) - Number(timestamp)

const isTimely = (timestamp: string) =>
  TEN_DIGITS.test(timestamp) && Math.abs(skewSecondsOf(timestamp)) <= WINDOW_SECONDS

function skewInWords(timestamp: string) {
  const seconds = skewSecondsOf(timestamp)
  return `X-Timestamp is ${Math.abs(seconds)} s ${seconds > 0 ? 'behind' : 'ahead of'} the clock of this machine`
}

export const explainsSignatures = () => platform.deployment === 'sandbox'

/** INVALID_SIGNATURE with the string that the server signed and a hint, in the sandbox only. */
export function explainSignature(ctx: HttpContext, key: CachedKey, body: Buffer): Refusal {
  if (!explainsSignatures() || body.length > BODY_LIMIT_BYTES)
    return new Refusal('INVALID_SIGNATURE')
  const parts = partsOf(ctx, body)
  const canonical = canonicalBytes(parts).toString()
  const hint = signatureHint(secretOf(key), parts, signatureOf(ctx))
  return new Refusal('INVALID_SIGNATURE', { canonical_string: canonical, hint })
}

/** Refuses addresses that are not on the partner's list; the answer hides the reason (completions, Order of checks). */
export function assertAllowedAddress({ request, logger }: HttpContext, key: PartnerKeyRow) {
  if (key.allowed_addresses.length === 0) return
  const address = request.ip()
  if (addressList(key.allowed_addresses).check(address)) return
  logger.warn({ partner: key.code, address }, 'the address is not on the list of the partner')
  recordRefusedAddress(key.partner_id, address)
  throw new Refusal('INVALID_SIGNATURE')
}
