import type { Role } from '#staff/role'
import { aStaffMember } from '#tests/support/browser'
import { lateCase } from '#tests/support/cases'
import { signedIn } from '#tests/support/page_client'
import { one, ownerRows, rows } from '#tests/support/rows'
import { test } from '@japa/runner'

async function aColleague(role: Role) {
  const person = await aStaffMember(role)
  const { id } = await one('SELECT id FROM staff WHERE email = ?', person.email)
  return { ...person, id: id as number, client: await signedIn(person) }
}
type Colleague = Awaited<ReturnType<typeof aColleague>>

/** All that people do with a case, besides its version. */
async function stateOf(id: number) {
  const { version, ...state } = await one(
    `SELECT state, owner_id, due_on::text AS due_on, resolution, is_false_positive, version FROM settlement_cases WHERE id = ?`,
    id
  )
  return { version: version as number, state }
}
const fieldsOf = async (id: number) => {
  const { state } = await stateOf(id)
  return state
}
const entriesOf = (caseId: number) =>
  rows(
    `SELECT actor, change ->> 'from' AS "from", change ->> 'to' AS "to", change ->> 'owner' AS owner, change ->> 'reason' AS reason
       FROM journal WHERE name = 'case_changed' AND (change ->> 'case_id')::integer = ? ORDER BY id`,
    caseId
  )

const statusOf = async (sent: Promise<{ status: number }>) => {
  const { status } = await sent
  return status
}

/** Takes a case, or gives it up. */
async function take({ client }: Colleague, caseId: number, isTaken = true) {
  const { version } = await stateOf(caseId)
  await client.put(`/cases/${caseId}/owner`, { version, isTaken })
  return client.undoOn(`/cases/${caseId}`)
}
async function change({ client }: Colleague, caseId: number, asked: object) {
  const { version } = await stateOf(caseId)
  await client.put(`/cases/${caseId}`, { version, ...asked })
  return client.undoOn(`/cases/${caseId}`)
}

test.group('Undo of acts on cases', () => {
  test('a case that was taken is nobody’s and open again, and the journal has both acts', async ({
    assert,
  }) => {
    const support = await aColleague('support')
    const { caseId } = await lateCase()
    const before = await stateOf(caseId)
    const undo = (await take(support, caseId))!
    assert.include(await fieldsOf(caseId), { state: 'in_work', owner_id: support.id })

    await support.client.undo(undo)
    const after = await stateOf(caseId)
    assert.deepEqual(after, { ...before, version: before.version + 2 })
    const actor = support.email
    assert.deepEqual(await entriesOf(caseId), [
      { actor, from: 'open', to: 'in_work', owner: actor, reason: null },
      { actor, from: 'in_work', to: 'open', owner: null, reason: 'undo.reason' },
    ])
    const { props } = await support.client.get(`/cases/${caseId}`)
    assert.include(props.notice, { key: 'undo.done', undo: null })
  })

  test('a case that was taken over goes back to the colleague', async ({ assert }) => {
    const [first, second] = [await aColleague('operations'), await aColleague('support')]
    const { caseId } = await lateCase()
    await take(first, caseId)
    const before = await stateOf(caseId)
    const undo = (await take(second, caseId))!
    await second.client.undo(undo)
    assert.deepEqual(await fieldsOf(caseId), before.state)
  })

  test('a case that was given up is one’s own again, in the state that it had', async ({
    assert,
  }) => {
    const [finance, support] = [await aColleague('finance'), await aColleague('support')]
    const { caseId } = await lateCase()
    await change(finance, caseId, { owner: String(support.id) })
    const before = await stateOf(caseId)
    assert.include(before.state, { state: 'open', owner_id: support.id })
    const undo = (await take(support, caseId, false))!
    assert.include(await fieldsOf(caseId), { owner_id: null })
    await support.client.undo(undo)
    assert.deepEqual(await fieldsOf(caseId), before.state)
  })

  test('whoever takes cases can give none to others by an undo of their own making', async ({
    assert,
  }) => {
    const [first, second] = [await aColleague('support'), await aColleague('support')]
    const [{ caseId }, other] = [await lateCase(), await lateCase()]
    await take(first, other.caseId)
    const ofOther = (await take(second, other.caseId))!
    await take(first, caseId)
    const former = (await take(second, caseId))!
    await second.client.undo(former)
    await take(second, caseId)
    const { version, ...seen } = await stateOf(caseId)

    const forged = [
      'x',
      JSON.stringify({ owner: first.id }),
      ofOther.data.before,
      former.data.before,
    ]
    for (const before of forged) {
      await second.client.get(`/cases/${caseId}`)
      const sent = second.client.put(`/cases/${caseId}/owner`, { version, isTaken: false, before })
      assert.deepEqual(await second.client.errorsAfter(sent), { form: 'refused.STALE' })
    }
    assert.deepEqual(await stateOf(caseId), { version, ...seen })
  })

  test('the undo of somebody else counts for nobody', async ({ assert }) => {
    const [first, second] = [await aColleague('support'), await aColleague('support')]
    const { caseId } = await lateCase()
    const undo = (await take(first, caseId))!
    const taken = await stateOf(caseId)
    await second.client.put(`/cases/${caseId}/owner`, { ...undo.data, isTaken: true })
    assert.deepEqual(await stateOf(caseId), taken)
  })

  test('owner, due day and state of a form are restored, each alone and all together', async ({
    assert,
  }) => {
    const finance = await aColleague('finance')
    const { caseId } = await lateCase()
    const changes = [
      { owner: 'me' },
      { dueOn: '2027-01-15' },
      { state: 'with_partner' },
      { owner: 'me', dueOn: '2027-01-15', state: 'in_work', reason: 'Called the bank' },
    ]
    for (const asked of changes) {
      const before = await stateOf(caseId)
      const undo = (await change(finance, caseId, asked))!
      assert.notDeepEqual(await fieldsOf(caseId), before.state)
      await finance.client.undo(undo)
      assert.deepEqual(await fieldsOf(caseId), before.state)
    }
    assert.lengthOf(await entriesOf(caseId), 2 * changes.length)
  })

  test('what was before a second change is restored, not what was at first', async ({ assert }) => {
    const finance = await aColleague('finance')
    const { caseId } = await lateCase()
    await change(finance, caseId, { dueOn: '2027-01-15', owner: 'me' })
    const undo = (await change(finance, caseId, { dueOn: null, owner: 'none' }))!
    await finance.client.undo(undo)
    const { state } = await stateOf(caseId)
    assert.include(state, { due_on: '2027-01-15', owner_id: finance.id })
  })

  test('the end of a case, its opening again and a change of nothing offer no undo', async ({
    assert,
  }) => {
    const finance = await aColleague('finance')
    const { caseId } = await lateCase()
    const reason = 'The buyer has it back'
    assert.isNull(await change(finance, caseId, { owner: 'none' }))
    assert.isNull(await change(finance, caseId, { state: 'resolved', reason, owner: 'me' }))
    assert.isNull(await change(finance, caseId, { state: 'open', reason }))
    const dismissed = { state: 'dismissed', reason, isFalsePositive: true }
    assert.isNull(await change(finance, caseId, dismissed))
    assert.isNull(await change(finance, caseId, { isFalsePositive: false, dueOn: '2027-01-15' }))
    assert.isNotNull(await change(finance, caseId, { dueOn: '2027-01-16' }))
  })

  test('a case is not given back to an account that is disabled by now', async ({ assert }) => {
    const [first, second] = [await aColleague('support'), await aColleague('support')]
    const { caseId } = await lateCase()
    await take(first, caseId)
    await ownerRows('UPDATE staff SET disabled_at = now() WHERE id = ?', first.id)
    assert.isNull(await take(second, caseId))
  })

  test('after a change by a colleague the undo is refused with who and when', async ({
    assert,
  }) => {
    const [support, finance] = [await aColleague('support'), await aColleague('finance')]
    const { caseId } = await lateCase()
    const undo = (await take(support, caseId))!
    await change(finance, caseId, { dueOn: '2027-01-15' })
    const changed = await stateOf(caseId)
    const { at } = await one(
      `SELECT at FROM journal WHERE name = 'case_changed' AND actor = ? ORDER BY id DESC LIMIT 1`,
      finance.email
    )

    await support.client.undo(undo)
    const { props } = await support.client.get(`/cases/${caseId}`)
    assert.equal(props.errors.form, 'refused.STALE')
    assert.deepEqual(props.changedBy, { by: finance.email, at: (at as Date).toISOString() })
    assert.deepEqual(await stateOf(caseId), changed)
    const { props: later } = await support.client.get(`/cases/${caseId}`)
    assert.isNull(later.changedBy)
  })

  test('an undo counts once', async ({ assert }) => {
    const support = await aColleague('support')
    const { caseId } = await lateCase()
    const undo = (await take(support, caseId))!
    await support.client.undo(undo)
    const undone = await stateOf(caseId)
    await support.client.undo(undo)
    assert.deepEqual(await stateOf(caseId), undone)
  })

  test('an undo wants the right and the token of forms that its act wants', async ({ assert }) => {
    const [support, finance] = [await aColleague('support'), await aColleague('finance')]
    const { caseId } = await lateCase()
    const due = (await change(finance, caseId, { dueOn: '2027-01-15' }))!
    const taken = (await take(support, caseId))!
    const before = await stateOf(caseId)

    assert.equal(await statusOf(support.client.undo(due)), 403)
    const path = taken.url.replace('/back-office', '')
    assert.equal(await statusOf(support.client.forge('PUT', path, taken.data)), 401)
    assert.deepEqual(await stateOf(caseId), before)
    await ownerRows(`UPDATE staff SET role = 'auditor' WHERE id = ?`, support.id)
    assert.equal(await statusOf(support.client.undo(taken)), 403)
    assert.deepEqual(await stateOf(caseId), before)
  })
})
