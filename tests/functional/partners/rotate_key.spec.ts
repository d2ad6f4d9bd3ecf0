import IssueKey from '#partners/actions/issue_key'
import RevokeKey from '#partners/actions/revoke_key'
import RotateKey from '#partners/actions/rotate_key'
import type { Refusal } from '#shared/refusals'
import { together } from '#tests/functional/races/support/crowd'
import { aPartner, TESTER, type TestPartner } from '#tests/support/fixtures'
import { PartnerClient } from '#tests/support/partner_client'
import { ownerOne, rows } from '#tests/support/rows'
import { test } from '@japa/runner'

const keysOf = ({ id }: TestPartner) =>
  rows('SELECT * FROM partner_keys WHERE partner_id = ? ORDER BY created_at', id)
const firstKey = async (partner: TestPartner) => {
  const [key] = await keysOf(partner)
  return key.api_key as string
}
const statusFor = async (client: PartnerClient) => {
  const { status } = await client.get('/events')
  return status
}
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
const rotate = (partner: TestPartner, apiKey: string, expiresAt = inHours(24)) =>
  new RotateKey().handle({ partnerCode: partner.code, apiKey, expiresAt, actor: TESTER })
const codeOf = (error: unknown) => (error as Refusal).refusalCode

test.group('RotateKey', () => {
  test('both keys work until the given moment, then the new one alone', async ({ assert }) => {
    const partner = await aPartner()
    const old = await firstKey(partner)
    const pair = await rotate(partner, old)
    const fresh = new PartnerClient(pair)
    assert.equal(await statusFor(partner.client), 200)
    assert.equal(await statusFor(fresh), 200)

    await ownerOne(
      `UPDATE partner_keys SET expires_at = now() WHERE api_key = ? RETURNING api_key`,
      old
    )
    assert.equal(await statusFor(partner.client), 401)
    assert.equal(await statusFor(fresh), 200)
  })

  test('the journal names both keys and never a secret', async ({ assert }) => {
    const partner = await aPartner()
    const old = await firstKey(partner)
    const expiresAt = inHours(1)
    const { apiKey, secret } = await rotate(partner, old, expiresAt)
    const entries = await rows(
      `SELECT name, change FROM journal WHERE partner_id = ? ORDER BY id DESC LIMIT 2`,
      partner.id
    )
    const rotated = { api_key: old, replaced_by: apiKey, expires_at: expiresAt.toISOString() }
    assert.deepEqual(entries, [
      { name: 'partner_key_rotated', change: rotated },
      { name: 'partner_key_issued', change: { api_key: apiKey } },
    ])
    assert.notInclude(JSON.stringify(entries), secret)
  })

  test('the journal has a further key by its name', async ({ assert }) => {
    const { id, code: partnerCode } = await aPartner()
    const { apiKey, secret } = await new IssueKey().handle({ partnerCode, actor: TESTER })
    const sql = `SELECT actor, change FROM journal WHERE partner_id = ? AND name = 'partner_key_issued'`
    const entries = await rows(sql, id)
    assert.deepInclude(entries, { actor: TESTER.name, change: { api_key: apiKey } })
    assert.notInclude(JSON.stringify(entries), secret)
  })

  test('a revoked key is neither rotated nor revoked again', async ({ assert }) => {
    const partner = await aPartner()
    const old = await firstKey(partner)
    const revoke = () =>
      new RevokeKey().handle({ apiKey: old, actor: TESTER }).then(() => 'done', codeOf)
    assert.equal(await revoke(), 'done')
    assert.equal(await revoke(), 'NO_SUCH')
    assert.equal(await rotate(partner, old).then(() => 'done', codeOf), 'NO_SUCH')
    assert.lengthOf(await keysOf(partner), 1)
  })

  test('two simultaneous rotations make one new key', async ({ assert }) => {
    const partner = await aPartner()
    const old = await firstKey(partner)
    const outcomes = await together(4, () => rotate(partner, old).then(() => 'done', codeOf))
    assert.deepEqual(outcomes.toSorted(), ['NO_SUCH', 'NO_SUCH', 'NO_SUCH', 'done'])
    assert.lengthOf(await keysOf(partner), 2)
  })

  test('a past moment or another partner’s key changes nothing', async ({ assert }) => {
    const [partner, other] = await Promise.all([aPartner(), aPartner()])
    const old = await firstKey(partner)
    assert.equal(
      await rotate(partner, old, inHours(-1)).catch(codeOf),
      'INVALID_PARAMETERS' as never
    )
    assert.equal(await rotate(other, old).catch(codeOf), 'NO_SUCH' as never)
    const revoking = { apiKey: old, partnerCode: other.code, actor: TESTER }
    assert.equal(await new RevokeKey().handle(revoking).catch(codeOf), 'NO_SUCH')
    assert.equal(await statusFor(partner.client), 200)
    assert.lengthOf(await keysOf(partner), 1)
    assert.lengthOf(await keysOf(other), 1)
  })
})
