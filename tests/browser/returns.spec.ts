import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { lateCase } from '#tests/support/cases'
import { test } from '@japa/runner'

test.group('Money to return', () => {
  test('support narrows the list to a partner, takes a case and gives it up again', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { caseId, partner } = await lateCase()
    const page = await browserContext.newPage()
    await openAs(page, 'support', '/back-office/returns')

    await page.getByRole('button', { name: partner.code }).click()
    await page.waitForURL(`**/returns?partner=${partner.code}`)
    const row = page.getByRole('row', { name: `No. ${caseId}` })
    await row.getByText(/12.000.₸/).waitFor()
    await assertAccessible(page, assert)
    await row.getByRole('button', { name: `Take: No. ${caseId}` }).click()
    // A screen reader gets the same words from an element of their own, for a moment.
    await page.getByText(`You work on case No. ${caseId}`).first().waitFor()
    await row.getByText('The support').waitFor()
    await row.getByRole('button', { name: `Give up: No. ${caseId}` }).click()
    await row.getByRole('button', { name: `Take: No. ${caseId}` }).waitFor()

    await row.getByRole('link', { name: `No. ${caseId}` }).click()
    await page.waitForURL(`**/cases/${caseId}`)
    await page.getByRole('button', { name: 'Add a note' }).first().waitFor()
    await assertAccessible(page, assert)
    assert.equal(await page.getByRole('button', { name: 'Change' }).count(), 0)
    assert.deepEqual(complaints, [])
  })
})
