import platform from '#config/platform'
import RequestCancellation from '#sales/cancel_event/request_cancellation'
import { RequestMemo } from '#ledger/actions/memos'
import type { Actor } from '#shared/actor'
import { aStaffMember, assertAccessible, openAs, watch } from '#tests/support/browser'
import { aPartner, aSale, sell } from '#tests/support/fixtures'
import { one, ownerRows } from '#tests/support/rows'
import limiter from '@adonisjs/limiter/services/main'
import { test } from '@japa/runner'

interface Person {
  email: string
}
const actorOf = (name: string): Actor => ({ kind: 'staff', name, requestId: null })

/** Somebody has changed the account of another. */
const link = (change: string, { email: author }: Person, { email: person }: Person) =>
  ownerRows(
    `INSERT INTO staff_account_changes (staff_id, changed_by, change)
     SELECT p.id, a.id, ? FROM staff p, staff a WHERE p.email = ? AND a.email = ?`,
    change,
    person,
    author
  )

test.group('Second person', (group) => {
  group.each.setup(() => limiter.clear())
  // People who could approve: no account of theirs is linked with another.
  group.setup(async () => {
    for (const role of ['operations', 'finance'] as const) await aStaffMember(role)
  })
  group.each.setup(() => {
    platform.secondPerson = true
    return () => {
      platform.secondPerson = false
    }
  })

  test('a cancellation: the requester sees who can approve, and a person who cannot sees why', async ({
    assert,
    browser,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { client, event } = await aSale()
    await sell(client, event.id, ['seat-1-1'])
    const path = `/back-office/events/${event.id}`
    const page = await browserContext.newPage()
    const asker = await openAs(page, 'operations', path)
    await page.getByRole('button', { name: 'Cancel event…' }).click()
    await page
      .getByRole('dialog')
      .getByText(/^Can approve: /)
      .waitFor()
    await assertAccessible(page, assert)
    const asking = { eventId: event.id, reason: 'The singer is ill', actor: actorOf(asker.email) }
    await new RequestCancellation().handle(asking)
    await page.reload()
    await page.getByText(/^Can approve: /).waitFor()

    const elsewhere = await browser.newContext({ baseURL: process.env.APP_URL, locale: 'en-GB' })
    const other = await elsewhere.newPage()
    const linked = await openAs(other, 'operations', path)
    await other.getByRole('button', { name: /^Approve/ }).waitFor()
    await link('staff_password_reset', asker, linked)
    await other.getByRole('button', { name: /^Approve/ }).click()
    const open = other.getByRole('dialog')
    await open.locator('[name=word]').fill('Concert')
    await open.getByRole('button', { name: 'Cancel the event' }).click()
    await open.getByText(/^You can’t approve this: the same person/).waitFor()
    await assertAccessible(other, assert)
    await other.reload()
    await other
      .getByText(
        `${asker.email} has set up or changed your account in the last 7 days, directly or through others.`
      )
      .waitFor()
    await other.getByText(/^Can approve: /).waitFor()
    assert.equal(await other.getByRole('button', { name: /^Approve/ }).count(), 0)
    await assertAccessible(other, assert)
    const { stored_status: status } = await one(
      'SELECT stored_status FROM events WHERE id = ?',
      event.id
    )
    assert.equal(status, 'sales_open')
    await elsewhere.close()
    assert.deepEqual(complaints, [])
  })

  test('a large correction: a person who cannot approve sees why, and who can', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const [partner, asker] = [await aPartner(), await aStaffMember('finance')]
    await new RequestMemo().handle({
      partnerCode: partner.code,
      kind: 'penalty',
      amountTenge: 250_000n,
      reason: 'Late confirms',
      origin: null,
      actor: actorOf(asker.email),
    })
    const page = await browserContext.newPage()
    const path = `/back-office/settlement/${partner.code}`
    const viewer = await openAs(page, 'finance', path)
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await link('staff_role_changed', viewer, asker)
    await page.reload()
    await page.getByText(/you have set up or changed the account of/).waitFor()
    await page.getByText(/^Can approve: /).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Correction' }).click()
    await page
      .getByRole('dialog')
      .getByText(/^Can approve: /)
      .waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })
})
