import { statement } from '#shared/statement'
import { LRUCache } from 'lru-cache'
import { createHash, randomBytes } from 'node:crypto'

export interface GateDevice {
  id: number
  name: string
}

const selectDevice = statement<GateDevice>(
  'gate_device',
  'SELECT id, name FROM gate_devices WHERE key_digest = $1 AND revoked_at IS NULL'
)

/** A device key is 256 random bits, so its plain SHA-256 is enough to store. */
export const digestGateKey = (key: string) => createHash('sha256').update(key).digest('hex')
export const newGateKey = () => `gk_${randomBytes(32).toString('base64url')}`

const met = new LRUCache<string, true>({ max: 10_000 })

/** The device of a key; read for each scan, so that a revocation counts at once. */
export async function findGateDevice(key: string): Promise<GateDevice | undefined> {
  if (!key.startsWith('gk_')) return undefined
  const digest = digestGateKey(key)
  const device = await selectDevice.first([digest])
  if (device) met.set(digest, true)
  return device
}

/** Whether this process has let a device in with this key before. */
export const isMetGateKey = (key: string) => met.has(digestGateKey(key))
