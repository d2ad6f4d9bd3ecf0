import { assertAccessible, openAs } from '#tests/support/browser'
import { lateCase } from '#tests/support/cases'
import { one, rows } from '#tests/support/rows'
import { setSecondFactor } from '#tests/support/second_factors'
import { test } from '@japa/runner'
import type { Page } from 'playwright'

const TEXT = 'The buyer was called and has the money back'

/** A note that is typed and not sent yet. */
async function aTypedNote(page: Page) {
  const { caseId } = await lateCase()
  const person = await openAs(page, 'support', `/back-office/cases/${caseId}`)
  await page.getByRole('button', { name: 'Add a note' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(TEXT)
  return {
    caseId,
    person,
    dialog,
    send: () => dialog.getByRole('button', { name: 'Add a note' }).click(),
  }
}
const notesOf = (caseId: number) =>
  rows('SELECT text FROM settlement_case_notes WHERE case_id = ?', caseId)

test.group('Answers that are lost', () => {
  test('without a connection nothing is sent, what was typed stays, and it is sent afterwards', async ({
    assert,
    browserContext,
  }) => {
    const page = await browserContext.newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    const { caseId, dialog, send } = await aTypedNote(page)

    await browserContext.setOffline(true)
    await send()
    await page.getByText('Not sent: there is no connection.').first().waitFor()
    await page.getByText('No connection. What you see may be out of date.').waitFor()
    // Longer than a message takes to fade.
    await page.waitForTimeout(1_000)
    assert.isTrue(await page.getByText('Not sent: there is no connection.').first().isVisible())
    assert.equal(await dialog.getByRole('textbox').inputValue(), TEXT)
    assert.deepEqual(await notesOf(caseId), [])

    await browserContext.setOffline(false)
    await send()
    await dialog.waitFor({ state: 'hidden' })
    assert.deepEqual(await notesOf(caseId), [{ text: TEXT }])
    await page.locator('[data-band=connection]').waitFor({ state: 'detached' })
    await page.getByText('Not sent: there is no connection.').first().waitFor({ state: 'hidden' })
    assert.deepEqual(errors, [])
  })

  test('a page of a proxy is not shown, and what was typed stays', async ({
    assert,
    browserContext,
  }) => {
    const page = await browserContext.newPage()
    const { caseId, dialog, send } = await aTypedNote(page)
    const url = `**/cases/${caseId}/notes`
    await page.route(url, (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' })
    )
    await send()
    await page.getByText('The server answered 502.').first().waitFor()
    assert.equal(await page.getByText('Bad Gateway').count(), 0)
    assert.equal(await dialog.getByRole('textbox').inputValue(), TEXT)

    await page.unroute(url)
    await send()
    await dialog.waitFor({ state: 'hidden' })
    assert.deepEqual(await notesOf(caseId), [{ text: TEXT }])
  })

  test('the sign-in opens over a page whose session has ended, and what was typed is sent afterwards', async ({
    assert,
    browserContext,
  }) => {
    const page = await browserContext.newPage()
    const { caseId, person, dialog, send } = await aTypedNote(page)
    const { id } = await one('SELECT id FROM staff WHERE email = ?', person.email)
    await rows('UPDATE staff_sessions SET ended_at = clock_timestamp() WHERE staff_id = ?', id)
    await send()
    const over = page.getByRole('dialog', { name: 'Your session has ended' })
    await over.getByText(person.email).waitFor()
    assert.deepEqual(await notesOf(caseId), [])
    await assertAccessible(page, assert)

    const password = over.getByLabel('Password')
    await password.fill('not this one')
    await password.press('Enter')
    await over.getByText('The e-mail or the password is wrong.').waitFor()
    await password.fill(person.password)
    await password.press('Enter')
    await over.waitFor({ state: 'hidden' })
    await page.getByText('Signed in again.').first().waitFor()

    assert.equal(await dialog.getByRole('textbox').inputValue(), TEXT)
    await send()
    await dialog.waitFor({ state: 'hidden' })
    assert.deepEqual(await notesOf(caseId), [{ text: TEXT }])
  })

  test('a password that is typed before the sign-in over a page has its first answer stays', async ({
    assert,
    browserContext,
  }) => {
    const page = await browserContext.newPage()
    const { dialog, person, send } = await aTypedNote(page)
    let answer = () => {}
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/back-office/sign-in', async (route) => {
      if (route.request().method() === 'GET') await mayAnswer
      await route.continue()
    })
    await browserContext.clearCookies()
    await send()
    const over = page.getByRole('dialog', { name: 'Your session has ended' })
    const submit = over.getByRole('button', { name: 'Sign in', exact: true })
    await over.getByLabel('Password').fill(person.password)
    assert.isTrue(await submit.isDisabled())
    answer()
    await submit.click()
    await over.waitFor({ state: 'hidden' })
    await send()
    await dialog.waitFor({ state: 'hidden' })
  })

  test('the sign-in over a page asks for the second factor, too', async ({
    assert,
    browserContext,
  }) => {
    const page = await browserContext.newPage()
    const { caseId, person, dialog, send } = await aTypedNote(page)
    const { nextCode } = await setSecondFactor(person)
    await browserContext.clearCookies()
    await send()
    const over = page.getByRole('dialog', { name: 'Your session has ended' })
    await over.getByLabel('Password').fill(person.password)
    await over.getByRole('button', { name: 'Sign in', exact: true }).click()
    await over.getByLabel('Code').fill('000000')
    await over.getByRole('button', { name: 'Continue' }).click()
    await over.getByText('This code is not right.').waitFor()
    await over.getByLabel('Code').fill(nextCode())
    await over.getByRole('button', { name: 'Continue' }).click()
    await over.waitFor({ state: 'hidden' })
    await send()
    await dialog.waitFor({ state: 'hidden' })
    assert.deepEqual(await notesOf(caseId), [{ text: TEXT }])
  })
})
