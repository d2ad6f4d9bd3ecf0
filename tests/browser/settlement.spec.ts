import { listAccounts, readBalances } from '#finance/settlement/list_accounts'
import { localDay } from '#shared/days'
import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { ApproveRequest } from '#ledger/actions/decide_request'
import IssueStatement from '#ledger/actions/issue_statement'
import RecordPayment from '#ledger/actions/record_payment'
import { PAGE_SIZE } from '#staff_area/lists'
import { aCaseOfTwoParties } from '#tests/support/cases'
import { aPartner, aPerson, aSale, sell, TESTER, type TestPartner } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import { one, ownerRows } from '#tests/support/rows'
import { performRuns } from '#tests/support/runs'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

const accountOf = ({ code }: TestPartner) => `/back-office/settlement/${code}`

async function aMonth() {
  const sale = await aSale()
  const sold = await sell(sale.client, sale.event.id, ['seat-2-1', 'seat-2-2'])
  await refund(sale.client, sold.order_id, [sold.tickets[0].ticket_id])
  await moveInTime(sale.partner, '-45 days')
  return sale
}

/** The text of each page of a printed file. */
async function textOf(pdf: Buffer) {
  const document = await getDocument({ data: new Uint8Array(pdf) }).promise
  const numbers = Array.from({ length: document.numPages }, (_, index) => index + 1)
  const pages = await Promise.all(numbers.map((number) => document.getPage(number)))
  const contents = await Promise.all(pages.map((page) => page.getTextContent()))
  return contents.map(({ items }) => items.map((item) => ('str' in item ? item.str : '')).join(''))
}

test.group('Settlement', () => {
  test('a statement prints on white paper with both sides on top, room for signatures and without what is only for the screen', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner } = await aMonth()
    await setTerms(partner)
    const { statementId } = await new IssueStatement().handle({
      partnerCode: partner.code,
      actor: TESTER,
    })
    const page = await browserContext.newPage()
    await page.emulateMedia({ colorScheme: 'dark' })
    await openAs(page, 'finance', `/back-office/statements/${statementId}`)
    const parties = page.locator('[data-parties]')
    const navigation = page.getByRole('navigation', { name: 'Sections' })
    await page.getByText('All lines were added up again').first().waitFor()
    assert.isFalse(await parties.isVisible())
    assert.isFalse(await page.locator('[data-signatures]').isVisible())
    const colours = () =>
      page.evaluate(() => {
        const card = document.querySelector('main section.rounded-xl')!
        return [card, document.body].map((shown) => getComputedStyle(shown).backgroundColor)
      })
    const white = 'rgb(255, 255, 255)'
    await page.locator('html.dark main').waitFor()
    assert.notInclude(await colours(), white)

    await page.setViewportSize({ width: 700, height: 1_000 })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    assert.isTrue(await parties.isVisible())
    const ours = await parties.locator('[data-side=ours]').innerText()
    assert.match(ours, /BIN\s+\d{12}/)
    const theirs = await parties.locator('[data-side=partner]').innerText()
    for (const text of ['ТОО «Продажи»', '123456789013', 'Д-17', 'Б. Омаров, директор'])
      assert.include(theirs, text)
    assert.equal(await page.getByRole('button').count(), 0)
    assert.equal(await navigation.count(), 0)
    assert.deepEqual(await colours(), [white, white])
    const pdf = await page.pdf({ format: 'A4' })
    const text = await textOf(pdf)
    assert.include(text.join(' '), 'Closing balance')
    assert.notInclude(text.join(' '), 'Overview')
    assert.lengthOf(text, 1, 'pages')
    const signatures = await page.locator('[data-signatures]').innerText()
    assert.deepEqual(signatures.match(/Signature|Seal/g), [
      'Signature',
      'Seal',
      'Signature',
      'Seal',
    ])
    assert.include(signatures, 'Б. Омаров, директор')
    assert.deepEqual(complaints, [])
  })

  test('terms are set, a month is closed, agreed and paid', async ({ assert, browserContext }) => {
    const complaints = watch(browserContext)
    const { partner } = await aMonth()
    const page = await browserContext.newPage()
    await openAs(page, 'finance', '/back-office/settlement')
    await page.getByRole('searchbox').fill(partner.code)
    const line = page.getByRole('row').filter({ hasText: partner.code })
    await line.getByText('Terms not agreed').waitFor()
    await assertAccessible(page, assert)
    await line.getByRole('link').click()

    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Agree on terms' }).click()
    await dialog.getByLabel('Partner’s commission, %').fill('7.5')
    await dialog.getByLabel('VAT on commission, %').fill('16')
    await dialog.getByLabel('BIN').fill('12345')
    await dialog.getByRole('button', { name: 'Agree on terms' }).click()
    await dialog.getByText('A BIN has 12 digits').waitFor()
    await dialog.getByLabel('BIN').fill('123456789013')
    await dialog.getByRole('button', { name: 'Agree on terms' }).click()
    await page.getByText('It waits for a second person').first().waitFor()
    await dialog.waitFor({ state: 'detached' })
    const asked = await one(
      'SELECT id FROM settlement_requests WHERE partner_id = ? ORDER BY id DESC LIMIT 1',
      partner.id
    )
    await new ApproveRequest().handle({ requestId: asked.id as number, actor: TESTER })
    await page.reload()
    await page.getByText('7,5 %').waitFor()
    await page.getByRole('button', { name: 'New terms' }).click()
    const agree = dialog.getByRole('button', { name: 'Agree on terms' })
    assert.isTrue(await agree.isDisabled())
    await dialog.getByLabel('Valid from').fill('2026-01-01')
    await agree.click()
    await dialog.getByText('Choose a future day').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    // 12,000 of two sold and one refunded, less 7.5 % and its VAT of 16 %.
    await page
      .getByText(/10\s956\s₸/)
      .first()
      .waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Issue the statement' }).click()
    await dialog.getByText('An issued statement cannot be changed').waitFor()
    await dialog.getByText('The period has no open cases.').waitFor()
    await dialog.getByRole('button', { name: 'Issue the statement' }).click()
    await page.waitForURL(/\/runs\/\d+$/)
    await performRuns()
    await page.getByRole('link', { name: /^SET-\d{6}$/ }).click()
    await page.getByText('All lines were added up again').waitFor()
    await assertAccessible(page, assert)

    for (const [act, status] of [
      ['Mark as agreed', 'agreed'],
      ['Close the statement', 'closed'],
    ]) {
      await page.getByRole('button', { name: act }).click()
      await dialog.getByRole('textbox').fill('Письмо партнёра от 5 октября')
      await dialog.getByRole('button', { name: act }).click()
      await page.getByText('The statement’s status is changed').first().waitFor()
      // The message of the act before may still be there.
      await dialog.waitFor({ state: 'detached' })
      const { status: stored } = await one(
        'SELECT status FROM settlement_statements WHERE partner_id = ?',
        partner.id
      )
      assert.equal(stored, status)
    }
    await page.goto(accountOf(partner))
    await page.getByRole('button', { name: 'Record a payment' }).click()
    await dialog.getByLabel('Bank reference').fill(`ПП-17 ${partner.code}`)
    await dialog.getByLabel('Paid on').fill('2026-11-20')
    await dialog.getByLabel('Amount, ₸').fill('11000')
    await dialog.getByText(/44\s₸ stays as an advance/).waitFor()
    await dialog.getByText(/debt by open documents: 10.956.₸\. Above it: 44.₸\./).waitFor()
    await dialog.getByRole('button', { name: 'Record a payment' }).click()
    await page.getByText('The payment is recorded').first().waitFor()
    // 44 more than is due: an open credit.
    await page.getByText('Overpaid', { exact: true }).first().waitFor()
    const credits = page.locator('[data-items=credits]')
    await credits.getByText(/44\s₸/).first().waitFor()
    await page.getByRole('button', { name: 'Reverse' }).click()
    await dialog.getByLabel('Bank reference').fill(`В-17 ${partner.code}`)
    await dialog.getByLabel('Paid on').fill('2026-11-21')
    await dialog.getByLabel('Reason').fill('Wrong account')
    await dialog.getByRole('button', { name: 'Reverse' }).click()
    await page.getByText('The payment is reversed').first().waitFor()
    await page.getByText('Not paid', { exact: true }).first().waitFor()
    await credits.getByText('No open credits').waitFor()
    // A payment on account, put against the statement that is proposed.
    await page.getByRole('button', { name: 'Record a payment' }).click()
    await dialog.getByLabel('Bank reference').fill(`ПП-18 ${partner.code}`)
    await dialog.getByLabel('Paid on').fill('2026-11-22')
    await dialog.getByLabel('Amount, ₸').fill('10956')
    await dialog.getByLabel('For the statement').click()
    await page.getByRole('option', { name: 'Advance, without a statement' }).click()
    await dialog.getByRole('button', { name: 'Record a payment' }).click()
    await credits.getByRole('button', { name: 'Allocate…' }).click()
    await dialog.getByRole('button', { name: 'Allocate a credit to a debit' }).click()
    await page.getByText('The credit is allocated').first().waitFor()
    await page.getByText('Paid', { exact: true }).first().waitFor()
    // The same sum on the same day by another document is only remarked, the same document is refused.
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Record a payment' }).click()
    await dialog.getByLabel('Bank reference').fill(`пп-018 ${partner.code}`)
    await dialog.getByLabel('Paid on').fill('2026-11-22')
    await dialog.getByLabel('Amount, ₸').fill('10956')
    await dialog.getByText('A payment of this amount is recorded for this day').waitFor()
    await assertAccessible(page, assert)
    await dialog.getByRole('button', { name: 'Record a payment' }).click()
    const refused = dialog
      .getByRole('alert')
      .filter({ hasText: 'This payment is recorded already.' })
    await refused.getByRole('link', { name: /^ПП-18 .*, 22 Nov.*, 10.956.₸$/ }).click()
    await page
      .getByRole('dialog', { name: 'has not been sent' })
      .getByRole('button', { name: 'Discard' })
      .click()
    await page.waitForURL(/paymentsBefore=\d+#payment-\d+$/)
    await page.locator('[id^=payment-]').getByText(`ПП-18 ${partner.code}`).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('who issues a statement sees how many cases stand open against it, and how much money', async ({
    assert,
    browserContext,
  }) => {
    const { partner } = await aCaseOfTwoParties()
    await moveInTime(partner, '-45 days')
    await ownerRows(
      `UPDATE settlement_cases SET occurred_at = occurred_at - interval '45 days' WHERE partner_id = ?`,
      partner.id
    )
    const page = await browserContext.newPage()
    await openAs(page, 'finance', accountOf(partner))
    await page.getByRole('button', { name: 'Issue the statement' }).click()
    const dialog = page.getByRole('dialog')
    const money = String.raw`12.000.₸ \(buyer’s\), 12.000.₸ \(ours\)`
    await dialog
      .getByText(new RegExp(`^Open cases of the period: 1; at risk: ${money}\\.`))
      .waitFor()
    await assertAccessible(page, assert)
  })

  test('a large correction waits for a second person', async ({ assert, browserContext }) => {
    const { partner } = await aMonth()
    await setTerms(partner)
    const page = await browserContext.newPage()
    await openAs(page, 'finance', accountOf(partner))
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Correction' }).click()
    await dialog.locator('[role=combobox]:focus').waitFor()
    await dialog.getByLabel('Amount, ₸').fill('250000')
    await dialog.getByRole('textbox').last().fill('Двойной возврат в октябре')
    await dialog.getByRole('button', { name: 'Correction' }).click()
    await page.getByText('The correction waits for a second person').first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)

    const other = await browserContext
      .browser()!
      .newContext({ baseURL: process.env.APP_URL, locale: 'en-GB' })
    const second = await other.newPage()
    await openAs(second, 'finance', accountOf(partner))
    await second.getByRole('button', { name: 'Approve' }).click()
    await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await second.getByText('The correction is made').first().waitFor()
    // Among the corrections and among the open items.
    await second
      .getByText(/MEM-\d{6}/)
      .first()
      .waitFor()
    await other.close()
  })

  test('a reader sees no actions, and a role without the permission is refused', async ({
    assert,
    browserContext,
  }) => {
    const { partner } = await aMonth()
    await setTerms(partner)
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', accountOf(partner))
    await page.getByText('Opening balance').waitFor()
    for (const name of ['Issue the statement', 'Agree on terms', 'Correction', 'Record a payment'])
      assert.equal(await page.getByRole('button', { name }).count(), 0)
    const other = await browserContext
      .browser()!
      .newContext({ baseURL: process.env.APP_URL, locale: 'en-GB' })
    const refused = await other.newPage()
    await openAs(refused, 'support', accountOf(partner))
    await refused.getByText('see settlement').first().waitFor()
    await other.close()
  })

  test('a statement is withdrawn by its number and issued again', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner } = await aMonth()
    await setTerms(partner)
    const { statementId } = await new IssueStatement().handle({
      partnerCode: partner.code,
      actor: TESTER,
    })
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/statements/${statementId}`)
    const dialog = page.getByRole('dialog')
    const name = (await page.getByRole('heading', { level: 1 }).textContent())!.trim()
    await page.getByRole('button', { name: 'Withdraw the statement' }).click()
    await dialog.getByText('go into a statement with a new number').waitFor()
    const withdraw = dialog.getByRole('button', { name: 'Withdraw the statement' })
    await dialog.locator('textarea:focus').waitFor()
    await page.keyboard.type('Wrong contract')
    assert.isTrue(await withdraw.isDisabled())
    await dialog.getByRole('textbox').last().fill(name)
    await assertAccessible(page, assert)
    await withdraw.click()
    await page.getByText(`Statement ${name} is withdrawn`).first().waitFor()
    await page.getByText('All lines were added up again').waitFor()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('button', { name: 'Withdraw the statement' }).count(), 0)
    await page.goto(accountOf(partner))
    await page.getByRole('button', { name: 'Issue the statement' }).click()
    await dialog.getByRole('button', { name: 'Issue the statement' }).click()
    await page.waitForURL(/\/runs\/\d+$/)
    await performRuns()
    await page.getByRole('link', { name: /^SET-\d{6}$/ }).waitFor()
    await page.goto(`/back-office/statements/${statementId}`)
    await page.getByRole('link', { name: /^Replaced by statement SET-/ }).click()
    await page.getByText(`In place of statement ${name}`).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a large payment is approved by a second person, and coming terms are withdrawn', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner } = await aMonth()
    await setTerms(partner)
    const page = await browserContext.newPage()
    await openAs(page, 'finance', accountOf(partner))
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Record a payment' }).click()
    await dialog.getByText('“PP-17” and “pp 17” are one').waitFor()
    await dialog.getByLabel('Bank reference').fill(`ПП-18 ${partner.code}`)
    await dialog.getByLabel('Paid on').fill(localDay(new Date()))
    await dialog.getByLabel('Amount, ₸').fill('50000000')
    await dialog.getByRole('button', { name: 'Record a payment' }).click()
    await page.getByText('It waits for a second person').first().waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Waiting for a second person' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Record a payment' }).click()
    await dialog.getByLabel('Bank reference').fill(`pp 018 ${partner.code}`)
    await dialog.getByLabel('Paid on').fill(localDay(new Date()))
    await dialog.getByLabel('Amount, ₸').fill('50000000')
    await dialog.getByRole('button', { name: 'Record a payment' }).click()
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'New terms' }).click()
    await dialog.getByLabel('Valid from').fill(`${new Date().getUTCFullYear() + 1}-03-01`)
    await dialog.getByLabel('Partner’s commission, %').fill('60')
    const agree = dialog.getByRole('button', { name: 'Agree on terms' })
    await dialog.getByText('These rates are unusually high').waitFor()
    assert.isTrue(await agree.isDisabled())
    await dialog.getByLabel('Partner’s commission, %').fill('8')
    await agree.click()
    await page.getByText('Terms are set').first().waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await dialog.getByText('The terms before them go on.').waitFor()
    await assertAccessible(page, assert)
    await dialog.getByRole('textbox').fill('Не подписаны')
    await dialog.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('The terms are withdrawn').first().waitFor()

    const other = await browserContext
      .browser()!
      .newContext({ baseURL: process.env.APP_URL, locale: 'en-GB' })
    const second = await other.newPage()
    await openAs(second, 'finance', accountOf(partner))
    await second.getByRole('button', { name: 'Approve' }).first().click()
    await second.getByRole('dialog').getByText('checked again and done at once').waitFor()
    await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await second.getByText('Approved and done').first().waitFor()
    await second.getByText(`ПП-18 ${partner.code}`).first().waitFor()

    // Asked for before the other one was approved; its reference is the same, typed otherwise.
    await second.getByRole('button', { name: 'Approve' }).click()
    const approval = second.getByRole('dialog')
    const warning = approval.getByText('A payment of this amount is recorded for this day')
    await warning.waitFor()
    await approval.getByRole('button', { name: 'Cancel' }).click()
    await second.getByRole('button', { name: 'Approve' }).click()
    await warning.waitFor()
    const recorded = approval.getByRole('link', { name: `ПП-18 ${partner.code}` })
    assert.equal(await recorded.count(), 1)
    await assertAccessible(second, assert)
    await approval.getByRole('button', { name: 'Approve' }).click()
    await approval
      .getByRole('alert')
      .getByRole('link', { name: `ПП-18 ${partner.code}` })
      .waitFor()
    await other.close()
    assert.deepEqual(complaints, [])
  })

  test('the last row of the list adds up the partners that the search shows', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner: first } = await aMonth()
    const { partner: second } = await aCaseOfTwoParties()
    await ownerRows(`UPDATE partners SET name = 'Added up' WHERE id IN (?, ?)`, first.id, second.id)
    await setTerms(first)
    await new IssueStatement().handle({ partnerCode: first.code, actor: TESTER })
    const page = await browserContext.newPage()
    await openAs(page, 'finance', '/back-office/settlement')
    await page.getByRole('heading', { name: 'Open items: All partners' }).waitFor()
    await page.getByRole('searchbox').fill('added UP')
    const totals = page.getByRole('row', { name: 'Total, partners: 2' })
    await totals.waitFor()
    await page.getByRole('heading', { name: 'Open items: Partners found' }).waitFor()
    const [closed] = await listAccounts(first.code)
    const { totalTenge } = await readBalances('added up')
    await totals.getByText(/12.000.₸ ours/).waitFor()
    await totals.getByText('Open cases: 1').waitFor()
    const cells = await totals.getByRole('cell').allInnerTexts()
    const digitsOf = (text: string) => Number(text.replaceAll(/[^\d-]/g, ''))
    assert.equal(digitsOf(cells[1]), totalTenge)
    assert.equal(digitsOf(cells[4]), closed.closingTenge)
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('on a phone no table is cut, and terms show each policy whole', async ({
    assert,
    browserContext,
  }) => {
    const { partner } = await aMonth()
    await setTerms(partner)
    const page = await browserContext.newPage()
    await page.setViewportSize({ width: 390, height: 844 })
    const cutOf = () =>
      page
        .getByRole('region')
        .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
    await openAs(page, 'finance', '/back-office/settlement')
    await page.getByText('more than 90 days').first().waitFor()
    const cut = await cutOf()
    assert.isAbove(cut.length, 1)
    assert.deepEqual(new Set(cut), new Set([0]))
    await page.goto(new URL(accountOf(partner), page.url()).href)
    await page.getByText('Closing balance').first().waitFor()
    assert.deepEqual(new Set(await cutOf()), new Set([0]))
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'New terms' }).click()
    for (const policy of [
      'stay sold: the partner owes for them',
      'voided: refunded like the others',
    ])
      await page.getByRole('dialog').getByText(policy).waitFor()
    await page
      .getByRole('dialog')
      .getByText(/^A ticket with which a guest/)
      .first()
      .waitFor()
    await page
      .getByRole('dialog')
      .getByRole('radio', { name: /^voided/ })
      .click()
    await assertAccessible(page, assert)
  })

  test('an older payment of an account can be reversed on a further page', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const partner = await aPartner()
    const actor = aPerson()
    for (let n = 1; n <= PAGE_SIZE + 1; n++)
      await new RecordPayment().handle({
        partnerCode: partner.code,
        bankReference: `N ${n} ${partner.code}`,
        paidOn: localDay(new Date()),
        direction: 'from_partner',
        amountTenge: 1n,
        parts: [],
        actor,
      })
    const page = await browserContext.newPage()
    await openAs(page, 'finance', accountOf(partner))
    const entryOf = (n: number) =>
      page.getByRole('listitem').filter({ hasText: `N ${n} ${partner.code}` })
    const newest = entryOf(PAGE_SIZE + 1)
    await newest.waitFor()
    await page.getByRole('button', { name: 'Older' }).click()
    await entryOf(1).getByRole('button', { name: 'Reverse' }).click()
    await page.getByRole('dialog').getByText(`N 1 ${partner.code}: 1`).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Newest' }).click()
    await newest.waitFor()
    assert.deepEqual(complaints, [])
  })

  test('our details are set on a page of their own', async ({ assert, browserContext }) => {
    const complaints = watch(browserContext)
    const page = await browserContext.newPage()
    await openAs(page, 'finance', '/back-office/settlement')
    await page.getByRole('link', { name: 'Our details' }).click()
    await page.getByRole('heading', { name: 'In documents of settlement' }).waitFor()
    await assertAccessible(page, assert)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Set our details' }).click()
    await dialog.getByText('Statements that are issued already keep').waitFor()
    await dialog.getByLabel('BIN').fill('12')
    await dialog.getByLabel('Address').fill('Алматы, пр. Абая, 1')
    await dialog.getByRole('button', { name: 'Set our details' }).click()
    await dialog.getByText('A BIN has 12 digits').waitFor()
    await dialog.getByLabel('BIN').fill('170240054326')
    await dialog.getByRole('button', { name: 'Set our details' }).click()
    await page.getByText('Our details are set').first().waitFor()
    await page.getByText('Алматы, пр. Абая, 1').first().waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })
})
