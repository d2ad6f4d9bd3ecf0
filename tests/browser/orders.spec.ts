import { statementNumber } from '#ledger/statement_status'
import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { bought, pseudonymOf } from '#tests/support/buyers'
import { aCaseOfTwoParties, lateCase } from '#tests/support/cases'
import { anEvent, aSale, grant, sell } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import { aClosableMonth, issueFor } from '#tests/support/mails'
import { registerOfTwoSheets } from '#tests/support/registers'
import { one, ownerRows } from '#tests/support/rows'
import { test } from '@japa/runner'
import { parse } from 'csv-parse/sync'
import { readFile } from 'node:fs/promises'

test.group('Orders', () => {
  test('one search field finds an order by anything a buyer or partner can name', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-1-1', 'seat-1-2'])
    const { email } = sold.customer
    const page = await browserContext.newPage()
    await openAs(page, 'support', '/back-office/orders')
    const row = page.getByRole('link', { name: sold.order_id })
    const names = [
      sold.order_id,
      sold.order_id.toLowerCase(),
      sold.tickets[0].number,
      sold.tickets[1].ticket_id,
      sold.booking_id,
      sold.partner_order_id,
      email,
      email.slice(0, -4).toUpperCase(),
      sold.payment_info.external_payment_id,
    ]
    for (const name of names) {
      await page.getByRole('searchbox').fill('nothing-like-this')
      await page.getByText('Nothing found').waitFor()
      await page.getByRole('searchbox').fill(name)
      await row.waitFor()
      assert.equal(new URL(page.url()).searchParams.get('q'), name)
    }
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('the page of an order begins with what happened and who refunds', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { client, event, partner } = await aSale()
    const { name } = await one('SELECT name FROM partners WHERE id = ?', partner.id)
    const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
    await refund(client, sold.order_id, [sold.tickets[0].ticket_id])
    const page = await browserContext.newPage()
    await openAs(page, 'support', `/back-office/orders/${sold.order_id}`)
    const story = page.getByRole('region', { name: 'What happened to the order' })
    await story.getByText(/^The buyer paid 24.000.₸: 2 tickets\./).waitFor()
    await story.getByText(`1 ticket is void, ${name} refunds 12`).waitFor()
    await story.getByText('Partially refunded').waitFor()
    // Tickets are named by their seats.
    const happened = page.getByRole('listitem').filter({ hasText: 'Tickets refunded' })
    await happened.getByText('Сектор a, row 2, seat 1').first().waitFor()
    assert.equal(await page.getByText(sold.tickets[0].ticket_id).count(), 0)
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('the number of the order has to be typed before its buyer is erased', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { orderId, buyer } = await bought()
    const page = await browserContext.newPage()
    await openAs(page, 'admin', `/back-office/orders/${orderId}`)
    await page.getByText(buyer.email).waitFor()
    await page.getByRole('button', { name: 'Erase the buyer’s data…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This cannot be undone: we keep no copy.').waitFor()
    await dialog.getByText('Orders of events that are not over: 1.').waitFor()
    const submit = dialog.getByRole('button', { name: 'Erase permanently' })
    await dialog.locator('textarea[name=reason]').fill('A letter of the buyer')
    assert.isTrue(await submit.isDisabled())
    await dialog.locator('input[name=word]').fill(orderId)
    await assertAccessible(page, assert)
    await submit.click()
    await page.getByText(pseudonymOf(orderId)).waitFor()
    await page.getByText('Buyers’ data erased in 1 order').first().waitFor()
    assert.equal(await page.getByText(buyer.email).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Erase the buyer’s data…' }).count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('the search finds a case and a statement, says what they are and leads to them', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { caseId, orderId } = await lateCase()
    const { partner } = await aClosableMonth()
    const { statementId } = await issueFor(partner)
    const { number } = await one(
      'SELECT number FROM settlement_statements WHERE id = ?',
      statementId
    )
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/orders?q=${orderId}`)
    const found = page.locator('[data-found] li')
    await found
      .filter({ hasText: /^Case/ })
      .filter({ hasText: /12.000.₸ · buyer’s/ })
      .waitFor()
    await page.getByRole('link', { name: orderId }).waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('searchbox').fill(statementNumber(number as number))
    await found
      .filter({ hasText: /^Statement/ })
      .filter({ hasText: 'Issued' })
      .waitFor()
    await page.getByText('No order found').waitFor()
    await found.getByRole('link').click()
    await page.waitForURL(`**/statements/${statementId}`)
    await page.goto(`/back-office/orders?q=${caseId}`)
    await found.getByRole('link', { name: `No. ${caseId}` }).click()
    await page.waitForURL(`**/cases/${caseId}`)
    assert.deepEqual(complaints, [])
  })

  test('finance sees an order’s cases, register lines and statements, and support the cases alone', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { key, caseId } = await aCaseOfTwoParties()
    const page = await browserContext.newPage()
    await openAs(page, 'support', `/back-office/orders/${key}`)
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await page
      .getByRole('table', { name: 'Cases' })
      .getByRole('link', { name: `No. ${caseId}` })
      .waitFor()
    for (const name of ['In the partner’s registers', 'In statements'])
      assert.equal(await page.getByRole('table', { name }).count(), 0, name)

    await openAs(page, 'finance', `/back-office/orders/${key}`)
    await page
      .getByRole('table', { name: 'Cases' })
      .getByText(/12.000.₸ ours/)
      .waitFor()
    const inRegisters = page.getByRole('table', { name: 'In the partner’s registers' })
    await inRegisters.getByText('not in it').waitFor()
    const inStatements = page.getByRole('table', { name: 'In statements' })
    await inStatements.getByText('In no statement yet').waitFor()
    await assertAccessible(page, assert)
    await inRegisters.getByRole('link').first().click()
    await page.waitForURL(`**/registers/*?q=${key}`)
    await page.goBack()
    await page.getByRole('link', { name: `No. ${caseId}`, exact: true }).click()
    await page.waitForURL(`**/cases/${caseId}`)
    assert.deepEqual(complaints, [])
  })

  test('a row of a register with several sheets is named by its sheet and its row there', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { second } = await registerOfTwoSheets()
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/orders/${second}`)
    await page
      .getByRole('table', { name: 'In the partner’s registers' })
      .getByRole('cell', { name: 'sheet “Сайт”, row 2', exact: true })
      .waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('one ticket is refunded with a reason after the consequences are shown', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-1-1', 'seat-1-2'])
    const [first, second] = sold.tickets
    const page = await browserContext.newPage()
    await openAs(page, 'support', `/back-office/orders/${sold.order_id}`)
    await page.getByRole('checkbox', { name: first.number }).click()
    await page.getByRole('button', { name: /^Refund or void/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 ticket becomes void permanently.').waitFor()
    await assertAccessible(page, assert)
    const submit = dialog.getByRole('button', { name: /^Refund / })
    assert.isTrue(await submit.isDisabled())
    await dialog.getByRole('textbox').fill('The buyer fell ill')
    await submit.dblclick()
    await page.getByText('1 ticket refunded').first().waitFor()

    const states = async (id: string) => {
      const { status } = await one('SELECT status FROM tickets WHERE id = ?', id)
      return status as string
    }
    assert.equal(await states(first.ticket_id), 'void')
    assert.equal(await states(second.ticket_id), 'active')
    const { n } = await one(
      `SELECT count(*)::int AS n FROM journal WHERE order_id = ? AND name = 'tickets_refunded'`,
      sold.order_id
    )
    assert.equal(n, 1)
    assert.deepEqual(complaints, [])
  })

  test('the platform voids a ticket, and the order stays paid', async ({
    assert,
    browserContext,
  }) => {
    const { client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-1-1'])
    const page = await browserContext.newPage()
    await openAs(page, 'support', `/back-office/orders/${sold.order_id}`)
    await page.getByRole('checkbox', { name: sold.tickets[0].number }).click()
    await page.getByRole('button', { name: /^Refund or void/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Voided by the platform' }).click()
    await dialog.getByText(/nobody can enter with a void ticket/).waitFor()
    await dialog.getByRole('textbox').fill('Bought by a robot')
    await dialog.getByRole('button', { name: 'Void tickets: 1' }).click()
    await page.getByText('1 ticket voided').first().waitFor()
    const { data } = await client.get(`/orders?partner_order_id=${sold.partner_order_id}`)
    assert.equal(data.status, 'paid')
    assert.equal(data.tickets[0].status, 'void')
    assert.isNull(data.tickets[0].qr_token)
  })

  test('a reader sees no refund, and the server refuses it', async ({ assert, browserContext }) => {
    const { client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-1-1'])
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', `/back-office/orders/${sold.order_id}`)
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    assert.equal(await page.getByRole('checkbox').count(), 0)
  })

  test('the list is exported, and the journal records who exported it', async ({
    assert,
    browserContext,
  }) => {
    const { client, event, partner } = await aSale()
    const first = await sell(client, event.id, ['seat-1-1'])
    const second = await sell(client, event.id, ['seat-1-2'])
    await ownerRows(
      `UPDATE orders SET customer = jsonb_set(customer, '{email}', '"=cmd|a@b.kz"') WHERE id = ?`,
      first.order_id
    )
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', `/back-office/orders?partner=${partner.code}`)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export' }).click()
    const file = await download
    assert.match(file.suggestedFilename(), /^orders-\d{4}-\d\d-\d\d\.csv$/)
    const text = await readFile((await file.path())!, 'utf8')
    const [head, , ...lines] = parse(text, { bom: true, delimiter: ';' }) as string[][]
    assert.deepEqual(head.slice(0, 3), ['order_id', 'created_at', 'status'])
    assert.deepEqual(
      lines.map(([id]) => id),
      [second.order_id, first.order_id]
    )
    assert.equal(lines[1][6], `'=cmd|a@b.kz`)
    const { change } = await one(
      `SELECT change FROM journal WHERE name = 'list_exported' ORDER BY id DESC LIMIT 1`
    )
    assert.deepEqual(change, { list: 'orders', filters: { partner: partner.code } })
  })

  test('the order shows that a ticket’s PDF was opened', async ({ assert, browserContext }) => {
    const complaints = watch(browserContext)
    const { client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-1-1'])
    const answer = await fetch(sold.tickets[0].pdf_url)
    assert.equal(answer.status, 200)
    const page = await browserContext.newPage()
    await openAs(page, 'support', `/back-office/orders/${sold.order_id}`)
    await page.getByText('Ticket PDF opened by its link').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('every row links to its order, and an event links to its own orders', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { client, event, partner } = await aSale()
    const other = await anEvent()
    await grant(partner, other)
    const sold = await sell(client, event.id, ['seat-1-1'])
    await sell(client, other.id, ['seat-1-1'])
    const page = await browserContext.newPage()
    await openAs(page, 'support', `/back-office/events/${event.id}`)
    await page.getByRole('columnheader', { name: 'Valid tickets' }).waitFor()
    await page.getByRole('link', { name: 'All orders of the event' }).click()
    await page.getByRole('button', { name: 'Only the event “Concert”' }).waitFor()
    const rowsOfOrders = page.getByRole('row').filter({ hasText: partner.code })
    assert.equal(await rowsOfOrders.count(), 1)
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Only the event “Concert”' }).click()
    await rowsOfOrders.nth(1).waitFor()

    await page.getByRole('row').filter({ hasText: sold.order_id }).getByText('Paid').click()
    await page.getByRole('heading', { name: sold.order_id }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('the list says how many orders it finds and their sum, and its heads sort it', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { client, event, partner } = await aSale()
    const two = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
    const three = await sell(client, event.id, ['seat-2-3', 'seat-2-4', 'seat-2-5'])
    const single = await sell(client, event.id, ['seat-2-6'])
    await refund(client, single.order_id, [single.tickets[0].ticket_id])
    const page = await browserContext.newPage()
    await openAs(page, 'support', `/back-office/orders?partner=${partner.code}`)
    await page.getByText(/^3 orders, 72.000.₸ in total$/).waitFor()
    const head = (name: string) => page.getByRole('columnheader', { name })
    const firstRowIs = (id: string) =>
      page.getByRole('row').nth(1).getByRole('link', { name: id }).waitFor()
    await firstRowIs(single.order_id)
    assert.equal(await head('Placed').getAttribute('aria-sort'), 'descending')
    assert.equal(await head('Total').getAttribute('aria-sort'), 'none')
    assert.isNull(await head('Buyer').getAttribute('aria-sort'))

    await head('Placed').getByRole('button').click()
    await firstRowIs(two.order_id)
    assert.equal(await head('Placed').getAttribute('aria-sort'), 'ascending')
    await page.keyboard.press('Tab')
    assert.isTrue(
      await head('Total')
        .getByRole('button')
        .evaluate((button) => button === document.activeElement)
    )
    await page.keyboard.press('Enter')
    await firstRowIs(three.order_id)
    assert.equal(await head('Total').getAttribute('aria-sort'), 'descending')
    await page.keyboard.press('Space')
    await firstRowIs(single.order_id)
    assert.equal(await head('Total').getAttribute('aria-sort'), 'ascending')
    assert.equal(new URL(page.url()).searchParams.get('sort'), 'lowest')
    await assertAccessible(page, assert)

    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Paid', exact: true }).click()
    await page.getByText(/^2 orders, 60.000.₸ in total$/).waitFor()
    await firstRowIs(two.order_id)

    // On a phone, where no heads are seen, a list of choices sorts.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('combobox', { name: 'Sorting' }).click()
    await page.getByRole('option', { name: 'Largest total first' }).click()
    await firstRowIs(three.order_id)
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('an unknown order has a page that says so', async ({ assert, browserContext }) => {
    const page = await browserContext.newPage()
    await openAs(page, 'support', '/back-office')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const answer = await page.goto('/back-office/orders/TIX-2020-999999')
    assert.equal(answer?.status(), 404)
    await page.getByText('There is nothing here.').waitFor()
  })
})
