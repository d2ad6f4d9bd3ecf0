import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

const revoke = statement<{ name: string }, { deviceId: number }>(
  'gate_device_revoke',
  `UPDATE gate_devices SET revoked_at = clock_timestamp()
    WHERE id = :deviceId AND revoked_at IS NULL RETURNING name`
)

export interface RevokeGateDeviceInput {
  deviceId: number
  reason: string
  actor: Actor
}

/** The next scan with this device's key is refused. */
export default class RevokeGateDevice {
  async handle({ deviceId, reason, actor }: RevokeGateDeviceInput) {
    await transaction(async (trx) => {
      const device = await revoke.first({ deviceId }, trx)
      if (!device) refuse('NO_SUCH', { what: `live gate device ${deviceId}` })
      await record('gate_device_revoked', { name: device.name, reason }, { actor }, trx)
    })
  }
}
