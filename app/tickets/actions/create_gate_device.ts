import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { digestGateKey, newGateKey } from '#tickets/gate_key'
import { transaction } from '#shared/transaction'

const insertDevice = statement<{ id: number }, { name: string; keyDigest: string }>(
  'gate_device_insert',
  'INSERT INTO gate_devices (name, key_digest) VALUES (:name, :keyDigest) ON CONFLICT (name) DO NOTHING RETURNING id'
)

/** A gate device with its own key, which is returned only once. */
export default class CreateGateDevice {
  async handle({ name, actor }: { name: string; actor: Actor }): Promise<{ key: string }> {
    const key = newGateKey()
    await transaction(async (trx) => {
      const device = await insertDevice.first({ name, keyDigest: digestGateKey(key) }, trx)
      if (!device) refuse('ALREADY_EXISTS', { what: `gate device ${name}` })
      await record('gate_device_created', { name }, { actor }, trx)
    })
    return { key }
  }
}
