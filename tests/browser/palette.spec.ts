import { assertAccessible, goTo, openAs, watch } from '#tests/support/browser'
import { aBuyer, bought } from '#tests/support/buyers'
import { test } from '@japa/runner'
import type { Page } from 'playwright'

/** What is typed goes there once it has opened, on a page that is shown already. */
async function ask(page: Page, heading: string, text: string) {
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
  await page.keyboard.press('/')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type(text)
}

test.group('The palette', () => {
  test('a number opens its order by Enter, a section its page, and a buyer is found by name', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const buyer = aBuyer()
    const { orderId } = await bought(buyer)
    const page = await browserContext.newPage()
    await openAs(page, 'support', '/back-office/events')

    await ask(page, 'Events', orderId.toLowerCase())
    const first = page.getByRole('option').first()
    await first.getByText(orderId).waitFor()
    await assertAccessible(page, assert)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/back-office/orders/${orderId}`)

    await ask(page, orderId, 'journ')
    await page.getByRole('option', { name: 'Journal' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/back-office/journal')

    await ask(page, 'Journal', buyer.name)
    await page.getByRole('option', { name: orderId }).getByText(buyer.email).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('? lists the keys of the sections that a role may see', async ({
    assert,
    browserContext,
  }) => {
    const page = await browserContext.newPage()
    await openAs(page, 'support', '/back-office/events')
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keys' })
    await dialog.getByText('Journal').waitFor()
    assert.equal(await dialog.getByText('Settlement').count(), 0)
    await assertAccessible(page, assert)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await goTo(page, 'j')
    await page.waitForURL('**/back-office/journal')
  })

  test('a search that does not answer says so, and the list of orders can still be asked', async ({
    browserContext,
  }) => {
    const page = await browserContext.newPage()
    await openAs(page, 'support', '/back-office/events')
    await page.route('**/back-office/find?*', (route) => route.abort())

    await ask(page, 'Events', 'somebody')
    await page.getByText('The search does not answer.').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/back-office/orders?q=somebody')
  })
})
