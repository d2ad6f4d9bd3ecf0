import ChangeCase from '#case_work/change_case'
import { assertAccessible, openAs, watch } from '#tests/support/browser'
import {
  aCaseOfTwoParties,
  aPartlyReturnedCase,
  lateCase,
  refreshDefects,
} from '#tests/support/cases'
import { dataOf } from '#tests/support/answers'
import { aSale, book, order, paymentOf, TESTER } from '#tests/support/fixtures'
import { confirm } from '#tests/support/operations'
import { confirmedRegister, fileOf, lineOf, saleOfOrders } from '#tests/support/registers'
import { one, ownerRows } from '#tests/support/rows'
import { performRuns } from '#tests/support/runs'
import { setTerms } from '#tests/support/settlement'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import type { Request } from 'playwright'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const stateOf = (caseId: number) =>
  one('SELECT state, resolution FROM settlement_cases WHERE id = ?', caseId)

/** The same payment again, for a new order. */
async function recover({ client, event, payment, partner }: Awaited<ReturnType<typeof lateCase>>) {
  const booking = dataOf(await book(client, event.id, ['seat-2-1']))
  const second = dataOf(await order(client, booking.booking_id))
  await confirm(client, second.order_id, payment)
  await refreshDefects(partner)
  return second.order_id as string
}

/** All that the reference says of a rule in one language, step by step. */
async function referenceOf(code: string, language: string): Promise<string[]> {
  const path = app.makePath(`resources/lang/${language}/defect_reference.json`)
  const { example, ...texts } = JSON.parse(await readFile(path, 'utf8'))[code]
  return [...Object.values<string>(texts), ...example.map((step: { text: string }) => step.text)]
}

test.group('Cases', () => {
  test('a case is taken from the queue and resolved with a reason', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { caseId, partner } = await lateCase()
    const page = await browserContext.newPage()
    const filters = `partner=${partner.code}&severity=MEDIUM&sort=money`
    await openAs(page, 'finance', `/back-office/cases?${filters}`)
    const totals = page.getByRole('region', { name: 'Totals of the list' })
    const link = await totals.getByRole('link').getAttribute('href')
    const kept = new URL(link!, 'http://host').searchParams.toString().split('&')
    assert.sameMembers(kept, filters.split('&'))
    await page.getByRole('heading', { name: 'Defects by month' }).waitFor()
    await page.getByText('Show as a table').click()
    await assertAccessible(page, assert)
    await page.getByRole('link', { name: `No. ${caseId}` }).click()
    await page.getByText(/^The buyer was charged 12.000.₸; both charge and confirm/).waitFor()
    await page.getByText('The partner has to return 12 000 ₸ to the buyer.').waitFor()
    await assertAccessible(page, assert)

    await page.getByRole('button', { name: 'Take' }).click()
    await page.getByText('In progress', { exact: true }).waitFor()
    assert.include(await stateOf(caseId), { state: 'in_work' })

    await page.getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog')
    const save = dialog.getByRole('button', { name: 'Save' })
    assert.isTrue(await save.isDisabled())
    await dialog.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Resolved' }).click()
    await dialog.getByText('The reason becomes the outcome of the case').waitFor()
    assert.isTrue(await save.isDisabled())
    await assertAccessible(page, assert)
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The partner has returned it')
    await save.dblclick()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('The partner has returned it').first().waitFor()
    assert.deepEqual(await stateOf(caseId), {
      state: 'resolved',
      resolution: 'The partner has returned it',
    })
    await page.getByText(/\. Disputed amount: 12.000.₸\.$/).waitFor()
    await page.getByRole('button', { name: 'Change' }).click()
    await dialog.getByRole('combobox', { name: 'State' }).click()
    const offered = await page.getByRole('option').allInnerTexts()
    assert.deepEqual(offered, ['leave unchanged', 'Open', 'In progress'])
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: 'Add a note' }).click()
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Spoke to their accountant')
    await dialog.getByRole('button', { name: 'Add a note' }).click()
    await page.getByText('Spoke to their accountant').waitFor()
    await ownerRows('UPDATE settlement_cases SET gone_at = clock_timestamp() WHERE id = ?', caseId)
    await page.reload()
    const story = await page.locator('[data-story]').innerText()
    assert.notMatch(story, /Disputed amount|has to return/)
    assert.match(story, /The rules no longer find this case: no money is at risk\.$/)
    await ownerRows(`UPDATE settlement_cases SET state = 'open' WHERE id = ?`, caseId)
    await page.reload()
    const facts = page.locator('section').filter({ has: page.getByText('Last check') })
    await facts.getByText('No longer found').waitFor()
    for (const word of ['Open', 'High'])
      assert.equal(await facts.getByText(word, { exact: true }).count(), 0, word)
    assert.deepEqual(complaints, [])
  })

  test('the list finds a case by the number that was sent, and shows the first orders of each', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner, client } = await aSale()
    const number = `SHOP-${randomUUID().slice(0, 8)}`
    await confirm(client, number, paymentOf(7_000))
    await refreshDefects(partner)
    const { id: caseId } = await one('SELECT id FROM settlement_cases WHERE key = ?', number)
    const late = await lateCase()
    await ownerRows(
      `UPDATE settlement_cases SET order_ids = order_ids || ARRAY['TIX-A', 'TIX-B', 'TIX-C'] WHERE id = ?`,
      late.caseId
    )
    const page = await browserContext.newPage()
    await openAs(page, 'finance', '/back-office/cases')
    const several = page.getByRole('row').filter({ hasText: late.orderId })
    await several.getByText('TIX-A').waitFor()
    await several.getByText('and 2 more').waitFor()
    assert.equal(await several.getByText('TIX-B').count(), 0)
    await page.getByRole('searchbox').fill('nothing-like-this')
    await page.getByText('Nothing found').waitFor()
    await page.getByRole('combobox', { name: 'State' }).getByText('State: all').waitFor()
    await page.getByRole('searchbox').fill(number)
    await page.getByRole('row').filter({ hasText: number }).waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('link', { name: `No. ${caseId}` }).click()
    await page.getByText('We have no such order').first().waitFor()
    assert.include(await page.locator('main').innerText(), number)
    assert.deepEqual(complaints, [])
  })

  test('the story of a case shows one payment over two orders', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const found = await lateCase()
    const second = await recover(found)
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', `/back-office/cases/${found.caseId}`)
    await page.getByText(/with the same payment\. No money is at risk\.$/).waitFor()
    await page.getByRole('link', { name: second }).first().waitFor()
    await page.getByText('Confirm: 409 ORDER_EXPIRED').waitFor()
    await assertAccessible(page, assert)
    assert.equal(await page.getByRole('button', { name: 'Change' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Take' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Add a note' }).count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('a case with money of two parties shows both, and the list begins with the most money on request', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { caseId, partner } = await aCaseOfTwoParties()
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/cases?partner=${partner.code}`)
    const line = page.getByRole('row').filter({ hasText: `No. ${caseId}` })
    await line.getByText(/12.000.₸ buyer’s/).waitFor()
    await line.getByText(/12.000.₸ ours/).waitFor()
    await page.getByRole('combobox', { name: 'Sorting' }).click()
    await page.getByRole('option', { name: 'Largest amount first' }).click()
    await page.waitForURL(/sort=money/)
    await assertAccessible(page, assert)
    await page.getByRole('link', { name: `No. ${caseId}` }).click()
    await page
      .getByText(/The partner has to return 12.000.₸ to the buyer\. We may be short of 12.000.₸\.$/)
      .waitFor()
    await assertAccessible(page, assert)
    await page.goto(new URL('/back-office/settlement', page.url()).href)
    await page.getByRole('row').filter({ hasText: partner.code }).getByText(/ours/).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('nothing of the list is cut, in any language', async ({ assert, browserContext }) => {
    const { partner, caseId, orderId } = await lateCase()
    await ownerRows(
      `UPDATE settlement_cases SET owner_id = (SELECT min(id) FROM staff), due_on = current_date - 2, state = 'in_work',
              order_ids = order_ids || ARRAY['TIX-2026-999998', 'TIX-2026-999999'] WHERE id = ?`,
      caseId
    )
    const page = await browserContext.newPage()
    await page.setViewportSize({ width: 1280, height: 900 })
    await openAs(page, 'finance', `/back-office/cases?partner=${partner.code}`)
    for (const [language, number] of [
      ['ru', `№ ${caseId}`],
      ['kk', `№ ${caseId}`],
      ['en', `No. ${caseId}`],
    ]) {
      await ownerRows('UPDATE staff SET language = ?', language)
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 })
        await page.reload()
        const line = page.getByRole('row').filter({ hasText: number })
        await line.getByText(orderId).waitFor()
        const table = page.getByRole('region').filter({ has: line }).last()
        const cut = await table.evaluate(
          ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth
        )
        assert.equal(cut, 0, `${language} at ${width}`)
      }
    }
  })

  test('an accountant redoes the sum of a case, down to the rows and requests', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { caseId, orderId, paymentId, registerId } = await aPartlyReturnedCase()
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', `/back-office/cases/${caseId}`)
    const table = page.getByRole('table', { name: 'How the amount is made up' })
    const line = table.getByRole('row').filter({ hasText: paymentId }).first()
    const figures = await line.getByRole('cell').allInnerTexts()
    const tenge = figures.map((figure) => figure.replace(/[^\d−]/g, ''))
    assert.deepEqual(tenge, ['12000', '4000', '0', '8000'])
    const calculation = page.locator('[data-calculation]')
    await calculation
      .getByText(/^Charged 12.000.₸ − returned 4.000.₸ − tickets for 0.₸ = 8.000.₸ to the buyer$/)
      .waitFor()
    await calculation.getByText(/^Result: 8.000.₸ to the buyer$/).waitFor()

    const charged = line.getByRole('button', { name: /12.000/ })
    assert.equal(await charged.getAttribute('aria-expanded'), 'false')
    await charged.focus()
    await page.keyboard.press('Enter')
    assert.equal(await charged.getAttribute('aria-expanded'), 'true')
    const details = table.locator('[data-details]')
    await details.getByText(/^returned 4.000.₸: counts$/).waitFor()
    await details.getByRole('link', { name: orderId }).waitFor()
    const request = details.getByRole('link', { name: /^request, / })
    assert.match((await request.getAttribute('href'))!, /^#request-/)
    await assertAccessible(page, assert)

    await page.setViewportSize({ width: 375, height: 812 })
    const overflow = () =>
      page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    assert.equal(await overflow(), 0)
    await assertAccessible(page, assert)
    const register = await one(
      `SELECT r.file_name, s.name FROM partner_registers r JOIN register_sources s ON s.id = r.source_id WHERE r.id = ?`,
      registerId
    )
    const named = details.getByRole('link', { name: /, line 3$/ })
    const text = await named.innerText()
    assert.match(
      text.replaceAll(/\s/g, ' '),
      new RegExp(`^register “${register.file_name}” \\(${register.name}, [^)]+ – [^)]+\\), line 3$`)
    )
    await named.click()
    await page.waitForURL(new RegExp(`/registers/${registerId}\\?q=3$`))
    const matches = page.getByRole('table', { name: 'Result' })
    await matches.locator('span', { hasText: /^line 3$/ }).waitFor()

    await ownerRows('UPDATE settlement_cases SET balance = NULL WHERE id = ?', caseId)
    await page.goto(new URL(`/back-office/cases/${caseId}`, page.url()).href)
    await page.getByText('Will be shown after the next check.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('the calculation is a sentence in each language', async ({ browserContext }) => {
    const { caseId } = await aPartlyReturnedCase()
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', `/back-office/cases/${caseId}`)
    const sentences = {
      ru: /^Списано 12.000.₸ − возвращено 4.000.₸ − билеты на 0.₸ = 8.000.₸ покупателю$/,
      kk: /^Алынды 12.000.₸ − қайтарылды 4.000.₸ − билеттер 0.₸ = сатып алушыға 8.000.₸$/,
      en: /^Charged 12.000.₸ − returned 4.000.₸ − tickets for 0.₸ = 8.000.₸ to the buyer$/,
    }
    for (const [language, sentence] of Object.entries(sentences)) {
      await ownerRows('UPDATE staff SET language = ?', language)
      await page.reload()
      await page.locator('[data-calculation]').getByText(sentence).waitFor()
    }
  })

  test('a defect explains its rule in each language', async ({ assert, browserContext }) => {
    const complaints = watch(browserContext)
    const { caseId } = await lateCase()
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', `/back-office/cases/${caseId}`)
    const section = page.locator('[data-code=CONFIRM_ORDER_EXPIRED] [data-why-here]')
    const title = section.locator('summary')
    const shows = async (language: string) => {
      for (const text of await referenceOf('CONFIRM_ORDER_EXPIRED', language))
        await section.getByText(text, { exact: true }).waitFor()
    }
    const choose = async (menu: string, language: string) => {
      await page.getByRole('button', { name: 'The auditor' }).click()
      await page.getByRole('menuitem', { name: menu }).click()
      await page.getByRole('menuitemcheckbox', { name: language }).click()
    }
    assert.equal(await title.innerText(), 'Why is this here?')
    assert.equal(await section.getByRole('heading').count(), 0)
    await title.click()
    await shows('en')
    await assertAccessible(page, assert)
    await choose('Language', 'Русский')
    await section.getByText('Почему это здесь?').waitFor()
    await shows('ru')
    await choose('Язык', 'Қазақша')
    await section.getByText('Бұл неге мұнда?').waitFor()
    await shows('kk')
    await title.click()
    assert.isFalse(await section.getByRole('heading').first().isVisible())
    assert.deepEqual(complaints, [])
  })

  test('what a sum in tiyn probably is stands in the hint alone', async ({
    assert,
    browserContext,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const inTiyn = await lineOf(orders[0], { tenge: '1200000' })
    await confirmedRegister(partner, fileOf(inTiyn, await lineOf(orders[1])))
    await refreshDefects(partner)
    const { id } = await one('SELECT id FROM settlement_cases WHERE partner_id = ?', partner.id)
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', `/back-office/cases/${id}`)
    const defect = page.locator('[data-code=REGISTER_AMOUNT_DIFFERS]')
    await defect.waitFor()
    const text = await defect.innerText()
    assert.lengthOf(text.match(/₸ is probably/g) ?? [], 1)
  })

  test('a filter stays in the address when the chart under the list comes late', async ({
    assert,
    browserContext,
  }) => {
    const { partner } = await lateCase()
    const page = await browserContext.newPage()
    await openAs(page, 'finance', '/back-office')
    const { promise: isFiltered, resolve: release } = Promise.withResolvers<void>()
    const ofChart = (request: Request) =>
      (request.headers()['x-inertia-partial-data'] ?? '').includes('months')
    let isFirst = true
    await page.route('**/back-office/cases**', async (route) => {
      if (!ofChart(route.request()) || !isFirst) return route.continue()
      isFirst = false
      const answer = await route.fetch()
      await isFiltered
      return route.fulfill({ response: answer }).catch(() => undefined)
    })
    await page.goto('/back-office/cases')
    await page.getByRole('searchbox').fill(partner.code)
    await page.waitForURL(/q=/)
    release()
    await page.getByRole('heading', { name: 'Defects by month' }).waitFor()
    assert.include(page.url(), `q=${partner.code}`)
  })

  test('the slower of two editors sees what the other has changed', async ({
    assert,
    browserContext,
  }) => {
    const { caseId } = await lateCase()
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/cases/${caseId}`)
    await page.getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Owner' }).click()
    await page.getByRole('option', { name: 'Me', exact: true }).click()
    await new ChangeCase().handle({
      caseId,
      version: 1,
      actor: TESTER,
      change: { state: 'with_partner', reason: null },
    })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Somebody else has changed this meanwhile').waitFor()
    await dialog.getByText('State: was “Open”, is “With the partner”').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('The finance').first().waitFor()
    assert.include(await stateOf(caseId), { state: 'with_partner' })
  })

  test('several cases are dismissed at once', async ({ assert, browserContext }) => {
    const complaints = watch(browserContext)
    const { caseId, partner } = await lateCase()
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/cases?partner=${partner.code}`)
    await page.getByRole('checkbox', { name: 'Choose all on this page' }).click()
    await page.getByRole('button', { name: 'Change chosen: 1' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Dismissed' }).click()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('A trial of the partner')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Nothing found').waitFor()
    assert.include(await stateOf(caseId), { state: 'dismissed' })
    assert.deepEqual(complaints, [])
  })

  test('a month is searched again from the account', async ({ assert, browserContext }) => {
    const complaints = watch(browserContext)
    const { partner } = await lateCase()
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/settlement/${partner.code}`)
    await page.getByRole('button', { name: 'Check again' }).click()
    const dialog = page.getByRole('dialog')
    await assertAccessible(page, assert)
    await dialog.getByRole('button', { name: 'Check again' }).click()
    await page.waitForURL(/\/runs\/\d+$/)
    await performRuns()
    await page.getByText('Cases found').waitFor()
    await page.getByRole('link', { name: 'The partner’s defects' }).click()
    assert.deepEqual(complaints, [])
  })

  test('a penalty is charged once, and a case dismissed as false counts against its rule', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { caseId, partner } = await lateCase()
    await setTerms(partner, { penaltyTenge: 5_000n })
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/cases/${caseId}`)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Request the penalty' }).click()
    await dialog.getByText(/penalty under its terms: 5.000.₸/).waitFor()
    await assertAccessible(page, assert)
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Clause 7.2')
    await dialog.getByRole('button', { name: 'Request the penalty' }).click()
    await page.getByText('The penalty is charged').first().waitFor()
    await page.getByText(/Clause 7\.2/).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Request the penalty' }).count(), 0)

    await page.getByRole('button', { name: 'Change' }).click()
    await dialog.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Dismissed' }).click()
    await dialog.getByRole('checkbox', { name: 'False positive' }).check()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('A trial of theirs')
    await assertAccessible(page, assert)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/Open → Dismissed · Owner: Nobody · False positive/).waitFor()
    const stored = await one('SELECT * FROM settlement_cases WHERE id = ?', caseId)
    assert.include(stored, { state: 'dismissed', is_false_positive: true })
    await page.goto(`/back-office/settlement/${partner.code}`)
    const rules = page.getByRole('table', { name: 'Precision of the rules' })
    await rules.getByText('Confirm after the payment window').waitFor()
    await rules.getByText('0 %', { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Partner’s performance' }).waitFor()
    await page.getByText('Late confirms', { exact: true }).waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })
})
