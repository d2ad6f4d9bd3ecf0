import { statement } from '#shared/statement'
import { digestGateKey } from '#tickets/gate_key'
import { LRUCache } from 'lru-cache'

export interface GateDevice {
  id: number
  name: string
}

const selectDevice = statement<GateDevice, { digest: string }>(
  'gate_device',
  'SELECT id, name FROM gate_devices WHERE key_digest = :digest AND revoked_at IS NULL'
)

const MAX_KEYS = 10_000
const cached = new LRUCache<string, true>({ max: MAX_KEYS })

const selectDigests = statement<{ key_digest: string }, { maxKeys: number }>(
  'gate_device_digests',
  'SELECT key_digest FROM gate_devices WHERE revoked_at IS NULL LIMIT :maxKeys'
)

/** The device of a key; read for each scan, so that a revocation counts at once. */
export async function findGateDevice(key: string): Promise<GateDevice | undefined> {
  if (!key.startsWith('gk_')) return undefined
  const digest = digestGateKey(key)
  const device = await selectDevice.first({ digest })
  if (device) cached.set(digest, true)
  else cached.delete(digest)
  return device
}

/** Whether this process has seen the key before; only such keys are looked up for an address with too many failures. */
export const isCachedGateKey = (key: string) => cached.has(digestGateKey(key))

/** Caches every live key, so that devices behind an address with too many failures are still recognised. */
export async function cacheGateKeys() {
  for (const { key_digest: digest } of await selectDigests({ maxKeys: MAX_KEYS }))
    cached.set(digest, true)
}
