import { statement } from '#shared/statement'
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

export const findGateDevice = async (key: string) =>
  key.startsWith('gk_') ? selectDevice.first([digestGateKey(key)]) : undefined
