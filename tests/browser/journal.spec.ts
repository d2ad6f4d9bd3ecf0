import { assertAccessible, goTo, openAs, watch } from '#tests/support/browser'
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
    await goTo(page, 'j')
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

  test('presets and names to choose from narrow the journal', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { client, event, partner } = await aSale()
    await sell(client, event.id, ['seat-1-1'])
    const page = await browserContext.newPage()
    const { email } = await openAs(page, 'auditor', '/back-office/orders')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export' }).click()
    await download
    await page.goto('/back-office/journal')
    const query = () => new URL(page.url()).searchParams
    const preset = (name: string) => page.getByRole('button', { name, exact: true })
    const picker = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}:`) })
    const inList = (name: string) => page.getByRole('list', { name }).getByRole('button')

    await preset('My actions').click()
    await page.waitForURL(/colleague=me/)
    await page.getByRole('row').filter({ hasText: email }).first().waitFor()
    await page.getByRole('button', { name: 'Colleague: Me' }).waitFor()
    await preset('Yesterday').click()
    await page.waitForURL(/period=yesterday/)
    await page.getByText('Nothing found').waitFor()
    await preset('Today').click()
    await page.getByRole('row').filter({ hasText: email }).first().waitFor()
    assert.equal(await preset('Today').getAttribute('aria-pressed'), 'true')
    assert.match(
      await page.getByRole('textbox', { name: 'From' }).inputValue(),
      /^\d\d\/\d\d\/\d{4}$/
    )
    await assertAccessible(page, assert)
    await preset('Today').click()
    await preset('My actions').click()
    await page.waitForURL((url) => url.search === '')

    await picker('Event').click()
    await page.getByRole('searchbox', { name: 'Event: Find in the list' }).fill(event.id)
    await page.getByText('Searching…').waitFor({ state: 'detached' })
    await inList('Event').filter({ hasText: 'Concert' }).click()
    await page.waitForURL(/event=/)
    assert.equal(query().get('event'), event.id)
    await page.getByRole('button', { name: 'Event: Concert' }).waitFor()
    await picker('Partner').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('searchbox', { name: 'Partner: Find in the list' }).fill(partner.code)
    await assertAccessible(page, assert)
    await page.keyboard.press('Enter')
    await page.waitForURL(/partner=/)
    assert.equal(query().get('partner'), partner.code)
    await page.getByRole('row').filter({ hasText: 'Order confirmed' }).waitFor()

    await picker('Colleague').click()
    await page.getByRole('searchbox', { name: 'Colleague: Find in the list' }).fill(email)
    await inList('Colleague').filter({ hasText: email }).click()
    await page.getByText('Nothing found').waitFor()
    // The names stay after the page was loaded once more.
    await page.reload()
    await page.getByRole('button', { name: 'Event: Concert' }).waitFor()
    await page.getByRole('button', { name: 'Colleague: The auditor' }).waitFor()
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

  test('days are typed and chosen in the page’s language, and what is no day stays with a word', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', '/back-office/journal', 'kk')
    const from = page.getByRole('textbox', { name: 'Басы' })
    await from.fill('31.02.2026')
    await from.blur()
    await page.getByText('Мұндай күн жоқ. Мысалы: 22.11.2026').waitFor()
    assert.equal(await from.inputValue(), '31.02.2026')
    assert.isNull(new URL(page.url()).searchParams.get('from'))
    await from.fill('')
    await from.pressSequentially('05.02.2026')
    // 05.02.20 was a day on the way.
    assert.isNull(new URL(page.url()).searchParams.get('from'))
    await from.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('from') === '2026-02-05')
    await from.fill('6/2/26')
    await from.blur()
    await page.waitForURL((url) => url.searchParams.get('from') === '2026-02-06')
    await from.fill('5/2/26')
    await from.blur()
    await page.waitForURL((url) => url.searchParams.get('from') === '2026-02-05')
    assert.equal(await from.inputValue(), '05.02.2026')
    await page.getByRole('button', { name: 'Күнді таңдау' }).first().click()
    await page.getByText('2026 ж. ақпан', { exact: true }).waitFor()
    await page.getByText('жм', { exact: true }).waitFor()
    await assertAccessible(page, assert)
    await page.locator('[data-value="2026-02-17"]').click()
    await page.waitForURL((url) => url.searchParams.get('from') === '2026-02-17')
    assert.equal(await from.inputValue(), '17.02.2026')
    assert.deepEqual(complaints, [])
  })
})
