import type { Role } from '#staff/role'
import { assertAccessible, goTo, openAs, watch } from '#tests/support/browser'
import { lateCase } from '#tests/support/cases'
import { aSale, sell } from '#tests/support/fixtures'
import { ownerRows } from '#tests/support/rows'
import { test } from '@japa/runner'
import { randomBytes } from 'node:crypto'
import type { BrowserContext, Page } from 'playwright'

const aName = () => `View ${randomBytes(6).toString('hex')}`

async function threeOrders() {
  const { client, event, partner } = await aSale()
  for (const seat of ['seat-1-1', 'seat-1-2', 'seat-1-3']) await sell(client, event.id, [seat])
  return { partner }
}

async function openOrders(context: BrowserContext, path = '/back-office/orders', role?: Role) {
  const page = await context.newPage()
  await openAs(page, role ?? 'support', path)
  await page.getByRole('table').waitFor()
  return page
}

async function saveView(page: Page, name: string, isShared = false) {
  await page.getByRole('button', { name: 'Save view', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name=name]').fill(name)
  if (isShared) await dialog.getByRole('checkbox', { name: 'Share with colleagues' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await openTab(page, name).waitFor()
  await dialog.waitFor({ state: 'detached' })
}

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Saved views' })
const tab = (page: Page, name: string) => tabs(page).getByRole('link', { name, exact: true })
const openTab = (page: Page, name: string) =>
  tabs(page).locator('[aria-current=page]').filter({ hasText: name })
async function columnsOf(page: Page) {
  const texts = await page.getByRole('columnheader').allInnerTexts()
  return texts.map((text) => text.trim())
}
/** The address follows the list a moment later. */
const addressIs = (page: Page, isRight: (query: URLSearchParams) => boolean) =>
  page.waitForURL(({ searchParams }) => isRight(searchParams))
const queryOf = (page: Page) => new URL(page.url()).searchParams

async function chooseAct(page: Page, name: string, act: string) {
  await page.getByRole('button', { name: `Actions of the view “${name}”` }).click()
  await page.getByRole('menuitem', { name: act }).click()
}

const statusFilter = (page: Page) => page.getByRole('combobox', { name: 'Status' })
async function chooseStatus(page: Page, status: string) {
  await statusFilter(page).click()
  await page.getByRole('option', { name: status, exact: true }).click()
}

async function openColumns(page: Page) {
  await page.getByRole('button', { name: 'Columns and times' }).click()
  await page.getByRole('checkbox', { name: 'Buyer' }).waitFor()
}
async function closeColumns(page: Page) {
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: 'Buyer' }).waitFor({ state: 'detached' })
}

test.group('Saved views', (group) => {
  group.each.timeout(120_000)

  test('filters and columns are saved under a name, and a tab shows them again', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    await threeOrders()
    const page = await openOrders(browserContext)
    assert.equal(await tabs(page).count(), 0)
    await chooseStatus(page, 'Paid')
    await openColumns(page)
    await page.getByRole('checkbox', { name: 'Event' }).click()
    await closeColumns(page)
    const shown = await columnsOf(page)
    assert.notInclude(shown, 'Event')
    const name = aName()
    await saveView(page, name)
    const id = queryOf(page).get('view')!
    assert.isNull(queryOf(page).get('columns'))
    await assertAccessible(page, assert)

    await tab(page, 'All').click()
    await addressIs(page, (query) => query.size === 0)
    await statusFilter(page).filter({ hasText: 'Status: all' }).waitFor()
    await tab(page, name).click()
    await addressIs(page, (query) => String(query) === `status=paid&view=${id}`)
    await statusFilter(page).filter({ hasText: 'Paid' }).waitFor()
    assert.deepEqual(await columnsOf(page), shown)

    // Back is the list before the view.
    await page.goBack()
    await statusFilter(page).filter({ hasText: 'Status: all' }).waitFor()
    await openTab(page, 'All').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a list that differs from its view says so: it is updated, or made as it was', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    await threeOrders()
    const page = await openOrders(browserContext, '/back-office/orders?status=paid')
    const name = aName()
    await saveView(page, name)
    const changed = openTab(page, name).getByText('Changed')
    assert.equal(await changed.count(), 0)

    // A search is no change: it is not saved.
    await page.getByRole('searchbox').fill('buyer@example.kz')
    await page.waitForURL((url) => url.searchParams.has('q'))
    assert.equal(await changed.count(), 0)

    await chooseStatus(page, 'Refunded')
    await changed.waitFor()
    await page.getByRole('button', { name: 'Undo the changes' }).click()
    await statusFilter(page).filter({ hasText: 'Paid' }).waitFor()
    await changed.waitFor({ state: 'detached' })

    await openColumns(page)
    await page.getByRole('checkbox', { name: 'Partner' }).click()
    await closeColumns(page)
    await changed.waitFor()
    assert.isTrue(queryOf(page).has('columns'))
    // The address has the columns, so that it shows the same once more.
    await page.reload()
    await changed.waitFor()
    await page.getByRole('button', { name: 'Update the view' }).click()
    await addressIs(page, (query) => !query.has('columns'))
    assert.equal(await changed.count(), 0)
    await page.reload()
    await openTab(page, name).waitFor()
    assert.notInclude(await columnsOf(page), 'Partner')
    assert.equal(await changed.count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('a view is renamed and deleted, and the list stays as it was', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    await threeOrders()
    const page = await openOrders(browserContext, '/back-office/orders?status=paid')
    const [name, renamed] = [aName(), aName()]
    await saveView(page, name)
    await chooseAct(page, name, 'Rename or share')
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.locator('input[name=name]').inputValue(), name)
    await dialog.locator('input[name=name]').fill(renamed)
    await assertAccessible(page, assert)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await openTab(page, renamed).waitFor()
    await chooseAct(page, renamed, 'Delete')
    await dialog.getByText('Orders, cases and other data stay as they are.').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await tabs(page).waitFor({ state: 'detached' })
    await addressIs(page, (query) => String(query) === 'status=paid')
    await statusFilter(page).filter({ hasText: 'Paid' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a name that is taken is refused at its field, and what was typed stays', async ({
    assert,
    browserContext,
  }) => {
    await threeOrders()
    const page = await openOrders(browserContext)
    const name = aName()
    await saveView(page, name)
    await page.getByRole('button', { name: 'Save view', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const save = dialog.getByRole('button', { name: 'Save' })
    assert.equal(await save.getAttribute('aria-disabled'), 'true')
    await dialog.locator('input[name=name]').fill(name.toUpperCase())
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Stay' }).click()
    await save.click()
    await dialog.getByText('Another of your views of this list has this name.').waitFor()
    assert.equal(await dialog.locator('input[name=name]').inputValue(), name.toUpperCase())
  })

  test('a colleague gets a shared view by its link, and cannot change it', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner } = await threeOrders()
    const path = `/back-office/orders?status=paid&partner=${partner.code}`
    const page = await openOrders(browserContext, path)
    const name = aName()
    await saveView(page, name, true)
    const id = queryOf(page).get('view')!
    await browserContext.clearCookies()
    const other = await openOrders(browserContext, `/back-office/orders?view=${id}`, 'finance')
    await openTab(other, name).waitFor()
    await statusFilter(other).filter({ hasText: 'Paid' }).waitFor()
    assert.equal(await other.locator('tbody tr').count(), 3)
    await chooseStatus(other, 'Refunded')
    await openTab(other, name).getByText('Changed').waitFor()
    assert.equal(await other.getByRole('button', { name: 'Update the view' }).count(), 0)
    await other.getByRole('button', { name: `Actions of the view “${name}”` }).click()
    await other.getByText('Made by The support').waitFor()
    assert.equal(await other.getByRole('menuitem', { name: 'Delete' }).count(), 0)
    await other.keyboard.press('Escape')
    await other.getByRole('menu').waitFor({ state: 'detached' })
    await assertAccessible(other, assert)
    assert.deepEqual(complaints, [])
  })

  test('a copied link shows a colleague the same columns, also of a view of one’s own', async ({
    assert,
    browserContext,
  }) => {
    await browserContext.grantPermissions(['clipboard-read', 'clipboard-write'])
    await threeOrders()
    const page = await openOrders(browserContext, '/back-office/orders?status=paid')
    await openColumns(page)
    await page.getByRole('button', { name: 'Move “Total” up' }).click()
    await page.getByRole('checkbox', { name: 'Partner' }).click()
    await closeColumns(page)
    const shown = await columnsOf(page)
    const name = aName()
    await saveView(page, name)
    await chooseAct(page, name, 'Copy link')
    await page.getByText('Link copied').first().waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    await browserContext.clearCookies()
    const other = await openOrders(browserContext, link)
    assert.deepEqual(await columnsOf(other), shown)
    await statusFilter(other).filter({ hasText: 'Paid' }).waitFor()
    assert.equal(await tab(other, name).count(), 0)
  })

  test('a list opens with the view that somebody has chosen for it, until they choose none', async ({
    assert,
    browserContext,
  }) => {
    await threeOrders()
    const page = await openOrders(browserContext, '/back-office/orders?status=paid')
    const name = aName()
    await saveView(page, name)
    await chooseAct(page, name, 'Open the list with this view')
    await tabs(page).getByText('The list opens with it').waitFor()
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    await openTab(page, name).waitFor()
    await statusFilter(page).filter({ hasText: 'Paid' }).waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await openTab(page, 'All').waitFor()
    await page.reload()
    await openTab(page, 'All').waitFor()
    await tabs(page).getByRole('link').nth(1).click()
    await chooseAct(page, name, 'Do not open the list with this view')
    await tabs(page).getByText('The list opens with it').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    await statusFilter(page).filter({ hasText: 'Status: all' }).waitFor()
    assert.equal(await openTab(page, name).count(), 0)
  })

  test('without its last filter a list is no view, and does not open one', async ({
    assert,
    browserContext,
  }) => {
    await threeOrders()
    const page = await openOrders(browserContext, '/back-office/orders?status=paid')
    const name = aName()
    await saveView(page, name)
    await chooseAct(page, name, 'Open the list with this view')
    await tabs(page).getByText('The list opens with it').waitFor()
    // From the view itself, and from its filter without it.
    for (const start of ['', '?status=paid']) {
      await page.goto(`/back-office/orders${start}`)
      await page.getByRole('table').waitFor()
      await chooseStatus(page, 'Status: all')
      await addressIs(page, (query) => String(query) === 'view=all')
      await openTab(page, 'All').waitFor()
      await page.reload()
      await statusFilter(page).filter({ hasText: 'Status: all' }).waitFor()
    }
    assert.equal(await openTab(page, name).count(), 0)
  })

  test('a view keeps what the list is sorted by', async ({ assert, browserContext }) => {
    const complaints = watch(browserContext)
    const { partner } = await threeOrders()
    const page = await openOrders(browserContext, `/back-office/orders?partner=${partner.code}`)
    const total = page.getByRole('columnheader', { name: 'Total' })
    await total.getByRole('button').click()
    await addressIs(page, (query) => query.get('sort') === 'highest')
    const name = aName()
    await saveView(page, name)

    await tab(page, 'All').click()
    await page.locator('th[aria-sort=descending]').filter({ hasText: 'Placed' }).waitFor()
    await tab(page, name).click()
    await addressIs(page, (query) => query.get('sort') === 'highest')
    await page.locator('th[aria-sort=descending]').filter({ hasText: 'Total' }).waitFor()
    await total.getByRole('button').click()
    await openTab(page, name).getByText('Changed').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a link that the browser does not copy is an error, not a success', async ({
    assert,
    browserContext,
  }) => {
    await threeOrders()
    const page = await openOrders(browserContext, '/back-office/orders?status=paid')
    const name = aName()
    await saveView(page, name)
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
    })
    await chooseAct(page, name, 'Copy link')
    await page.getByText('The browser has not copied the link.').first().waitFor()
    assert.equal(await page.getByText('Link copied').count(), 0)
  })

  test('200 views with names of 80 letters are found by a part of their names, on a phone, too', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const page = await browserContext.newPage()
    const { email } = await openAs(page, 'support', '/back-office/orders')
    await ownerRows(
      `INSERT INTO saved_views (staff_id, list, place, name, is_shared, filters)
       SELECT id, 'orders', n, repeat('W', 77) || lpad(n::text, 3, '0'), false, '{"status": "paid"}'
         FROM staff, generate_series(1, 200) AS n WHERE email = ?`,
      email
    )
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/back-office/orders')
      await tabs(page)
        .getByRole('button', { name: /^More: 19\d$/ })
        .click()
      await assertAccessible(page, assert)
      await page.getByRole('searchbox', { name: 'Find a view' }).fill('w177')
      await page.getByRole('link', { name: 'W177' }).click()
      await openTab(page, 'W177').waitFor()
      await statusFilter(page).filter({ hasText: 'Paid' }).waitFor()
      await page.getByRole('button', { name: /^Actions of the view/ }).waitFor()
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth
      )
      assert.equal(overflow, 0)
      const main = page.locator('main')
      assert.isTrue(await main.evaluate((one) => one.scrollWidth <= one.clientWidth))
    }
    await page.getByRole('button', { name: 'Save view', exact: true }).click()
    await page.locator('input[name=name]').fill('One more')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('You have 200 views of this list already. Delete one first.').waitFor()
    assert.equal(await page.locator('input[name=name]').inputValue(), 'One more')
    assert.deepEqual(complaints, [])
  })
})

test.group('Columns and rows of a list', (group) => {
  group.each.timeout(120_000)

  test('columns are chosen and moved by the keyboard alone, and kept for the person and list', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    await threeOrders()
    const page = await openOrders(browserContext)
    const standard = await columnsOf(page)
    assert.deepEqual(standard.slice(0, 3), ['Order', 'Placed', 'Event'])
    await page.getByRole('button', { name: 'Columns and times' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: 'Event' }).focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByRole('status').filter({ hasText: '“Event”: 1 of 7' }).waitFor()
    await page.getByRole('button', { name: 'Move “Event” down' }).press('Enter')
    await page.getByRole('status').filter({ hasText: '“Event”: 2 of 7' }).waitFor()
    // The focus goes with the line, so that the same key moves it on.
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: '“Event”: 3 of 7' }).waitFor()
    await page.getByRole('checkbox', { name: 'Buyer' }).press('Space')
    await assertAccessible(page, assert)
    await closeColumns(page)
    const chosen = ['Order', 'Placed', 'Partner', 'Event', 'Seats', 'Total', 'Status']
    assert.deepEqual(await columnsOf(page), chosen)
    await page.reload()
    await page.getByRole('table').waitFor()
    assert.deepEqual(await columnsOf(page), chosen)
    await page.goto('/back-office/events')
    await page.getByRole('table').waitFor()
    assert.include(await columnsOf(page), 'Event')

    // On a phone as well: they were chosen.
    await page.setViewportSize({ width: 390, height: 900 })
    await page.goto('/back-office/orders')
    await page.locator('tbody tr').first().getByText('Placed').waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })

    await page.getByRole('button', { name: 'Columns and times' }).click()
    await page.getByRole('button', { name: 'Standard columns' }).click()
    await closeColumns(page)
    assert.deepEqual(await columnsOf(page), standard)
    assert.deepEqual(complaints, [])
  })

  test('whoever signs in next in the same browser has their own columns', async ({
    assert,
    browserContext,
  }) => {
    await threeOrders()
    const page = await openOrders(browserContext)
    await openColumns(page)
    await page.getByRole('checkbox', { name: 'Buyer' }).click()
    await closeColumns(page)
    assert.notInclude(await columnsOf(page), 'Buyer')
    await browserContext.clearCookies()
    const next = await openOrders(browserContext)
    assert.include(await columnsOf(next), 'Buyer')
  })

  test('rows stand closer, and times are as long ago as they are, in every list', async ({
    assert,
    browserContext,
  }) => {
    await threeOrders()
    const page = await openOrders(browserContext)
    const row = page.locator('tbody tr').first()
    const heightOf = async () => (await row.boundingBox())!.height
    const comfortable = await heightOf()
    const exact = await row.locator('time').textContent()
    await openColumns(page)
    await page.getByRole('button', { name: 'Compact' }).click()
    await page.getByRole('button', { name: 'How long ago' }).click()
    await closeColumns(page)
    assert.isBelow(await heightOf(), comfortable)
    await row
      .locator('time')
      .filter({ hasText: /^(just now|\d+ min ago)$/ })
      .waitFor()
    assert.match(exact!, /^\d+ \w+, \d\d:\d\d$/)
    assert.match((await row.locator('time').getAttribute('title'))!, /UTC\+5$/)
    await page.goto('/back-office/journal')
    await page
      .locator('tbody time')
      .filter({ hasText: /just now|ago/ })
      .first()
      .waitFor()
  })

  test('j and k go from row to row, and g j still goes to the journal', async ({
    assert,
    browserContext,
  }) => {
    await threeOrders()
    const page = await openOrders(browserContext)
    const links = await page.locator('tbody tr > td:first-child a').allTextContents()
    const focused = () => page.evaluate(() => document.activeElement?.textContent.trim())
    for (const [key, row] of [
      ['j', 0],
      ['j', 1],
      ['j', 2],
      ['k', 1],
    ] as const) {
      await page.keyboard.press(key)
      assert.equal(await focused(), links[row].trim())
    }
    await page.getByRole('searchbox').focus()
    await page.keyboard.press('j')
    assert.equal(await page.getByRole('searchbox').inputValue(), 'j')
    await page.getByRole('searchbox').fill('')
    await page.keyboard.press('Tab')
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Next row of a list').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('tbody tr a').first().focus()
    await goTo(page, 'j')
    await page.getByRole('heading', { name: 'Journal' }).waitFor()
  })

  test('x chooses the case that has the focus, and no other key does', async ({
    assert,
    browserContext,
  }) => {
    const { caseId } = await lateCase()
    const page = await browserContext.newPage()
    await openAs(page, 'finance', '/back-office/cases')
    const row = page.getByRole('row').filter({ hasText: `No. ${caseId}` })
    const checkbox = row.getByRole('checkbox')
    await row.getByRole('link', { name: `No. ${caseId}` }).focus()
    await page.keyboard.press('k')
    await page.keyboard.press('j')
    assert.isFalse(await checkbox.isChecked())
    await row.getByRole('link', { name: `No. ${caseId}` }).focus()
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Change chosen: 1' }).waitFor()
    assert.isTrue(await checkbox.isChecked())
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Change chosen: 1' }).waitFor({ state: 'detached' })
    assert.isFalse(await checkbox.isChecked())
  })
})
