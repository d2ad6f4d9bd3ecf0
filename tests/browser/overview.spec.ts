import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { lapseOrder } from '#tests/support/circumstances'
import { aSale, book, order, paymentOf, sell } from '#tests/support/fixtures'
import { one } from '#tests/support/rows'
import { test } from '@japa/runner'

test.group('Overview', () => {
  test('a buyer charged without a ticket is listed first', async ({ assert, browserContext }) => {
    const complaints = watch(browserContext)
    const { client, event, partner } = await aSale()
    await sell(client, event.id, ['seat-1-1'])
    const { data: booking } = await book(client, event.id, ['seat-1-2'])
    const { data: placed } = await order(client, booking.booking_id)
    await lapseOrder(placed.order_id)
    const late = await client.post(
      `/orders/${placed.order_id}/confirm`,
      paymentOf(placed.total_tenge)
    )
    assert.equal(late.error.code, 'ORDER_EXPIRED')

    const { name } = await one('SELECT name FROM partners WHERE id = ?', partner.id)
    const page = await browserContext.newPage()
    await openAs(page, 'support', '/back-office')
    const attention = page.getByRole('region', { name: 'Needs attention' })
    const line = attention
      .getByRole('listitem')
      .filter({ hasText: `${name}: buyers were charged and have no tickets` })
    await line.getByText(/1 order · the payment window was over/).waitFor()
    await line.getByRole('button', { name: /^Show/ }).click()
    await page.getByText('Sales by hour, less refunds').waitFor()
    await page.locator('svg text').filter({ hasText: 'A week ago' }).waitFor()
    const figures = page.getByRole('region', { name: 'Today' })
    await figures.getByText('Buyers’ money without a ticket').waitFor()
    await assertAccessible(page, assert)
    await line.getByRole('link', { name: placed.order_id }).click()
    await page
      .getByText(/^The buyer paid .* but the confirm came .* after the payment window/)
      .waitFor()
    await page.getByText('Confirm refused: the payment window was over').waitFor()
    assert.deepEqual(complaints, [])
  })
})
