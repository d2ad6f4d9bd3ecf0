import RevokeKey from '#partners/actions/revoke_key'
import { cachedKey, cacheLiveKeys } from '#partners/queries/find_partner_key'
import { aGate } from '#tests/functional/races/support/gates'
import { aPartner, anEvent, TESTER } from '#tests/support/fixtures'
import { one } from '#tests/support/rows'
import RevokeGateDevice from '#tickets/actions/revoke_gate_device'
import { cacheGateKeys, findGateDevice, isCachedGateKey } from '#tickets/queries/find_gate_device'
import { test } from '@japa/runner'

const revokeDevice = async (name: string) => {
  const { id } = await one('SELECT id FROM gate_devices WHERE name = ?', name)
  await new RevokeGateDevice().handle({ deviceId: Number(id), reason: 'Потерян', actor: TESTER })
}

// An address with too many failures gets no further than the keys that the process has cached.
test.group('The start of a process caches', () => {
  test('the live keys of partners', async ({ assert }) => {
    const [live, revoked] = [await aPartner(), await aPartner()]
    const [liveKey, revokedKey] = [live, revoked].map(({ client }) => client.credentials.apiKey)
    await new RevokeKey().handle({ apiKey: revokedKey, actor: TESTER })
    assert.isUndefined(cachedKey(liveKey))
    await cacheLiveKeys()
    assert.equal(cachedKey(liveKey)?.partner_id, live.id)
    assert.isUndefined(cachedKey(revokedKey))
  })

  test('the live keys of gate devices', async ({ assert }) => {
    const [live, revoked] = [await aGate(), await aGate()]
    await revokeDevice(revoked.name)
    assert.isFalse(isCachedGateKey(live.key))
    await cacheGateKeys()
    assert.deepEqual([isCachedGateKey(live.key), isCachedGateKey(revoked.key)], [true, false])
  })
})

test.group('A key of a gate device', () => {
  test('is no longer known to the process once a scan has shown that it was revoked', async ({
    assert,
  }) => {
    const gate = await aGate()
    const event = await anEvent()
    await gate.scan(event.id, 'no token')
    assert.isTrue(isCachedGateKey(gate.key))
    await revokeDevice(gate.name)
    assert.isUndefined(await findGateDevice(gate.key))
    assert.isFalse(isCachedGateKey(gate.key))
  })
})
