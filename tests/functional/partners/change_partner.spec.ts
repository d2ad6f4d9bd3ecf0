import ChangePartner, { PARTNER_VERSION } from '#partners/actions/change_partner'
import CreatePartner from '#partners/actions/create_partner'
import type { Refusal } from '#shared/refusals'
import { together } from '#tests/functional/races/support/crowd'
import { untilSomebodyWaits } from '#tests/functional/races/support/gate_hold'
import { aPartner, aSale, book, TESTER, uniqueKey, type TestPartner } from '#tests/support/fixtures'
import { dataOf } from '#tests/support/answers'
import { one, rows } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const versionOf = async ({ id }: { id: number }) => {
  const { version } = await one(
    `SELECT ${PARTNER_VERSION} AS version FROM partners WHERE id = ?`,
    id
  )
  return version as string
}
const change = (partnerCode: string, version: string, changes: object) =>
  new ChangePartner().handle({ partnerCode, version, changes, reason: 'agreed', actor: TESTER })
const changesOf = ({ id }: { id: number }) =>
  rows(`SELECT change FROM journal WHERE partner_id = ? AND name = 'partner_changed'`, id)
const statusFor = async ({ client }: TestPartner) => {
  const { status } = await client.get('/events')
  return status
}
const codeOf = (error: unknown) => (error as Refusal).refusalCode

test.group('ChangePartner', () => {
  test('a new limit applies from the next booking, and the journal has the old one', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale({ settings: { holdSeconds: 180 } })
    await change(partner.code, await versionOf(partner), { holdSeconds: 60, name: 'Кино' })

    const booking = dataOf(await book(client, event.id, ['seat-1-1']))
    assert.equal(Date.parse(booking.expires_at) - Date.parse(booking.created_at), 60_000)
    const entry = {
      changed: { name: { from: partner.code, to: 'Кино' }, holdSeconds: { from: 180, to: 60 } },
      reason: 'agreed',
    }
    assert.deepEqual(await changesOf(partner), [{ change: entry }])
  })

  test('a stale change is refused and changes nothing', async ({ assert }) => {
    const partner = await aPartner({ pendingOrders: 50 })
    const version = await versionOf(partner)
    const asked = [60, 70, 80].map((pendingOrders) =>
      change(partner.code, version, { pendingOrders }).then(() => 'done', codeOf)
    )
    const outcomes = await Promise.all(asked)
    assert.deepEqual(outcomes.toSorted(), ['STALE', 'STALE', 'done'])
    const { pending_orders: stored } = await one(
      'SELECT pending_orders FROM partners WHERE id = ?',
      partner.id
    )
    assert.equal(stored, [60, 70, 80][outcomes.indexOf('done')])
    assert.lengthOf(await changesOf(partner), 1)
  })

  test('of two changes that have waited for each other the second is refused', async ({
    assert,
  }) => {
    const partner = await aPartner()
    const version = await versionOf(partner)
    const holding = await db.transaction()
    await holding.rawQuery('SELECT 1 FROM partners WHERE id = ? FOR NO KEY UPDATE', [partner.id])
    const both = [60, 70].map((pendingOrders) =>
      change(partner.code, version, { pendingOrders }).then(() => 'done', codeOf)
    )
    await untilSomebodyWaits(2)
    await holding.rollback()
    assert.sameMembers(await Promise.all(both), ['done', 'STALE'])
  })

  test('the same values again change nothing', async ({ assert }) => {
    const partner = await aPartner({ holdSeconds: 100 })
    const version = await versionOf(partner)
    await change(partner.code, version, { holdSeconds: 100 })
    assert.equal(await versionOf(partner), version)
    assert.isEmpty(await changesOf(partner))
  })

  test('an allow list admits only its addresses, at once', async ({ assert }) => {
    const partner = await aPartner()
    assert.equal(await statusFor(partner), 200)
    const allowedAddresses = ['198.51.100.0/24', '2001:db8::/32']
    await change(partner.code, await versionOf(partner), { allowedAddresses })
    assert.equal(await statusFor(partner), 401)
  })

  const WRONG = [
    '10.0.0.0/33',
    '10.0.0',
    'example.kz',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '2001:db8::/129',
    '',
  ]
  for (const range of WRONG) {
    test(`"${range}" is not an address range for a change or a new partner`, async ({ assert }) => {
      const partner = await aPartner()
      const allowedAddresses = ['10.0.0.1', range]
      const changing = change(partner.code, await versionOf(partner), { allowedAddresses })
      const creating = new CreatePartner().handle({
        code: uniqueKey('p'),
        name: 'P',
        actor: TESTER,
        settings: { allowedAddresses },
      })
      for (const outcome of await Promise.allSettled([changing, creating])) {
        const { reason } = outcome as PromiseRejectedResult
        assert.equal(codeOf(reason), 'INVALID_PARAMETERS')
        assert.equal(reason.details.fields[0].field, 'allowedAddresses.1')
      }
    })
  }

  test('an unknown code is refused', async ({ assert }) => {
    const [outcome] = await together(1, () => change('nobody', '0', {}).then(() => 'done', codeOf))
    assert.equal(outcome, 'NO_SUCH')
  })
})
