import RequestCancellation from '#sales/cancel_event/request_cancellation'
import { ApproveCancellation } from '#sales/cancel_event/decide_cancellation'
import { ApproveMemo, RequestMemo } from '#ledger/actions/memos'
import type { Actor } from '#shared/actor'
import { DAY_MS } from '#shared/days'
import type { Refusal } from '#shared/refusals'
import ChangeStaffRole from '#staff/actions/change_staff_role'
import CreateStaff from '#staff/actions/create_staff'
import DisableStaff from '#staff/actions/disable_staff'
import EnableStaff from '#staff/actions/enable_staff'
import ResetPassword from '#staff/actions/reset_password'
import ResetSecondFactor from '#staff/actions/reset_second_factor'
import UnlockSignIn from '#staff/actions/unlock_sign_in'
import { INDEPENDENT_AFTER_DAYS, listColleagues } from '#staff/second_person'
import { secondPeople } from '#staff_area/second_people'
import { aStaffMember } from '#tests/support/browser'
import { aPartner, aSale, sell, TESTER } from '#tests/support/fixtures'
import { one, ownerRows } from '#tests/support/rows'
import { movementsOf } from '#tests/support/settlement'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'

const reason = 'As agreed with them'
const actorOf = (email: string): Actor => ({ kind: 'staff', name: email, requestId: null })

async function aPerson(role: Parameters<typeof aStaffMember>[0] = 'operations') {
  const { email } = await aStaffMember(role)
  return person(email)
}
async function person(email: string) {
  const { id } = await one('SELECT id FROM staff WHERE email = ?', email)
  return { id: id as number, email, actor: actorOf(email) }
}
type Person = Awaited<ReturnType<typeof aPerson>>

async function createdBy(author: Actor) {
  const email = `${randomUUID()}@staff.test`
  await new CreateStaff().handle({ email, name: 'Created', role: 'operations', actor: author })
  return person(email)
}

async function askedToCancel({ actor }: Person) {
  const { client, event } = await aSale()
  await sell(client, event.id, ['seat-1-1'])
  await new RequestCancellation().handle({ eventId: event.id, reason: 'Болезнь солиста', actor })
  const { id } = await one(
    'SELECT id FROM cancellation_requests WHERE event_id = ? AND outcome IS NULL',
    event.id
  )
  return { requestId: id as number, eventId: event.id }
}
const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    (error: unknown) => (error as Refusal).refusalCode
  )
const approve = (requestId: number, { actor }: Person) =>
  codeOf(new ApproveCancellation().handle({ requestId, actor }))
async function mayApprove(asker: Person, approver: Person) {
  const { requestId } = await askedToCancel(asker)
  return approve(requestId, approver)
}
const age = (days: number, { id }: Person) =>
  ownerRows(
    'UPDATE staff_account_changes SET at = at - make_interval(days => ?) WHERE staff_id = ?',
    days,
    id
  )

const asInput = ({ id }: Person, { actor }: Person) => ({ id, reason, actor })
const setFactor = ({ id }: Person) =>
  ownerRows(`UPDATE staff SET totp_secret_encrypted = 'x', totp_set_at = now() WHERE id = ?`, id)
const CHANGES: Record<string, (target: Person, author: Person) => Promise<unknown>> = {
  'a new password': async (target, author) => new ResetPassword().handle(asInput(target, author)),
  'a reset second factor': async (target, author) => {
    await setFactor(target)
    await new ResetSecondFactor().handle(asInput(target, author))
  },
  'another role': async (target, author) =>
    new ChangeStaffRole().handle({ ...asInput(target, author), from: 'operations', to: 'admin' }),
  'letting in again': async (target, author) => {
    await new DisableStaff().handle({ ...asInput(target, author), actor: TESTER })
    await new EnableStaff().handle(asInput(target, author))
  },
}

test.group('Independence of an approver', () => {
  test('unlocking a sign-in makes two people no less independent', async ({ assert }) => {
    const [asker, approver] = [await aPerson(), await aPerson()]
    await new UnlockSignIn().handle(asInput(approver, asker))
    assert.equal(await mayApprove(asker, approver), 'done')
  })

  for (const [change, make] of Object.entries(CHANGES)) {
    test(`${change} by the requester excludes the approver for some days`, async ({ assert }) => {
      const [asker, approver] = [await aPerson(), await aPerson()]
      assert.equal(await mayApprove(asker, approver), 'done')
      await make(approver, asker)
      assert.equal(await mayApprove(asker, approver), 'NOT_INDEPENDENT')
      await age(INDEPENDENT_AFTER_DAYS, approver)
      assert.equal(await mayApprove(asker, approver), 'done')
    })
  }

  test('a change excludes for seven days', async ({ assert }) => {
    const [asker, approver] = [await aPerson(), await aPerson()]
    await CHANGES['another role'](approver, asker)
    await age(6, approver)
    assert.equal(await mayApprove(asker, approver), 'NOT_INDEPENDENT')
    await age(1, approver)
    assert.equal(await mayApprove(asker, approver), 'done')
  })

  test('a chain of changes excludes until seven days after its oldest one', async ({ assert }) => {
    const admin = await aPerson('admin')
    const second = await createdBy(admin.actor)
    await age(5, second)
    const third = await createdBy(second.actor)
    const colleagues = await listColleagues(admin.email)
    const { linkUntil } = colleagues.find(({ email }) => email === third.email)!
    assert.approximately((linkUntil!.getTime() - Date.now()) / DAY_MS, 2, 0.01)
  })

  test('a colleague created by the requester is excluded, one created from the console is not', async ({
    assert,
  }) => {
    const asker = await aPerson('admin')
    assert.equal(await mayApprove(asker, await createdBy(asker.actor)), 'NOT_INDEPENDENT')
    const shell: Actor = { kind: 'console', name: asker.email, requestId: null }
    assert.equal(await mayApprove(asker, await createdBy(shell)), 'done')
  })

  test('an approver who has changed the requester’s account is excluded', async ({ assert }) => {
    const admin = await aPerson('admin')
    const created = await createdBy(admin.actor)
    assert.equal(await mayApprove(created, admin), 'NOT_INDEPENDENT')
  })

  test('two accounts created by a third are one person; so is a chain of them', async ({
    assert,
  }) => {
    const admin = await aPerson('admin')
    const [first, second] = [await createdBy(admin.actor), await createdBy(admin.actor)]
    assert.equal(await mayApprove(first, second), 'NOT_INDEPENDENT')
    const third = await createdBy(second.actor)
    assert.equal(await mayApprove(admin, third), 'NOT_INDEPENDENT')
    assert.equal(await mayApprove(third, first), 'NOT_INDEPENDENT')
    await age(INDEPENDENT_AFTER_DAYS, second)
    assert.equal(await mayApprove(admin, third), 'done')
    assert.equal(await mayApprove(third, second), 'NOT_INDEPENDENT')
  })

  test('two people who changed each other’s accounts end neither the search nor the link', async ({
    assert,
  }) => {
    const [first, second] = [await aPerson(), await aPerson()]
    await CHANGES['a new password'](first, second)
    await CHANGES['a new password'](second, first)
    assert.equal(await mayApprove(first, second), 'NOT_INDEPENDENT')
  })

  test('a refused approval is in the journal, and the request stays open for another person', async ({
    assert,
  }) => {
    const [asker, approver, other] = [await aPerson(), await aPerson(), await aPerson()]
    await CHANGES['a new password'](approver, asker)
    const { requestId, eventId } = await askedToCancel(asker)
    assert.equal(await approve(requestId, approver), 'NOT_INDEPENDENT')
    const { actor, change } = await one(
      `SELECT actor, change FROM journal WHERE event_id = ? AND name = 'approval_refused'`,
      eventId
    )
    assert.equal(actor, approver.email)
    assert.deepInclude(change, { asked_by: asker.email, linked_by: asker.email })
    const days = (Date.parse(change.linked_until as string) - Date.now()) / 86_400_000
    assert.approximately(days, INDEPENDENT_AFTER_DAYS, 0.01)
    assert.equal(await approve(requestId, other), 'done')
  })

  test('of two simultaneous approvals only the independent one counts', async ({ assert }) => {
    for (let round = 0; round < 5; round++) {
      const [asker, linked, free] = [await aPerson(), await aPerson(), await aPerson()]
      await CHANGES['a new password'](linked, asker)
      const { requestId, eventId } = await askedToCancel(asker)
      const outcomes = await Promise.all([approve(requestId, linked), approve(requestId, free)])
      assert.include(['NOT_INDEPENDENT', 'REQUEST_NOT_OPEN'], outcomes[0])
      assert.equal(outcomes[1], 'done')
      const { ended_by: by } = await one(
        'SELECT ended_by FROM cancellation_requests WHERE event_id = ?',
        eventId
      )
      assert.equal(by, free.email)
    }
  })

  test('eligible approvers are listed, with the reason for everybody else', async ({ assert }) => {
    const [asker, linked, free, disabled] = [
      await aPerson(),
      await aPerson(),
      await aPerson(),
      await aPerson(),
    ]
    await CHANGES['a new password'](linked, asker)
    await new DisableStaff().handle({ id: disabled.id, reason, actor: TESTER })
    const listed = await listColleagues(asker.email)
    const linkOf = ({ email }: Person) =>
      listed.find((colleague) => colleague.email === email)?.linkBy
    assert.deepEqual([asker, linked, free, disabled].map(linkOf), [
      undefined,
      asker.email,
      null,
      undefined,
    ])
    await ownerRows('UPDATE staff SET full_name = email WHERE id IN (?, ?)', linked.id, free.id)
    const { approvers, link } = await secondPeople(asker.email, 'events.cancel', linked.email)
    assert.include(approvers, free.email)
    assert.notInclude(approvers, linked.email)
    assert.equal(link!.by, asker.email)
  })

  test('of two links the one that lasts longer is named', async ({ assert }) => {
    const [asker, approver] = [await aPerson(), await aPerson()]
    const [first, last] = [await aPerson('admin'), await aPerson('admin')]
    for (const changed of [asker, approver]) {
      await CHANGES['a new password'](changed, first)
      await age(5, changed)
      await CHANGES['a new password'](changed, last)
    }
    const colleagues = await listColleagues(asker.email)
    const { linkBy, linkUntil } = colleagues.find(({ email }) => email === approver.email)!
    assert.equal(linkBy, last.email)
    assert.approximately((linkUntil!.getTime() - Date.now()) / DAY_MS, 7, 0.01)
  })

  test('only those with the right are named as approvers', async ({ assert }) => {
    const [asker, able, other] = [await aPerson(), await aPerson(), await aPerson('support')]
    await ownerRows('UPDATE staff SET full_name = email WHERE id IN (?, ?)', able.id, other.id)
    const { approvers } = await secondPeople(asker.email, 'events.cancel', asker.email)
    assert.include(approvers, able.email)
    assert.notInclude(approvers, other.email)
  })

  test('a large correction needs an independent approver too', async ({ assert }) => {
    const [asker, linked, free] = [await aPerson(), await aPerson(), await aPerson()]
    await CHANGES['a reset second factor'](linked, asker)
    const partner = await aPartner()
    const { memoId } = await new RequestMemo().handle({
      partnerCode: partner.code,
      kind: 'adj_credit',
      amountTenge: 100_001n,
      reason: 'Возврат мимо системы',
      origin: null,
      actor: asker.actor,
    })
    const approveMemo = ({ actor }: Person) => codeOf(new ApproveMemo().handle({ memoId, actor }))
    assert.equal(await approveMemo(linked), 'NOT_INDEPENDENT')
    assert.deepEqual(await movementsOf(partner), [])
    const { change } = await one(
      `SELECT change FROM journal WHERE partner_id = ? AND name = 'approval_refused'`,
      partner.id
    )
    assert.equal(change.linked_by, asker.email)
    const outcomes = await Promise.all([approveMemo(free), approveMemo(linked)])
    assert.equal(outcomes[0], 'done')
    assert.lengthOf(await movementsOf(partner), 1)
  })
})
