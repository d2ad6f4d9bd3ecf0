import { selectAtRisk } from '#back_office/overview/settlement_attention'
import ChangeCase from '#case_work/change_case'
import type { CaseLine, PartnerReturns } from '#finance/cases/cases_props'
import { readFigures } from '#finance/cases/case_figures'
import { RequestMemo } from '#ledger/actions/memos'
import type { Role } from '#staff/role'
import { sumNumbers } from '#shared/sums'
import { aStaffMember } from '#tests/support/browser'
import { NO_FILTERS, aCaseOfTwoParties, lateCase } from '#tests/support/cases'
import { aPerson } from '#tests/support/fixtures'
import { signedIn } from '#tests/support/page_client'
import { one, rows } from '#tests/support/rows'
import { setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

async function aColleague(role: Role) {
  const person = await aStaffMember(role)
  return { ...person, client: await signedIn(person) }
}
const stateOf = (id: number) =>
  one(
    `SELECT c.state, c.version, s.email AS owner FROM settlement_cases c LEFT JOIN staff s ON s.id = c.owner_id WHERE c.id = ?`,
    id
  )
const returnsOf = async ({ client }: Awaited<ReturnType<typeof aColleague>>, query = '') => {
  const { props } = await client.get(`/returns${query}`)
  return {
    lines: props.cases.rows as CaseLine[],
    returns: props.returns as PartnerReturns[],
  }
}
const resolve = (caseId: number, version: number) =>
  new ChangeCase().handle({
    caseId,
    version,
    change: { state: 'resolved', reason: 'The buyer has it back' },
    actor: aPerson(),
  })

test.group('What has to go back to buyers', () => {
  test('is listed for support until its case ends, with the partner’s sum', async ({ assert }) => {
    const support = await aColleague('support')
    const late = await lateCase()
    const mixed = await aCaseOfTwoParties()
    const { lines, returns } = await returnsOf(support, `?partner=${mixed.partner.code}`)
    assert.deepEqual(
      lines.map(({ id, exposure }) => [id, exposure.buyer]),
      [[mixed.caseId, 12_000]]
    )
    const ofPartner = returns.find(({ code }) => code === late.partner.code)!
    assert.deepInclude(ofPartner, { cases: 1, tenge: 12_000, unownedTenge: 12_000 })
    const { version } = await stateOf(late.caseId)
    await resolve(late.caseId, version as number)
    const after = await returnsOf(support, `?partner=${late.partner.code}`)
    assert.deepEqual(after.lines, [])
    assert.isUndefined(after.returns.find(({ code }) => code === late.partner.code))
  })

  test('is the same sum on this page, in the list of cases and on the overview', async ({
    assert,
  }) => {
    await lateCase()
    const { returns } = await returnsOf(await aColleague('operations'))
    const [{ exposure }, atRisk] = [await readFigures(NO_FILTERS, ''), await selectAtRisk.one({})]
    const tenge = sumNumbers(returns, (partner) => partner.tenge)
    assert.isAbove(tenge, 0)
    assert.deepEqual([exposure.buyer, atRisk.tenge], [tenge, tenge])
    assert.equal(
      sumNumbers(returns, ({ cases }) => cases),
      atRisk.cases
    )
  })

  test('is taken and given up by whoever answers buyers, and the journal has both', async ({
    assert,
  }) => {
    const support = await aColleague('support')
    const { caseId, orderId } = await lateCase()
    const url = `/cases/${caseId}/owner`
    const open = await stateOf(caseId)
    await support.client.put(url, { version: open.version, isTaken: true })
    const taken = await stateOf(caseId)
    assert.deepInclude(taken, { state: 'in_work', owner: support.email })
    const mine = await returnsOf(support, '?owner=me')
    assert.deepEqual(
      mine.lines.map(({ id, isMine }) => [id, isMine]),
      [[caseId, true]]
    )
    await support.client.put(url, { version: taken.version, isTaken: false })
    assert.deepInclude(await stateOf(caseId), { state: 'in_work', owner: null })
    const owners = await rows(
      `SELECT change ->> 'owner' AS owner FROM journal WHERE order_id = ? AND name = 'case_changed' ORDER BY id`,
      orderId
    )
    assert.deepEqual(
      owners.map(({ owner }) => owner),
      [support.email, null]
    )
  })

  test('a case of a colleague is taken over, not given up, and an outdated page changes nothing', async ({
    assert,
  }) => {
    const [first, second] = [await aColleague('support'), await aColleague('operations')]
    const { caseId } = await lateCase()
    const url = `/cases/${caseId}/owner`
    const { version } = await stateOf(caseId)
    await first.client.put(url, { version, isTaken: true })
    await second.client.put(url, { version, isTaken: true })
    const taken = await stateOf(caseId)
    assert.equal(taken.owner, first.email)
    await second.client.put(url, { version: taken.version, isTaken: false })
    assert.deepInclude(await stateOf(caseId), { owner: first.email })
    await second.client.put(url, { version: taken.version, isTaken: true })
    assert.deepInclude(await stateOf(caseId), { owner: second.email })
  })

  test('an ended case is nobody’s to take', async ({ assert }) => {
    const support = await aColleague('support')
    const { caseId } = await lateCase()
    const { version } = await stateOf(caseId)
    await resolve(caseId, version as number)
    const ended = await stateOf(caseId)
    await support.client.put(`/cases/${caseId}/owner`, { version: ended.version, isTaken: true })
    assert.deepEqual(await stateOf(caseId), ended)
  })

  test('support sees an order’s case, without corrections, statements and the list of all cases', async ({
    assert,
  }) => {
    const { client } = await aColleague('support')
    const { caseId, orderId, partner } = await lateCase()
    await setTerms(partner)
    await new RequestMemo().handle({
      partnerCode: partner.code,
      kind: 'adj_debit',
      amountTenge: 500n,
      reason: 'Неустойка',
      origin: null,
      caseId,
      actor: aPerson(),
    })
    const { props } = await client.get(`/cases/${caseId}`)
    assert.deepInclude(props.kase, { id: caseId, isMine: false, isOpen: true })
    assert.deepEqual(props.memos, [])
    const finance = await aColleague('finance')
    const { props: forFinance } = await finance.client.get(`/cases/${caseId}`)
    assert.lengthOf(forFinance.memos, 1)
    const order = await client.get(`/orders/${orderId}`)
    const { cases, statements, registerLines } = order.props.settlement
    assert.deepEqual(
      [cases.map(({ id }: { id: number }) => id), statements, registerLines],
      [[caseId], [], []]
    )
    assert.equal(await client.statusOf('/cases'), 403)
    const gate = await aColleague('gate')
    for (const path of ['/returns', `/cases/${caseId}`])
      assert.equal(await gate.client.statusOf(path), 403, path)
  })
})
