import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { aSale, sell } from '#tests/support/fixtures'
import { test } from '@japa/runner'

test.group('Journal', () => {
  test('the journal is searched by order, by person and by request', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-1-1'])
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', '/back-office')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Journal' }).waitFor()
    await assertAccessible(page, assert)

    await page.getByRole('textbox', { name: 'Order number' }).fill(sold.order_id)
    await page.waitForURL(/order=/)
    await page.getByRole('row').filter({ hasText: 'Order confirmed' }).waitFor()
    const rows = page.getByRole('row').filter({ hasText: sold.order_id })
    assert.equal(await rows.count(), 2)
    const link = rows.first().getByRole('link', { name: sold.order_id })
    assert.equal(await link.getAttribute('href'), `/back-office/orders/${sold.order_id}`)
    await rows.first().getByRole('button', { name: 'All of this request' }).click()
    await page.waitForURL(/request=/)

    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('searchbox').fill('nobody-like-this')
    await page.getByText('Nothing found').waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('a role without the permission sees which one is missing', async ({
    assert,
    browserContext,
  }) => {
    const page = await browserContext.newPage()
    await openAs(page, 'finance', '/back-office')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Journal' }).count(), 0)
    const answer = await page.goto('/back-office/journal')
    assert.equal(answer?.status(), 403)
    await page.getByText('Missing right: “read the journal”.').waitFor()
  })
})
