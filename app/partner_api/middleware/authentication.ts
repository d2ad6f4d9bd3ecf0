import platform from '#config/platform'
import { signatureHint } from '#partner_api/middleware/signature_hint'
import { openSecret } from '#partners/api_key'
import { findPartnerKey, type PartnerKeyRow } from '#partners/queries/find_partner_key'
import { noteRefusedAddress } from '#partners/recent_refusals'
import { addressList } from '#shared/addresses'
import { Refusal } from '#shared/refusals'
import { canonicalBytes, isSignedBy, type SignedParts } from '#shared/signature'
import type { HttpContext } from '@adonisjs/core/http'

const WINDOW_SECONDS = 300
const TEN_DIGITS = /^\d{10}$/

/** The key with its partner; throws INVALID_API_KEY (contract, Authentication). */
export async function identify({ request }: HttpContext): Promise<PartnerKeyRow> {
  const apiKey = request.header('x-api-key') ?? ''
  const other = platform.deployment === 'sandbox' ? 'live' : 'sandbox'
  if (apiKey.startsWith(`pk_${other}_`)) {
    const message = `This is a ${other} key; this deployment takes ${platform.deployment} keys`
    throw new Refusal('INVALID_API_KEY', {}, message)
  }
  const key = await findPartnerKey(apiKey)
  if (!key) throw new Refusal('INVALID_API_KEY')
  return key
}

export function partsOf({ request }: HttpContext, body: Buffer): SignedParts {
  const method = request.method()
  const timestamp = request.header('x-timestamp') ?? ''
  return { timestamp, method, uri: request.request.url ?? '', body: method === 'GET' ? '' : body }
}

/** Timestamp, signature, then the sender's address; any failure is INVALID_SIGNATURE. */
export function assertSigned(ctx: HttpContext, key: PartnerKeyRow, body: Buffer): void {
  const parts = partsOf(ctx, body)
  const signature = ctx.request.header('x-signature') ?? ''
  const secret = openSecret(key.api_key, key.secret_encrypted)
  if (!isTimely(parts.timestamp) || !isSignedBy(secret, parts, signature)) {
    throw new Refusal('INVALID_SIGNATURE', explain(secret, parts, signature))
  }
  assertAllowedAddress(ctx, key)
}

function isTimely(timestamp: string) {
  const skewSeconds = Math.abs(Math.floor(Date.now() / 1000) - Number(timestamp))
  return TEN_DIGITS.test(timestamp) && skewSeconds <= WINDOW_SECONDS
}

/** What the server signed, for a developer at work; never on a live deployment. */
function explain(secret: string, parts: SignedParts, signature: string) {
  if (platform.deployment !== 'sandbox') return {}
  const canonical = canonicalBytes(parts).toString()
  return { canonical_string: canonical, hint: signatureHint(secret, parts, signature) }
}

/** The true reason stays with us (completions, Order of checks). */
function assertAllowedAddress({ request, logger }: HttpContext, key: PartnerKeyRow) {
  if (key.allowed_addresses.length === 0) return
  const address = request.ip()
  if (addressList(key.allowed_addresses).check(address)) return
  logger.warn({ partner: key.code, address }, 'the address is not on the list of the partner')
  noteRefusedAddress(key.partner_id, address)
  throw new Refusal('INVALID_SIGNATURE')
}
