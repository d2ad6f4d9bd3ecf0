import platform from '#config/platform'
import IssueStatement from '#ledger/actions/issue_statement'
import SetIssuer, { currentIssuer } from '#ledger/actions/set_issuer'
import { findIssuerAt, listIssuers } from '#ledger/issuer'
import type { Refusal } from '#shared/refusals'
import { transaction } from '#shared/transaction'
import { aPerson, aSale, sell, TESTER } from '#tests/support/fixtures'
import { one, ownerRows, rows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'
import { setTimeout as delay } from 'node:timers/promises'

const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'no refusal',
    (error: unknown) => (error as Refusal).refusalCode
  )
const OURS = {
  legalName: 'ТОО «Мы»',
  bin: '170240054326',
  address: null,
  city: null,
  signatory: null,
}

async function aClosableMonth() {
  const sale = await aSale()
  await setTerms(sale.partner)
  await sell(sale.client, sale.event.id, ['seat-2-1'])
  await moveInTime(sale.partner, '-45 days')
  return sale
}

test.group('Our details', (group) => {
  group.each.setup(async () => {
    const { legalName, bin } = platform
    await ownerRows(
      `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
       DELETE FROM settlement_issuers USING free WHERE true`
    )
    return () => {
      Object.assign(platform, { legalName, bin })
    }
  })

  test('no statement is issued while they are empty, and nothing is numbered', async ({
    assert,
  }) => {
    Object.assign(platform, { legalName: null, bin: null })
    const { partner } = await aClosableMonth()
    const issue = () => new IssueStatement().handle({ partnerCode: partner.code, actor: TESTER })
    assert.equal(await codeOf(issue()), 'ISSUER_NOT_SET')
    const { n } = await one(
      'SELECT count(*)::int AS n FROM settlement_statements WHERE partner_id = ?',
      partner.id
    )
    assert.equal(n, 0)
    await new SetIssuer().handle({ ...OURS, replacesId: null, actor: TESTER })
    assert.equal(await codeOf(issue()), 'no refusal')
  })

  test('those of the environment are stored once, by whoever needs them first', async ({
    assert,
  }) => {
    Object.assign(platform, { legalName: 'ТОО «Из окружения»', bin: '170240054326' })
    await Promise.all([1, 2, 3].map(() => transaction(currentIssuer)))
    const stored = await listIssuers({})
    assert.lengthOf(stored, 1)
    assert.deepEqual([stored[0].legalName, stored[0].setBy], ['ТОО «Из окружения»', 'environment'])
    Object.assign(platform, { legalName: 'ТОО «Другое»' })
    await transaction(currentIssuer)
    assert.lengthOf(await listIssuers({}), 1)
  })

  test('half of them in the environment fills nothing', async ({ assert }) => {
    Object.assign(platform, { legalName: 'ТОО «Из окружения»', bin: null })
    assert.isNull(await transaction(currentIssuer))
    assert.deepEqual(await listIssuers({}), [])
  })

  test('a change is a row of its own; a document keeps those of its day', async ({ assert }) => {
    // Our clock has milliseconds, PostgreSQL's is finer.
    const later = async () => {
      await delay(2)
      return new Date()
    }
    const first = await new SetIssuer().handle({ ...OURS, replacesId: null, actor: TESTER })
    const between = await later()
    const legalName = 'ТОО «Мы и партнёры»'
    const change = { ...OURS, legalName, replacesId: first.id, actor: TESTER }
    await new SetIssuer().handle(change)
    assert.equal(await codeOf(new SetIssuer().handle(change)), 'STALE')
    const nameAt = async (at: Date) => {
      const { legalName: name } = await findIssuerAt.one({ at })
      return name
    }
    assert.equal(await nameAt(between), OURS.legalName)
    assert.equal(await nameAt(await later()), legalName)
    // A statement from before they were first set.
    assert.equal(await nameAt(new Date('2020-01-01')), OURS.legalName)
    const update = ownerRows(
      `UPDATE settlement_issuers SET legal_name = 'x' WHERE id = ?`,
      first.id
    )
    await assert.rejects(() => update, /is not allowed/)
  })

  test('a change is in the journal with its author and all details', async ({ assert }) => {
    const actor = aPerson()
    const first = await new SetIssuer().handle({ ...OURS, replacesId: null, actor })
    const changed = { ...OURS, city: 'Алматы', signatory: 'А. Серикова' }
    await new SetIssuer().handle({ ...changed, replacesId: first.id, actor })
    const entries = await rows(
      `SELECT change FROM journal WHERE name = 'issuer_set' AND actor = ? ORDER BY id`,
      actor.name
    )
    assert.deepEqual(
      entries.map(({ change }) => change),
      [OURS, changed]
    )
  })

  test('a change is noticed, however far our clock is behind that of PostgreSQL', async ({
    assert,
  }) => {
    const first = await new SetIssuer().handle({ ...OURS, replacesId: null, actor: TESTER })
    const change = { ...OURS, replacesId: first.id, actor: TESTER }
    const second = await new SetIssuer().handle(change)
    await ownerRows(
      `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
       UPDATE settlement_issuers SET set_at = set_at + interval '1 minute' FROM free WHERE id = ?`,
      second.id
    )

    assert.equal(await codeOf(new SetIssuer().handle(change)), 'STALE')
    const next = { ...change, replacesId: second.id }
    assert.equal(await codeOf(new SetIssuer().handle(next)), 'no refusal')
  })

  test('an empty name and a BIN without twelve digits or the right last one are refused', async ({
    assert,
  }) => {
    const set = (more: object) =>
      codeOf(new SetIssuer().handle({ ...OURS, ...more, replacesId: null, actor: TESTER }))
    assert.equal(await set({ legalName: ' ' }), 'INVALID_PARAMETERS')
    for (const bin of ['1702400543', '170240054321'])
      assert.equal(await set({ bin }), 'INVALID_PARAMETERS')
  })
})
