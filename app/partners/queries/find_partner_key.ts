import { isAdmitted } from '#shared/connection_places'
import { FreshRead } from '#shared/fresh_read'
import { IS_RESTORE_OPEN } from '#shared/selling_mark'
import { statement } from '#shared/statement'
import { LRUCache } from 'lru-cache'

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
  /** Nothing is sold until `restore:finish`. */
  is_restore_open: boolean
}

const LIVE_KEYS = `partner_keys k JOIN partners p ON p.id = k.partner_id
    WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`

export const selectKey = statement<PartnerKeyRow, { apiKey: string }>(
  'partner_key',
  `SELECT k.api_key, k.secret_encrypted, p.id AS partner_id, p.code, p.status,
          p.requests_per_minute, p.requests_in_flight, p.pending_orders,
          p.hold_seconds, p.payment_window_seconds, p.allowed_addresses, ${IS_RESTORE_OPEN} AS is_restore_open
     FROM ${LIVE_KEYS} AND k.api_key = :apiKey`
)

/** What checks a signature; it never changes while the key lives. */
export type CachedKey = Pick<PartnerKeyRow, 'api_key' | 'secret_encrypted' | 'partner_id'>

const selectLiveKeys = statement<CachedKey, { maxKeys: number }>(
  'partner_keys_live',
  `SELECT k.api_key, k.secret_encrypted, p.id AS partner_id FROM ${LIVE_KEYS} LIMIT :maxKeys`
)

const MAX_KEYS = 10_000
const UNKNOWN_TTL_MS = 1_000
const cached = new LRUCache<string, CachedKey>({ max: MAX_KEYS })
const recentlyUnknown = new LRUCache<string, true>({ max: MAX_KEYS, ttl: UNKNOWN_TTL_MS })
const reads = new FreshRead<PartnerKeyRow | undefined>()
const SHAPE = /^pk_(sandbox|live)_[0-9A-Za-z]{24,64}$/

/**
 * The live key with its partner, read for each request, so that a revocation counts at once.
 * An unknown key is remembered for a second.
 */
export async function findPartnerKey(apiKey: string): Promise<PartnerKeyRow | undefined> {
  if (!SHAPE.test(apiKey) || recentlyUnknown.has(apiKey)) return undefined
  // A confirm must not join a read that waits for a place.
  const reader = isAdmitted() ? 'admitted' : 'other'
  const key = await reads.read(`${reader} ${apiKey}`, () => selectKey.first({ apiKey }))
  if (key) cached.set(apiKey, key)
  else recentlyUnknown.set(apiKey, true)
  return key
}

/** A key as this process last read it: good for checking a signature, not for admitting the request. */
export const cachedKey = (apiKey: string): CachedKey | undefined => cached.get(apiKey)

/** Caches every live key, so that partners behind an address with too many failures are still recognised. */
export async function cacheLiveKeys() {
  for (const key of await selectLiveKeys({ maxKeys: MAX_KEYS })) cached.set(key.api_key, key)
}
