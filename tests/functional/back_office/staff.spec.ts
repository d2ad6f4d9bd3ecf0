import ChangeStaffRole from '#staff/actions/change_staff_role'
import DisableStaff from '#staff/actions/disable_staff'
import type { Refusal } from '#shared/refusals'
import { aStaffMember } from '#tests/support/browser'
import { one, ownerRows, rows } from '#tests/support/rows'
import { signedIn } from '#tests/support/page_client'
import limiter from '@adonisjs/limiter/services/main'
import { test } from '@japa/runner'

async function aPerson(role: Parameters<typeof aStaffMember>[0]) {
  const person = await aStaffMember(role)
  const { id } = await one('SELECT id FROM staff WHERE email = ?', person.email)
  const actor = { kind: 'staff', name: person.email, requestId: null } as const
  return { ...person, id: id as number, actor }
}
const standing = (id: number) =>
  one('SELECT role, disabled_at IS NOT NULL AS disabled FROM staff WHERE id = ?', id)
const journalEntriesOf = async (email: string) => {
  const condition = `change ->> 'email' = ?`
  const entries = await rows(
    `SELECT name, change FROM journal WHERE ${condition} ORDER BY id`,
    email
  )
  return entries.map(({ name, change }) => [name, change.reason] as const)
}
const reason = 'As agreed with them'

test.group('Staff', (group) => {
  group.each.setup(() => limiter.clear())

  test('a person is added with a password that is shown once', async ({ assert }) => {
    const client = await signedIn(await aPerson('admin'))
    const email = `added-${Date.now()}@staff.test`
    const { location } = await client.post('/staff', { email, name: 'Added', role: 'finance' })
    const path = location!.replace('/back-office', '')
    const { props: first } = await client.get(path)
    const { props: second } = await client.get(path)
    assert.match(first.temporaryPassword as string, /^(\w{5}-){3}\w{5}$/)
    assert.isNull(second.temporaryPassword)
    assert.equal(second.member.status, 'invited')

    const added = await signedIn({ email, password: first.temporaryPassword as string })
    assert.equal(await added.sentTo('/'), '/back-office/account/password')
    assert.deepEqual(await journalEntriesOf(email), [['staff_created', undefined]])

    const twice = { email: email.toUpperCase(), name: 'Added', role: 'finance' }
    assert.deepEqual(await client.errorsAfter(client.post('/staff', twice)), {
      form: 'refused.ALREADY_EXISTS',
    })
  })

  test('permissions follow a changed role from the next request on', async ({ assert }) => {
    const [admin, person] = [await aPerson('admin'), await aPerson('operations')]
    const [client, theirs] = [await signedIn(admin), await signedIn(person)]
    assert.equal(await theirs.statusOf('/webhooks'), 200)
    await client.put(`/staff/${person.id}/role`, { from: 'operations', to: 'finance', reason })
    assert.equal(await theirs.statusOf('/webhooks'), 403)
    assert.deepEqual(await journalEntriesOf(person.email), [['staff_role_changed', reason]])
  })

  test('a form opened under another role is refused', async ({ assert }) => {
    const [admin, person] = [await aPerson('admin'), await aPerson('gate')]
    const client = await signedIn(admin)
    await client.get(`/staff/${person.id}`)
    const sent = client.put(`/staff/${person.id}/role`, { from: 'support', to: 'admin', reason })
    assert.deepEqual(await client.errorsAfter(sent), { form: 'refused.STALE' })
    const { role } = await standing(person.id)
    assert.equal(role, 'gate')
  })

  test('nobody changes their own role or status, or resets their own password', async ({
    assert,
  }) => {
    const admin = await aPerson('admin')
    const client = await signedIn(admin)
    const path = `/staff/${admin.id}`
    const acts = [
      () => client.put(`${path}/role`, { from: 'admin', to: 'gate', reason }),
      () => client.put(`${path}/standing`, { standing: 'disabled', reason }),
      () => client.post(`${path}/password`, { reason }),
      () => client.delete(`${path}/second-factor`, { reason }),
    ]
    for (const act of acts) {
      await client.get(path)
      assert.deepEqual(await client.errorsAfter(act()), { form: 'refused.NOT_YOURSELF' })
    }
    const { role, disabled } = await standing(admin.id)
    assert.deepEqual([role, disabled], ['admin', false])
  })

  test('actions that take something away need a reason', async ({ assert }) => {
    const [admin, person] = [await aPerson('admin'), await aPerson('gate')]
    const client = await signedIn(admin)
    const path = `/staff/${person.id}`
    await client.get(path)
    const sent = client.put(`${path}/standing`, { standing: 'disabled', reason: ' ' })
    assert.deepEqual(await client.errorsAfter(sent), { reason: 'fields.required' })
    assert.deepEqual(await journalEntriesOf(person.email), [])
  })

  test('a reset password ends the sessions and is shown once', async ({ assert }) => {
    const [admin, person] = [await aPerson('admin'), await aPerson('gate')]
    const [client, theirs] = [await signedIn(admin), await signedIn(person)]
    await client.get(`/staff/${person.id}`)
    await client.post(`/staff/${person.id}/password`, { reason })
    const { props } = await client.get(`/staff/${person.id}`)
    assert.equal(await theirs.sentTo('/'), '/back-office/sign-in')
    await theirs.signIn(person.email, props.temporaryPassword as string)
    assert.equal(await theirs.sentTo('/'), '/back-office/account/password')
    assert.deepEqual(await journalEntriesOf(person.email), [['staff_password_reset', reason]])
  })

  test('of two administrators who remove each other at once one stays', async ({ assert }) => {
    for (let round = 0; round < 10; round++) {
      await ownerRows(`UPDATE staff SET disabled_at = now() WHERE role = 'admin'`)
      const [first, second] = [await aPerson('admin'), await aPerson('admin')]
      const demote = { from: 'admin', to: 'gate', reason } as const
      const outcomes = await Promise.allSettled([
        new ChangeStaffRole().handle({ ...demote, id: second.id, actor: first.actor }),
        round % 2 === 0
          ? new ChangeStaffRole().handle({ ...demote, id: first.id, actor: second.actor })
          : new DisableStaff().handle({ id: first.id, reason, actor: second.actor }),
      ])
      const refused = outcomes.filter(({ status }) => status === 'rejected')
      assert.lengthOf(refused, 1)
      const [{ reason: why }] = refused as PromiseRejectedResult[]
      assert.equal((why as Refusal).refusalCode, 'LAST_ADMIN')
      const { n } = await one(
        `SELECT count(*)::int AS n FROM staff WHERE role = 'admin' AND disabled_at IS NULL`
      )
      assert.equal(n, 1)
    }
  })
})
