import ChangePartner, { PARTNER_VERSION } from '#partners/actions/change_partner'

import { assertAccessible, openAs, signIn, watch } from '#tests/support/browser'
import { lateCase } from '#tests/support/cases'
import { anEvent, aPartner, TESTER } from '#tests/support/fixtures'
import { one, rows } from '#tests/support/rows'
import { test } from '@japa/runner'
import type { Page } from 'playwright'

const TEXT = 'The buyer was called and has the money back'
const casePage = (caseId: number) => `/back-office/cases/${caseId}`
const eventPage = ({ id }: { id: string }) => `/back-office/events/${id}`
const keptIn = (page: Page) =>
  page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('draft:')))

const openNote = async (page: Page) => {
  await page.getByRole('button', { name: 'Add a note' }).first().click()
  return page.getByRole('dialog', { name: 'Add a note' })
}
async function typeNote(page: Page, text = TEXT) {
  const dialog = await openNote(page)
  await dialog.getByRole('textbox').fill(text)
  return dialog
}
const question = (page: Page) => page.getByRole('dialog', { name: 'has not been sent' })
const offer = (page: Page) => page.locator('[data-draft=offered]')

test.group('Drafts', () => {
  test('what was typed survives closing the tab, is offered with its time, and is gone once it was sent', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { caseId } = await lateCase()
    const closed = await browserContext.newPage()
    await openAs(closed, 'support', casePage(caseId))
    await typeNote(closed)
    await closed.close()

    const page = await browserContext.newPage()
    await page.goto(casePage(caseId))
    const dialog = await openNote(page)
    await offer(page)
      .getByText(/^You began this on \d+ \w+, \d\d:\d\d\.$/)
      .waitFor()
    assert.equal(await dialog.getByRole('textbox').inputValue(), '')
    await assertAccessible(page, assert)
    await offer(page).getByRole('button', { name: 'Continue' }).click()
    assert.equal(await dialog.getByRole('textbox').inputValue(), TEXT)
    await dialog.getByRole('button', { name: 'Add a note' }).click()
    await dialog.waitFor({ state: 'hidden' })
    assert.lengthOf(await keptIn(page), 0)
    await openNote(page)
    assert.equal(await offer(page).count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('a draft is of one record and one person, and outlives the session', async ({
    assert,
    browserContext,
  }) => {
    const [{ caseId }, other] = [await lateCase(), await lateCase()]
    const page = await browserContext.newPage()
    const person = await openAs(page, 'support', casePage(caseId))
    await typeNote(page)
    await browserContext.clearCookies()

    await openAs(page, 'support', casePage(caseId))
    await openNote(page)
    assert.equal(await offer(page).count(), 0)

    await browserContext.clearCookies()
    await signIn(page, person)
    await page.getByRole('button', { name: 'The support' }).waitFor()
    await page.goto(casePage(other.caseId))
    await openNote(page)
    assert.equal(await offer(page).count(), 0)
    await page.goto(casePage(caseId))
    await openNote(page)
    await offer(page).getByRole('button', { name: 'Discard' }).click()
    await offer(page).waitFor({ state: 'detached' })
    assert.lengthOf(await keptIn(page), 0)
  })

  test('a draft that is not answered stays, whatever is typed and sent next to it', async ({
    assert,
    browserContext,
  }) => {
    const { caseId } = await lateCase()
    const page = await browserContext.newPage()
    await openAs(page, 'support', casePage(caseId))
    await typeNote(page)
    await page.reload()
    const dialog = await typeNote(page, 'A shorter note')
    await dialog.getByRole('button', { name: 'Add a note' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await openNote(page)
    await offer(page).getByRole('button', { name: 'Continue' }).click()
    assert.equal(await dialog.getByRole('textbox').inputValue(), TEXT)
    assert.deepEqual(
      await rows('SELECT text FROM settlement_case_notes WHERE case_id = ?', caseId),
      [{ text: 'A shorter note' }]
    )
  })

  test('a draft of a record that was changed meanwhile says so, and brings back only what was typed', async ({
    assert,
    browserContext,
  }) => {
    const partner = await aPartner({ holdSeconds: 180, pendingOrders: 50 })
    const page = await browserContext.newPage()
    await openAs(page, 'operations', `/back-office/partners/${partner.code}`)
    const dialog = page.getByRole('dialog')
    const open = () => page.getByRole('button', { name: 'Change: Name and limits' }).click()
    await open()
    await dialog.getByLabel('Booking hold').fill('240')
    const { version } = await one(
      `SELECT ${PARTNER_VERSION} AS version FROM partners WHERE id = ?`,
      partner.id
    )
    await new ChangePartner().handle({
      partnerCode: partner.code,
      version,
      changes: { pendingOrders: 70 },
      reason: null,
      actor: TESTER,
    })
    await page.reload()
    await open()
    await offer(page).getByText('The record has been changed since then.').waitFor()
    await offer(page).getByRole('button', { name: 'Continue' }).click()
    await page.locator('[data-draft=stale]').getByText('Compare them').waitFor()
    await assertAccessible(page, assert)
    assert.equal(await dialog.getByLabel('Booking hold').inputValue(), '240')
    assert.equal(await dialog.getByLabel('Pending orders').inputValue(), '70')
    await dialog.getByLabel('Reason').fill('Agreed with the partner')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const stored = await one(
      'SELECT hold_seconds, pending_orders FROM partners WHERE id = ?',
      partner.id
    )
    assert.deepEqual(stored, { hold_seconds: 240, pending_orders: 70 })
  })

  test('a draft older than a week is forgotten, and passwords are never kept', async ({
    assert,
    browserContext,
  }) => {
    const { caseId } = await lateCase()
    const page = await browserContext.newPage()
    await openAs(page, 'support', casePage(caseId))
    await typeNote(page)
    await page.evaluate(() => {
      const [key] = Object.keys(localStorage).filter((name) => name.startsWith('draft:'))
      const draft = JSON.parse(localStorage.getItem(key)!)
      const changedAt = draft.changedAt - 8 * 86_400_000
      localStorage.setItem(key, JSON.stringify({ ...draft, changedAt }))
    })
    await page.reload()
    await openNote(page)
    assert.equal(await offer(page).count(), 0)
    assert.lengthOf(await keptIn(page), 0)

    await page.goto('/back-office/account/password')
    for (const field of await page.locator('input[type=password]').all())
      await field.fill('a long enough password')
    assert.notInclude(await page.evaluate(() => JSON.stringify(localStorage)), 'long enough')
  })

  test('signing out asks about drafts, and removes them', async ({ assert, browserContext }) => {
    const { caseId } = await lateCase()
    const page = await browserContext.newPage()
    await openAs(page, 'support', casePage(caseId))
    await typeNote(page)
    await page.reload()
    const signOut = async () => {
      await page.getByRole('button', { name: 'The support' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await signOut()
    await question(page).getByText('Signing out removes them.').waitFor()
    await question(page).getByRole('button', { name: 'Stay' }).click()
    assert.lengthOf(await keptIn(page), 1)
    await signOut()
    await question(page).getByRole('button', { name: 'Sign out and discard' }).click()
    await page.locator('input[name=password]').waitFor()
    assert.lengthOf(await keptIn(page), 0)
  })
})

test.group('Drafts of pages', () => {
  for (const { role, path, field } of [
    { role: 'operations', path: () => '/back-office/events/new', field: 'title.ru' },
    { role: 'operations', path: () => '/back-office/halls/new', field: 'name.ru' },
    { role: 'admin', path: () => '/back-office/staff/new', field: 'name' },
    {
      role: 'finance',
      path: ({ code }: { code: string }) => `/back-office/settlement/${code}/registers`,
      field: 'declaredRows',
    },
  ] as const)
    test(`${path({ code: '…' })} offers what was typed`, async ({ assert, browserContext }) => {
      const [partner] = [await aPartner(), await anEvent()]
      const page = await browserContext.newPage()
      await openAs(page, role, path(partner))
      const input = page.locator(`[name="${field}"]`)
      await input.fill('12')
      await page.reload()
      await offer(page).getByRole('button', { name: 'Continue' }).click()
      assert.equal(await input.inputValue(), '12')
    })
})

test.group('Leaving changed fields', () => {
  test('a dialog closes without a question until something was typed', async ({
    assert,
    browserContext,
  }) => {
    const { caseId } = await lateCase()
    const page = await browserContext.newPage()
    await openAs(page, 'support', casePage(caseId))
    const dialog = await openNote(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })

    await typeNote(page)
    await page.keyboard.press('Escape')
    await question(page).getByText('kept in this browser for 7 days').waitFor()
    await assertAccessible(page, assert)
    const stay = question(page).getByRole('button', { name: 'Stay' })
    assert.isTrue(await stay.evaluate((button) => button === document.activeElement))
    await page.keyboard.press('Enter')
    await question(page).waitFor({ state: 'hidden' })
    assert.equal(await dialog.getByRole('textbox').inputValue(), TEXT)

    await page.mouse.click(5, 5)
    await question(page).getByRole('button', { name: 'Keep the draft and close' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await openNote(page)
    await offer(page).getByRole('button', { name: 'Continue' }).click()
    await page.keyboard.press('Escape')
    await question(page).getByRole('button', { name: 'Discard' }).click()
    await dialog.waitFor({ state: 'hidden' })
    assert.lengthOf(await keptIn(page), 0)
  })

  test('no dialog that was only opened asks', async ({ assert, browserContext }) => {
    const [{ code }, event] = [await aPartner(), await anEvent()]
    const page = await browserContext.newPage()
    const closes = async (path: string, names: string[]) => {
      await page.goto(path)
      for (const name of names) {
        await page.getByRole('button', { name, exact: true }).first().click()
        const dialog = page.getByRole('dialog')
        await dialog.waitFor()
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        assert.equal(await question(page).count(), 0, name)
      }
      assert.lengthOf(await keptIn(page), 0, path)
    }
    await openAs(page, 'operations', eventPage(event))
    await closes(eventPage(event), ['Reschedule', 'Cancel event…'])
    await closes(`/back-office/partners/${code}`, [
      'Change: Name and limits',
      'Change: Allowed addresses',
      'Set the address',
    ])
    await browserContext.clearCookies()
    await openAs(page, 'finance', '/back-office')
    await closes(`/back-office/settlement/${code}`, [
      'Agree on terms',
      'Record a payment',
      'Add a contact',
      'Correction',
      'Export a period',
    ])
    await closes('/back-office/report-schedules', ['Create a schedule'])
    await closes('/back-office/issuer', ['Set our details'])
  })

  test('where the browser keeps nothing, the question says so', async ({
    assert,
    browserContext,
  }) => {
    const { caseId } = await lateCase()
    const page = await browserContext.newPage()
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await openAs(page, 'support', casePage(caseId))
    await typeNote(page)
    await page.keyboard.press('Escape')
    await question(page).getByText('This browser can’t keep a draft').waitFor()
    assert.equal(await question(page).getByRole('button', { name: 'Keep the draft' }).count(), 0)
  })

  test('a cancelled dialog closes without a question, and offers what was typed the next time', async ({
    assert,
    browserContext,
  }) => {
    const { caseId } = await lateCase()
    const page = await browserContext.newPage()
    await openAs(page, 'support', casePage(caseId))
    const dialog = await typeNote(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(await question(page).count(), 0)
    await openNote(page)
    await offer(page).getByRole('button', { name: 'Continue' }).click()
    assert.equal(await dialog.getByRole('textbox').inputValue(), TEXT)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'The support' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.locator('input[name=password]').waitFor()
    assert.lengthOf(await keptIn(page), 0)
  })

  test('a link asks before it leaves a changed form, and the browser before it closes the tab', async ({
    assert,
    browserContext,
  }) => {
    const event = await anEvent()
    const page = await browserContext.newPage()
    const asked: string[] = []
    page.on('dialog', async (dialog) => {
      asked.push(dialog.type())
      await dialog.dismiss()
    })
    await openAs(page, 'operations', `${eventPage(event)}/edit`)
    await page.fill('[name="title.en"]', 'Another title')
    await page.close({ runBeforeUnload: true })
    while (asked.length === 0) await page.waitForTimeout(20)
    assert.deepEqual(asked, ['beforeunload'])

    const events = page.getByRole('link', { name: 'Events', exact: true })
    await events.click()
    await question(page).getByRole('button', { name: 'Stay' }).click()
    assert.isTrue(page.url().endsWith('/edit'))
    assert.equal(await page.inputValue('[name="title.en"]'), 'Another title')
    await events.click()
    await question(page).getByRole('button', { name: 'Keep the draft and leave' }).click()
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()

    await page.goto(`${eventPage(event)}/edit`)
    await offer(page).getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Another title', exact: true }).waitFor()
    assert.lengthOf(await keptIn(page), 0)
    assert.deepEqual(asked, ['beforeunload'])
  })

  test('the browser’s back asks, stays where it was, and goes back once somebody leaves', async ({
    assert,
    browserContext,
  }) => {
    const event = await anEvent()
    const page = await browserContext.newPage()
    await openAs(page, 'operations', eventPage(event))
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.fill('[name="title.en"]', 'Another title')
    await page.evaluate(() => history.back())
    await question(page).getByRole('button', { name: 'Stay' }).click()
    await question(page).waitFor({ state: 'hidden' })
    assert.isTrue(page.url().endsWith('/edit'))
    assert.equal(await page.inputValue('[name="title.en"]'), 'Another title')

    await page.evaluate(() => history.back())
    await question(page).getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('heading', { name: 'Concert', exact: true }).waitFor()
    assert.isTrue(page.url().endsWith(eventPage(event)))
    assert.lengthOf(await keptIn(page), 0)
    await page.evaluate(() => history.forward())
    await page.waitForSelector('[name="title.en"]')
    assert.equal(await offer(page).count(), 0)
  })
})

test.group('Buttons that can’t be pressed yet', () => {
  test('say why to the mouse, the keyboard and screen readers, and do nothing', async ({
    assert,
    browserContext,
  }) => {
    const { caseId } = await lateCase()
    const page = await browserContext.newPage()
    await openAs(page, 'support', casePage(caseId))
    const dialog = await openNote(page)
    const send = dialog.getByRole('button', { name: 'Add a note' })
    const why = 'Note: at least 3 characters.'
    assert.isTrue(await send.isDisabled())
    assert.equal(
      await send.evaluate(
        (button) => document.getElementById(button.getAttribute('aria-describedby')!)!.textContent
      ),
      why
    )
    await dialog.getByRole('button', { name: 'Cancel' }).focus()
    await page.keyboard.press('Tab')
    await page.locator('[data-slot=text]').getByText(why).waitFor()
    await page.keyboard.press('Enter')
    assert.deepEqual(
      await rows('SELECT text FROM settlement_case_notes WHERE case_id = ?', caseId),
      []
    )
    await assertAccessible(page, assert)
    await dialog.getByRole('textbox').fill(TEXT)
    assert.isFalse(await send.isDisabled())
    await send.click()
    await dialog.waitFor({ state: 'hidden' })
  })
})
