import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { HoldForStorefront } from '#inventory/actions/storefront'
import { aSale, anEvent, sell, TESTER } from '#tests/support/fixtures'
import { one } from '#tests/support/rows'
import { test } from '@japa/runner'
import type { BrowserContext, Page } from 'playwright'

async function open(context: BrowserContext, role: 'operations' | 'support', eventId: string) {
  const page = await context.newPage()
  await openAs(page, role, `/back-office/events/${eventId}/plan`)
  return drawn(page)
}

async function drawn(page: Page) {
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('application').waitFor()
  return page
}

const counted = (page: Page, state: string, count: number) =>
  page.locator(`[data-count=${state}]`, { hasText: new RegExp(`^${count}$`) }).waitFor()

/** A frame round seats 1 and 2 of the first row: the small hall is drawn with seats 10 apart. */
async function lasso(page: Page) {
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  const box = (await page.getByRole('application').boundingBox())!
  // The whole hall is shown with 24 px round it: 98 units wide, 58 high.
  const scale = Math.min((box.width - 48) / 98, (box.height - 48) / 58)
  const x = (at: number) => box.x + box.width / 2 + (at - 55) * scale
  const y = (at: number) => box.y + box.height / 2 + (at - 25) * scale
  await page.mouse.move(x(5.5), y(-3.9))
  await page.mouse.down()
  await page.mouse.move(x(15), y(2), { steps: 4 })
  await page.mouse.move(x(24.5), y(3.9), { steps: 4 })
  await page.mouse.up()
}

test.group('Seat plan', () => {
  test('two seats are blocked with a lasso, and a second page shows it live', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { client, event } = await aSale()
    const page = await open(browserContext, 'operations', event.id)
    const elsewhere = await browserContext.newPage()
    await elsewhere.goto(page.url())
    await drawn(elsewhere)
    await counted(elsewhere, 'blocked', 0)
    await page.bringToFront()

    await lasso(page)
    await page.getByRole('heading', { name: 'Selected seats: 2' }).waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Block…', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Free seats that will be blocked: 2.').waitFor()
    await dialog.getByRole('textbox').fill('A camera stands there')
    await dialog.getByRole('button', { name: 'Block 2' }).click()
    await page.getByText('Blocked: 2, skipped: 0').first().waitFor()

    await counted(elsewhere, 'blocked', 2)
    await counted(elsewhere, 'free', 58)
    await counted(page, 'blocked', 2)
    await sell(client, event.id, ['seat-2-1'])
    await counted(elsewhere, 'sold', 1)
    const { n } = await one(
      `SELECT count(*)::int AS n FROM event_seats
        WHERE event_id = ? AND state = 'blocked' AND space_id IN ('seat-1-1', 'seat-1-2')`,
      event.id
    )
    assert.equal(n, 2)
    assert.deepEqual(complaints, [])
  })

  test('the list does by keyboard what the plan does by mouse', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-1-2'])
    const page = await open(browserContext, 'operations', event.id)
    await page.getByRole('combobox', { name: 'Sector' }).click()
    await page.getByRole('option', { name: 'Сектор a' }).click()
    await page.waitForURL('**/plan?sector=sector-a')
    await counted(page, 'free', 29)

    await page.getByRole('button', { name: /row 1, seat 1, free/ }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: sold.order_id }).waitFor()
    await page.getByRole('link', { name: sold.tickets[0].number }).waitFor()
    await page.getByText('Order confirmed').waitFor()
    await page.getByRole('button', { name: 'Select the whole row 1' }).press('Enter')
    await page.getByRole('heading', { name: 'Selected seats: 10' }).waitFor()
    await assertAccessible(page, assert)

    await page.getByRole('button', { name: 'Block…', exact: true }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Unchanged (sold): 1.').waitFor()
    await assertAccessible(page, assert)
    await dialog.getByRole('textbox').fill('A camera stands there')
    await dialog.getByRole('button', { name: 'Block 9' }).press('Enter')
    await page.getByText('Blocked: 9, skipped: 1').first().waitFor()
    await counted(page, 'blocked', 9)
    assert.deepEqual(complaints, [])
  })

  test('open carts are listed with their holders, and one is released', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const event = await anEvent()
    const hold = (seats: string[]) =>
      new HoldForStorefront().handle({ eventId: event.id, seats, holdSeconds: 600, actor: TESTER })
    await hold(['seat-2-1', 'seat-2-2'])
    const page = await open(browserContext, 'operations', event.id)
    await page.getByRole('heading', { name: 'Open carts of the counter' }).waitFor()
    await hold(['seat-3-5'])
    const cart = page.getByRole('button', { name: 'Release the cart: row 3, seat 5' })
    await cart.waitFor()
    await page.getByText('Seats: 2, 24 000 ₸').waitFor()
    await page
      .getByText(/: tests$/)
      .first()
      .waitFor()
    await assertAccessible(page, assert)
    await cart.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 seat goes back on sale at once.').waitFor()
    await dialog.getByRole('button', { name: 'Release' }).click()
    await page.getByText('1 seat released').first().waitFor()
    await cart.waitFor({ state: 'detached' })
    await counted(page, 'held', 2)
    assert.deepEqual(complaints, [])

    const reader = await browserContext.browser()!.newContext({ baseURL: process.env.APP_URL })
    const other = await open(reader, 'support', event.id)
    await other.getByText('Seats: 2, 24 000 ₸').waitFor()
    assert.equal(await other.getByRole('button', { name: /^Release/ }).count(), 0)
    await reader.close()
  })

  test('the counter holds a seat and sells it', async ({ assert, browserContext }) => {
    const complaints = watch(browserContext)
    const event = await anEvent()
    const page = await open(browserContext, 'operations', event.id)
    await lasso(page)
    await page.getByRole('button', { name: 'Hold at the counter…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Hold', exact: true }).click()
    await page.getByText('2 seats held for 15 min').first().waitFor()
    await page.getByRole('button', { name: 'Sell the cart (2)…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sell', exact: true }).click()
    await page.getByText('2 seats sold').first().waitFor()
    await counted(page, 'sold', 2)
    assert.deepEqual(complaints, [])
  })

  test('a refused action is explained, and the form keeps its input', async ({
    browserContext,
  }) => {
    const event = await anEvent({ status: 'sales_paused' })
    const page = await open(browserContext, 'operations', event.id)
    await lasso(page)
    await page.getByRole('button', { name: 'Hold at the counter…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Hold', exact: true }).click()
    await page.getByRole('alert').getByText('Sales are paused.').waitFor()
  })

  test('a reader sees seats and no actions', async ({ assert, browserContext }) => {
    const event = await anEvent()
    const page = await open(browserContext, 'support', event.id)
    await lasso(page)
    await page.getByRole('heading', { name: 'Selected seats: 2' }).waitFor()
    await page.getByRole('heading', { name: /row 1, seat 1/ }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Block…', exact: true }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Hold at the counter…' }).count(), 0)
  })
})
