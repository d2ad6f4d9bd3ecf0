import { openAs } from '#tests/support/browser'
import { lateCase } from '#tests/support/cases'
import { rows } from '#tests/support/rows'
import { test } from '@japa/runner'
import type { Page } from 'playwright'

const TEXT = 'The buyer was called and has the money back'

/** A note that is typed and not sent yet. */
async function aTypedNote(page: Page) {
  const { caseId } = await lateCase()
  await openAs(page, 'support', `/back-office/cases/${caseId}`)
  await page.getByRole('button', { name: 'Add a note' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(TEXT)
  return { caseId, dialog, send: () => dialog.getByRole('button', { name: 'Add a note' }).click() }
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
})
