import { statement } from '#shared/statement'
import { LRUCache } from 'lru-cache'
import { createHash, randomBytes } from 'node:crypto'

export interface GateDevice {
  id: number
  name: string
}

const selectDevice = statement<GateDevice, { digest: string }>(
  'gate_device',
  'SELECT id, name FROM gate_devices WHERE key_digest = :digest AND revoked_at IS NULL'
)

/** A device key is 256 random bits, so its plain SHA-256 is enough to store. */
export const digestGateKey = (key: string) => createHash('sha256').update(key).digest('hex')
export const newGateKey = () => `gk_${randomBytes(32).toString('base64url')}`

const MOST_KEYS = 10_000
const cached = new LRUCache<string, true>({ max: MOST_KEYS })

const selectDigests = statement<{ key_digest: string }, { mostKeys: number }>(
  'gate_device_digests',
  'SELECT key_digest FROM gate_devices WHERE revoked_at IS NULL LIMIT :mostKeys'
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

/** Whether this process has seen the key of a device before: an address that has spent its failures is asked for such a one. */
export const isCachedGateKey = (key: string) => cached.has(digestGateKey(key))

/** Reads every live key, so that an address that has spent its failures keeps no device out. */
export async function cacheGateKeys() {
  for (const { key_digest: digest } of await selectDigests({ mostKeys: MOST_KEYS }))
    cached.set(digest, true)
}
