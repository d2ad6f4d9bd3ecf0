import { FreshRead } from '#shared/fresh_read'
import { statement } from '#shared/statement'

export interface PartnerKeyRow {
  api_key: string
  secret_encrypted: string
  partner_id: number
  code: string
  status: 'active' | 'suspended'
  requests_per_minute: number
  requests_in_flight: number
  pending_orders: number
  hold_seconds: number
  payment_window_seconds: number
  allowed_addresses: string[]
}

const selectKey = statement<PartnerKeyRow>(
  'partner_key',
  `SELECT k.api_key, k.secret_encrypted, p.id AS partner_id, p.code, p.status,
          p.requests_per_minute, p.requests_in_flight, p.pending_orders,
          p.hold_seconds, p.payment_window_seconds, p.allowed_addresses
     FROM partner_keys k JOIN partners p ON p.id = k.partner_id
    WHERE k.api_key = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`
)

const reads = new FreshRead<PartnerKeyRow | undefined>()
const SHAPE = /^pk_(sandbox|live)_[0-9A-Za-z]{24,64}$/

/** The live key with its partner, read anew for each request, so that a revocation counts at once. */
export async function findPartnerKey(apiKey: string): Promise<PartnerKeyRow | undefined> {
  if (!SHAPE.test(apiKey)) return undefined
  return reads.read(apiKey, () => selectKey.first([apiKey]))
}
