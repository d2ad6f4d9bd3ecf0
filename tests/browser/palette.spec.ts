import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { aBuyer, bought } from '#tests/support/buyers'
import { test } from '@japa/runner'
import type { Page } from 'playwright'

/** What is typed goes there once it has opened. */
async function ask(page: Page, text: string) {
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

    await ask(page, orderId.toLowerCase())
    const first = page.getByRole('option').first()
    await first.getByText(orderId).waitFor()
    await assertAccessible(page, assert)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/back-office/orders/${orderId}`)

    await ask(page, 'journ')
    await page.getByRole('option', { name: 'Journal' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/back-office/journal')

    await ask(page, buyer.name)
    await page.getByRole('option', { name: orderId }).getByText(buyer.email).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a search that does not answer says so, and the list of orders can still be asked', async ({
    browserContext,
  }) => {
    const page = await browserContext.newPage()
    await openAs(page, 'support', '/back-office/events')
    await page.route('**/back-office/find?*', (route) => route.abort())

    await ask(page, 'somebody')
    await page.getByText('The search does not answer.').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/back-office/orders?q=somebody')
  })
})
