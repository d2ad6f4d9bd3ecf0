import ChangeCase from '#case_work/change_case'
import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { lateCase } from '#tests/support/cases'
import { TESTER, anEvent } from '#tests/support/fixtures'
import { one } from '#tests/support/rows'
import { test } from '@japa/runner'
import type { Page } from 'playwright'

const stateOf = (caseId: number) =>
  one('SELECT state, owner_id, version FROM settlement_cases WHERE id = ?', caseId)

/** The button in the message; the page may have others that undo something else. */
const undoButton = (page: Page) =>
  page.getByRole('region', { name: /Notifications/ }).getByRole('button', { name: 'Undo' })
const takeButton = (page: Page) => page.getByRole('button', { name: 'Take: No.' })
const giveUpButton = (page: Page) => page.getByRole('button', { name: 'Give up: No.' })

/** The page of a case that support takes. */
async function takenCase(page: Page) {
  const { caseId } = await lateCase()
  await openAs(page, 'support', `/back-office/cases/${caseId}`)
  await takeButton(page).click()
  await undoButton(page).waitFor()
  return caseId
}

test.group('Undo', () => {
  test('the mouse undoes an act from its message, which a screen reader reads out', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const page = await browserContext.newPage()
    await page.addInitScript(() => {
      const spoken: string[] = []
      Object.assign(window, { spoken })
      new MutationObserver(() => {
        for (const { textContent } of document.querySelectorAll('[role=alert][aria-live]'))
          if (textContent) spoken.push(textContent)
      }).observe(document, { childList: true, subtree: true })
    })
    const caseId = await takenCase(page)
    await page.waitForFunction(() =>
      (window as unknown as { spoken: string[] }).spoken.some(
        (text) =>
          text.includes('You can undo this for 10 seconds, also with the key Z.') &&
          text.endsWith('Undo')
      )
    )
    await undoButton(page).hover()
    await assertAccessible(page, assert)
    await undoButton(page).click()
    await page.getByText('Undone.').first().waitFor()
    await takeButton(page).waitFor()
    await undoButton(page).waitFor({ state: 'hidden' })
    assert.deepEqual(await stateOf(caseId), { state: 'open', owner_id: null, version: 3 })
    assert.deepEqual(complaints, [])
  })

  test('the keyboard undoes it by its key or by the button, and not while somebody types', async ({
    assert,
    browserContext,
  }) => {
    const page = await browserContext.newPage()
    const caseId = await takenCase(page)
    await page.getByRole('button', { name: 'Add a note' }).first().click()
    const note = page.getByRole('dialog').getByRole('textbox')
    await note.pressSequentially('z')
    assert.equal(await note.inputValue(), 'z')
    await note.fill('')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await giveUpButton(page).waitFor()
    assert.include(await stateOf(caseId), { version: 2 })
    // Without the messages of before.
    await page.reload()

    await giveUpButton(page).press('Enter')
    await undoButton(page).waitFor()
    await page.keyboard.press('z')
    await giveUpButton(page).waitFor()
    assert.include(await stateOf(caseId), { state: 'in_work', version: 4 })
    await page.reload()

    await giveUpButton(page).press('Enter')
    await undoButton(page).waitFor()
    // The key of the library that leads to the messages.
    await page.keyboard.press('F8')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    assert.isTrue(await undoButton(page).evaluate((button) => button === document.activeElement))
    await page.keyboard.press('Enter')
    await giveUpButton(page).waitFor()
    assert.include(await stateOf(caseId), { state: 'in_work', version: 6 })
  })

  test('after 10 seconds it is gone, also from the history of the browser', async ({
    assert,
    browserContext,
  }) => {
    const page = await browserContext.newPage()
    const caseId = await takenCase(page)
    await page.mouse.move(1, 1)
    const began = Date.now()
    await undoButton(page).waitFor({ state: 'hidden', timeout: 20_000 })
    assert.isAbove(Date.now() - began, 7_000)
    await page.keyboard.press('z')
    await page.getByRole('link', { name: 'To return' }).first().click()
    await page.waitForURL('**/returns')
    await page.goBack()
    await giveUpButton(page).waitFor()
    await page.waitForTimeout(500)
    assert.equal(await undoButton(page).count(), 0)
    assert.include(await stateOf(caseId), { state: 'in_work', version: 2 })
  })

  test('a colleague’s change stays, and the message says whose it is', async ({
    assert,
    browserContext,
  }) => {
    const page = await browserContext.newPage()
    const caseId = await takenCase(page)
    const change = { state: 'with_partner', reason: null } as const
    await new ChangeCase().handle({ caseId, version: 2, change, actor: TESTER })
    await undoButton(page).click()
    await page
      .getByText(`Not undone: it has been changed since (${TESTER.name}, `)
      .first()
      .waitFor()
    assert.include(await stateOf(caseId), { state: 'with_partner', version: 3 })
  })

  test('blocked seats are put on sale again from the plan', async ({ assert, browserContext }) => {
    const page = await browserContext.newPage()
    const event = await anEvent()
    await openAs(page, 'operations', `/back-office/events/${event.id}/plan`)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Sector' }).click()
    await page.getByRole('option', { name: 'Сектор a' }).click()
    await page.getByRole('button', { name: 'Select the whole row 1' }).press('Enter')
    await page.getByRole('button', { name: 'Block…', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('A camera stands there')
    await dialog.getByRole('button', { name: /^Block \d+/ }).click()
    await undoButton(page).click()
    await page.getByText('Undone.').first().waitFor()
    const { n } = await one(
      `SELECT count(*)::int AS n FROM event_seats WHERE event_id = ? AND state = 'blocked'`,
      event.id
    )
    assert.equal(n, 0)
  })
})
