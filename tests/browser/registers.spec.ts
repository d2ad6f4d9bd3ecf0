import { performRun } from '#tests/support/runs'
import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { latePayment } from '#tests/support/cases'
import { aSale, sell, type TestPartner } from '#tests/support/fixtures'
import {
  confirmedRegister,
  fileOf,
  HEADER,
  lineOf,
  matchedRegister,
  partnerFieldsOf,
} from '#tests/support/registers'
import { bookOfSheets } from '#tests/support/workbook_file'
import { one, ownerRows, rows } from '#tests/support/rows'
import { test } from '@japa/runner'
import type { Request } from 'playwright'

const registersOf = ({ code }: TestPartner) => `/back-office/settlement/${code}/registers`
const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(content),
})

/** What a worker would do: everything that was asked for about a partner. */
async function workFor(partner: TestPartner) {
  for (;;) {
    const waiting = await rows(
      `SELECT id FROM settlement_runs WHERE partner_id = ? AND state = 'queued' ORDER BY id`,
      partner.id
    )
    if (waiting.length === 0) return
    for (const { id } of waiting) await performRun(id as number)
  }
}

/** The days around now, as a form wants them. */
const today = () => new Date(Date.now() + 5 * 3_600_000).toISOString().slice(0, 10)

test.group('Partner registers in the back office', () => {
  test('a register is uploaded, mapped, matched, decided and confirmed', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const late = await latePayment()
    const { partner, client, event } = late
    const first = await sell(client, event.id, ['seat-2-4'])
    const second = await sell(client, event.id, ['seat-2-5'])
    await sell(client, event.id, ['seat-2-6'])
    const dearer = await sell(client, event.id, ['seat-2-7'])
    const { key } = await partnerFieldsOf(second.order_id)
    const text = fileOf(
      await lineOf(first.order_id),
      await lineOf(second.order_id, { key: key.toUpperCase(), payment: '' }),
      await lineOf(late.orderId, { payment: late.payment.payment_info.external_payment_id }),
      'o-77;;01.02.2026 12:00:00;12,50;Оплата',
      await lineOf(dearer.order_id, { tenge: '15000' }),
      'Итого;;;51000;'
    )
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/settlement/${partner.code}`)
    await page.getByRole('link', { name: 'Partner registers' }).click()
    await page.getByText('No registers yet').waitFor()
    await assertAccessible(page, assert)
    await page.getByLabel(/^File/).setInputFiles(file('=cmd|calc.csv', text))
    await page.getByRole('textbox', { name: 'From' }).fill(today())
    await page.getByRole('textbox', { name: /^To\b/ }).fill(today())
    await page.getByRole('button', { name: 'Upload a register' }).click()

    await page.getByRole('heading', { name: 'Meaning of the columns' }).waitFor()
    await page.getByText('Not readable in the first lines: 1').waitFor()
    await page.getByText('the amount has a fraction of a tenge').first().waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('combobox', { name: 'Сумма' }).click()
    await page.getByRole('option', { name: '— not needed' }).click()
    await page.getByText('Choose the column of the amount.').first().waitFor()
    assert.isTrue(await page.getByRole('button', { name: 'Read and match' }).isDisabled())
    assert.equal(await page.getByText(/first lines can be read|in the first lines/).count(), 0)
    await page.getByRole('combobox', { name: 'Сумма' }).click()
    await page.getByRole('option', { name: 'Amount', exact: true }).click()
    await page.getByText('Not readable in the first lines: 1').waitFor()
    await page.getByRole('button', { name: 'Read and match' }).click()

    await page.getByText('In the queue').waitFor()
    await assertAccessible(page, assert)
    const stateOf = (state: string, error: string | null) =>
      ownerRows(
        `UPDATE settlement_runs SET state = ?, error = ?::jsonb, finished_at = CASE WHEN ? = 'failed' THEN clock_timestamp() END
          WHERE partner_id = ? AND kind = 'read_register'`,
        state,
        error,
        state,
        partner.id
      )
    await stateOf('failed', '{"code":"DISK_FULL"}')
    await page.getByText(/^Processing failed\. The server’s disk is full\..* You can try/).waitFor()
    await stateOf('queued', null)
    await workFor(partner)
    await page.getByRole('heading', { name: 'Result' }).waitFor()
    await page.getByText('First decide about suggested matches: 1').waitFor()
    const cases = page.getByRole('link', { name: 'Open cases of the partner' })
    assert.include(await cases.getAttribute('href'), `partner=${partner.code}`)
    assert.isTrue(await page.getByRole('button', { name: 'Confirm the comparison' }).isDisabled())
    await page.getByRole('button', { name: /^Missing here/ }).waitFor()
    await assertAccessible(page, assert)

    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Reject', exact: true }).click()
    await page.getByRole('button', { name: 'Confirm the comparison' }).click()
    await dialog.getByText('Rejected matches: 1; each side').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('button', { name: 'Accept', exact: true }).click()
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
    await page.getByRole('button', { name: /^Missing here/ }).click()
    await page.waitForURL(/category=MISSING_AT_PLATFORM/)
    await page.getByText(/expired unpaid/).waitFor()
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await dialog.getByRole('textbox').last().fill('Написали партнёру')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Написали партнёру').waitFor()

    await page.getByRole('button', { name: 'Confirm the comparison' }).click()
    await dialog.getByText(/Payments without our tickets become cases: 1/).waitFor()
    const consequences = await dialog.getByRole('listitem').allInnerTexts()
    assert.deepEqual(
      consequences.map((line) => line.replace('•', '').replaceAll(/\s/g, ' ').trim()),
      [
        'Payments without our tickets become cases: 1 for 12 000 ₸.',
        'Orders that the partner lacks become cases: 1 for 12 000 ₸.',
        'Amounts and numbers that differ become cases: 1. The register shows 3 000 ₸ more, 0 ₸ less.',
        'Columns and decisions can no longer be changed; the register can be withdrawn, with a reason.',
      ]
    )
    await dialog
      .getByText(/Rows with money that were not read: 1 \(line 5, “Сумма”: [^)]+\)/)
      .waitFor()
    await assertAccessible(page, assert)
    const confirm = dialog.getByRole('button', { name: 'Confirm the comparison' })
    assert.isTrue(await confirm.isDisabled())
    await dialog.getByLabel('Reason').fill('Партнёр исправит строку')
    await confirm.click()
    await page.getByText('The register is confirmed').first().waitFor()
    await page.getByText(/Confirmed despite its errors. Reason: Партнёр исправит строку/).waitFor()
    await workFor(partner)
    const found = await one(
      `SELECT array_agg(d.code ORDER BY d.code) AS codes FROM settlement_defects d JOIN settlement_cases c ON c.id = d.case_id
        WHERE c.partner_id = ? AND d.exposure_tenge > 0`,
      partner.id
    )
    assert.deepEqual(found.codes, [
      'CONFIRM_ORDER_EXPIRED',
      'MISSING_AT_PARTNER',
      'REGISTER_AMOUNT_DIFFERS',
    ])
    await page.goto(`/back-office/runs?partner=${partner.code}&kind=read_register`)
    await page.getByRole('link', { name: 'Reading of a register' }).click()
    await page.getByText('Lines not readable').waitFor()
    await page.getByRole('link', { name: /^Register No\. / }).waitFor()
    await page.goto(registersOf(partner))
    await page.getByRole('link', { name: '=cmd|calc.csv' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('sheets and files become one register, are left out with a reason and are removed', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner, client, event } = await aSale()
    const sold = [
      await sell(client, event.id, ['seat-2-1']),
      await sell(client, event.id, ['seat-2-2']),
      await sell(client, event.id, ['seat-2-3']),
    ]
    const [first, second, third] = await Promise.all(
      sold.map(async ({ order_id: id }) => {
        const line = await lineOf(id as string)
        return line.split(';').slice(0, 4).join(';')
      })
    )
    const header = 'Номер заказа;ID платежа;Дата оплаты;Сумма'
    const book = bookOfSheets({
      Продажи: [header, first, second],
      Возвраты: [header, first],
      Сводка: ['Показатель;Значение;Дата', 'Продано;24000;25.11.2026'],
    })
    const page = await browserContext.newPage()
    await openAs(page, 'finance', registersOf(partner))
    await page.getByLabel(/^File/).setInputFiles(file('ноябрь.xlsx', book))
    await page.getByRole('textbox', { name: 'From' }).fill(today())
    await page.getByRole('textbox', { name: /^To\b/ }).fill(today())
    await page.getByRole('button', { name: 'Upload a register' }).click()

    await page.getByText('Sheets with rows that are not read yet').waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Read the chosen: 2' }).click()
    await page.getByText('Sheet “Сводка” of “ноябрь.xlsx” was not accepted').waitFor()
    await page.getByText(/Missing columns: «Номер заказа», .*Other columns: «Показатель»/).waitFor()
    await page.getByRole('checkbox', { name: 'ноябрь.xlsx, sheet “Сводка”' }).click()
    await page.getByText('refunds, all of them').waitFor()
    await page.getByRole('button', { name: 'Read the chosen: 1' }).click()
    await page.getByText('The register has further rows now').first().waitFor()
    await page.getByRole('button', { name: 'Read and match' }).click()
    await page.getByText('In the queue').waitFor()
    await workFor(partner)
    await page.getByRole('heading', { name: 'Result' }).waitFor()
    await page.getByText('sheet “Возвраты”, row 2').waitFor()
    const confirm = page.getByRole('button', { name: 'Confirm the comparison' })
    assert.isTrue(await confirm.isDisabled(), 'a sheet is undecided')

    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Leave out the chosen: 1' }).click()
    await dialog.getByLabel('Reason').fill('Только итоги')
    await assertAccessible(page, assert)
    await dialog.getByRole('button', { name: 'Leave out the chosen: 1' }).click()
    await page.getByText(/sheet “Сводка” is left out: Только итоги/).waitFor()
    assert.isFalse(await confirm.isDisabled())

    await page.getByRole('button', { name: 'Add a file' }).click()
    await dialog.getByLabel(/^File/).setInputFiles(file('b.csv', [header, third].join('\n')))
    await assertAccessible(page, assert)
    await dialog.getByRole('button', { name: 'Add a file' }).click()
    await page.getByText('In the queue').waitFor()
    await workFor(partner)
    await page.getByText('file b.csv, row 2').waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Remove: file b.csv' }).click()
    await page.getByText('The rows were removed').first().waitFor()
    await workFor(partner)
    await page.getByText('Not in the register').waitFor()
    await confirm.click()
    await dialog.getByRole('button', { name: 'Confirm the comparison' }).click()
    await page.getByText('The register is confirmed').first().waitFor()
    assert.deepEqual(complaints, [])
  })

  test('an unknown word is asked for, the source set up, and the older register replaced by name', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner, client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-2-1'])
    const line = await lineOf(sold.order_id)
    const source = { sourceName: 'Магазин' }
    await confirmedRegister(partner, fileOf(line), { ...source, fileName: 'старый.csv' })
    const odd = fileOf(line, 'o-9;p-9;01.10.2026 12:00:00;500;Корректура')
    await matchedRegister(partner, odd, { ...source, fileName: 'новый.csv' })
    await workFor(partner)
    const page = await browserContext.newPage()
    await openAs(page, 'finance', registersOf(partner))
    await page.getByRole('combobox', { name: 'Source' }).click()
    await page.getByRole('option', { name: 'A new source…' }).click()
    await page.getByLabel('Name of the source').waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('link', { name: 'новый.csv' }).click()
    await page
      .getByRole('dialog', { name: 'has not been sent' })
      .getByRole('button', { name: 'Discard' })
      .click()

    await page.getByText('Unknown words for an operation').waitFor()
    await assertAccessible(page, assert)
    const dialog = page.getByRole('dialog')
    const confirm = page.getByRole('button', { name: 'Confirm the comparison' })
    await confirm.click()
    await dialog.getByText(/Unknown words: корректура; rows: 1/).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('combobox', { name: 'корректура' }).click()
    await page.getByRole('option', { name: 'not money' }).click()
    await page.getByRole('button', { name: 'Remember and read again' }).click()
    await page.getByText('The words are remembered').first().waitFor()
    await workFor(partner)
    await page.reload()
    await confirm.waitFor()
    assert.equal(await page.getByText('Unknown words for an operation').count(), 0)

    await page.getByRole('link', { name: 'Change the columns' }).click()
    const remembered = page.getByRole('combobox', { name: 'корректура' })
    await remembered.click()
    await page.getByRole('option', { name: 'a charge' }).click()
    await page.getByRole('combobox', { name: 'A row is' }).click()
    await page.getByRole('option', { name: 'a ticket' }).click()
    await page.getByText(/Three equal rows of 12,000 ₸ are 36,000 ₸/).waitFor()
    await page.getByText('Its registers have all refunds').click()
    await page.getByText('A refund that is not in a register means nothing.').waitFor()
    await page.getByRole('combobox', { name: 'Zone of its times' }).click()
    await page.getByRole('option', { name: 'UTC+3', exact: true }).click()
    await page.getByRole('combobox', { name: 'A day begins at' }).click()
    await page.getByRole('option', { name: '03:00', exact: true }).click()
    await page.getByText(/25 November is from 25 Nov, 05:00 to 26 Nov, 05:00 UTC\+5/).waitFor()
    await page.getByRole('combobox', { name: 'Zone of its times' }).click()
    await page.getByRole('option', { name: 'UTC+5', exact: true }).click()
    await page.getByRole('combobox', { name: 'A day begins at' }).click()
    await page.getByRole('option', { name: '00:00', exact: true }).click()
    await page.getByRole('button', { name: 'Save the set-up of the source' }).click()
    await page.getByText('The set-up of the source is saved').first().waitFor()
    await assertAccessible(page, assert)
    const setUp = await one(
      'SELECT row_is, covers_refunds, words FROM register_sources WHERE partner_id = ?',
      partner.id
    )
    const words = { корректура: 'charge' }
    assert.deepEqual(setUp, { row_is: 'ticket', covers_refunds: false, words })

    // The file is read again as its source is now set up.
    await workFor(partner)
    await page.goBack()
    await page.reload()
    await confirm.click()
    const replaces = dialog.getByRole('checkbox', { name: /Replace.*“старый.csv”/ })
    await replaces.waitFor()
    await assertAccessible(page, assert)
    const submit = dialog.getByRole('button', { name: 'Confirm the comparison' })
    assert.isTrue(await submit.isDisabled())
    await replaces.click()
    await submit.click()
    await page.getByText('The register is confirmed').first().waitFor()
    await page.goto(registersOf(partner))
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Replaced' }).click()
    await page.waitForURL(/state=replaced/)
    await page.getByRole('link', { name: 'новый.csv' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'старый.csv' }).click()
    await page.getByText('Another register was confirmed instead of this one').waitFor()
    await page.getByRole('link', { name: 'Replaced by the register “новый.csv”' }).waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('a declined refund, an undeclared total and the words of a file are plain, also on a phone', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner, client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-2-1'])
    const declined = await lineOf(sold.order_id, { tenge: '-12000' })
    const registerId = await matchedRegister(
      partner,
      [
        `${HEADER};Статус`,
        `${await lineOf(sold.order_id)};Успешно`,
        `${declined};Отклонено`,
        `${declined};Отклоненосамимбанкомпокупателя`,
      ].join('\r\n')
    )
    await workFor(partner)
    const page = await browserContext.newPage()
    await page.setViewportSize({ width: 390, height: 844 })
    await openAs(page, 'finance', `/back-office/registers/${registerId}`)
    const SENTENCES = {
      ru: [
        'Партнёр отклонил этот возврат',
        'Партнёр не заявил итогов',
        'По книгам партнёра не оплачено',
      ],
      kk: [
        'Серіктес бұл қайтаруды қабылдамаған',
        'Серіктес қорытынды мәлімдемеген',
        'кітабында төленбеген',
      ],
      en: ['The partner declined this refund', 'The partner declared no totals', 'Not paid by'],
    }
    for (const [language, [refund, declared, charge]] of Object.entries(SENTENCES)) {
      await ownerRows('UPDATE staff SET language = ?', language)
      await page.reload()
      await page.getByText(refund).first().waitFor()
      assert.equal(await page.getByText(charge).count(), 0, language)
      assert.equal(await page.getByText(declared).count(), 1, language)
      const cut = await page
        .getByRole('region')
        .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
      assert.deepEqual(new Set(cut), new Set([0]), language)
    }
    assert.equal(await page.getByText('not declared').count(), 0)
    await assertAccessible(page, assert)
    await page.goto(`/back-office/registers/${registerId}/mapping`)
    const words = page.getByRole('region', { name: 'How words are read' })
    await words.getByText('line 4').waitFor()
    const cut = await words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    assert.equal(cut, 0)
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('a file without rows says so on the page of its columns, and is confirmed with a reason alone', async ({
    assert,
    browserContext,
  }) => {
    const { partner } = await aSale()
    const registerId = await matchedRegister(partner, fileOf('Итого;;;0;'))
    await workFor(partner)
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/registers/${registerId}/mapping`)
    await page.getByText('The beginning of the file has neither sales nor refunds.').waitFor()
    assert.equal(await page.getByText('All of the first lines can be read.').count(), 0)
    await page.goto(`/back-office/registers/${registerId}`)
    await page.getByRole('button', { name: 'Confirm the comparison' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The file has no rows: neither sales nor refunds.').waitFor()
    const confirm = dialog.getByRole('button', { name: 'Confirm the comparison' })
    assert.isTrue(await confirm.isDisabled())
    await dialog.getByLabel('Reason').fill('В эти дни не продавали')
    await confirm.click()
    await page.getByText('The register is confirmed').first().waitFor()
  })

  test('cases that could not be counted are counted again from the dialog that confirms a register', async ({
    assert,
    browserContext,
  }) => {
    const { partner, client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-2-1'])
    const registerId = await matchedRegister(partner, fileOf(await lineOf(sold.order_id)))
    await workFor(partner)
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/registers/${registerId}`)
    const open = page.getByRole('button', { name: 'Confirm the comparison' })
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Confirm the comparison' })
    const frozen = dialog.getByText('Columns and decisions can no longer be changed')
    await open.click()
    await frozen.waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    const isReload = (request: Request) => 'x-inertia-partial-data' in request.headers()
    await page.route(`**/registers/${registerId}`, (route) =>
      isReload(route.request()) ? route.abort() : route.continue()
    )
    await open.click()
    await dialog.getByText('Future cases could not be counted').first().waitFor()
    assert.isTrue(await confirm.isDisabled())
    assert.equal(await frozen.count(), 0, 'counts of an earlier opening')
    await assertAccessible(page, assert)
    await page.unroute(`**/registers/${registerId}`)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await frozen.waitFor()
    assert.isTrue(await confirm.isEnabled())
    assert.equal(await dialog.getByText('Future cases could not be counted').count(), 0)
  })

  test('a file of states asks how its rows are read, and is read again by the answer', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner, client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-2-1'])
    const { key, payment, at, tenge } = await partnerFieldsOf(sold.order_id as string)
    const states = [
      'Номер заказа;ID платежа;Дата оплаты;Сумма;Статус',
      `${key};${payment};${at};${tenge};оплачен`,
      `o-2;p-2;${at};9000;возвращён`,
    ]
    const registerId = await matchedRegister(partner, states.join('\n'), { sourceName: 'Магазин' })
    await workFor(partner)
    const page = await browserContext.newPage()
    await openAs(page, 'finance', `/back-office/registers/${registerId}`)
    await page.getByText('Say how the source is set up').waitFor()
    await page.getByText(/line 2: оплачен; line 3: возвращён/).waitFor()
    const confirm = page.getByRole('button', { name: 'Confirm the comparison' })
    assert.isTrue(await confirm.isDisabled())
    await assertAccessible(page, assert)
    const name = page.getByLabel('Name of the source')
    const save = page.getByRole('button', { name: 'Save the set-up of the source' })
    await name.fill('Касса')
    await save.click()
    await page.getByText('The set-up of the source is saved').first().waitFor()
    await page.getByText('Say how the source is set up').waitFor()
    await save.click()
    await page.getByText('the file is being read again').first().waitFor()
    await workFor(partner)
    await page.reload()
    await page.getByText('Returned by state').waitFor()
    assert.equal(await page.getByText('Say how the source is set up').count(), 0)
    assert.isTrue(await confirm.isEnabled())
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('a file that is no table, or an old workbook, is refused with the reason and the way out, and a repeated file opens its register', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner, client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-2-1'])
    const page = await browserContext.newPage()
    await openAs(page, 'finance', registersOf(partner))
    const send = page.getByRole('button', { name: 'Upload a register' })
    await page.getByLabel(/^File/).setInputFiles(file('реестр.csv', '%PDF-1.7\n%âãÏÓ'))
    await send.click()
    await page.getByText('The file “реестр.csv” was not accepted').waitFor()
    await page.getByText(/Ask for .xlsx or .csv/).waitFor()
    await assertAccessible(page, assert)
    const old = Buffer.from('d0cf11e0a1b11ae1' + '00'.repeat(600), 'hex')
    await page.getByLabel(/^File/).setInputFiles(file('реестр.xls', old))
    await send.click()
    await page
      .getByText(/old Excel workbook.*choose “Save As”.*“Excel Workbook \(\.xlsx\)”/)
      .waitFor()
    const good = file('реестр.csv', fileOf(await lineOf(sold.order_id)))
    await page.getByLabel(/^File/).setInputFiles(good)
    await send.click()
    await page.getByRole('heading', { name: 'Meaning of the columns' }).waitFor()
    await page.goto(registersOf(partner))
    await page.getByLabel(/^File/).setInputFiles(good)
    await send.click()
    await page.getByText('This file has been uploaded already').first().waitFor()
    const { n } = await one(
      'SELECT count(*)::int AS n FROM partner_registers WHERE partner_id = ?',
      partner.id
    )
    assert.equal(n, 1)

    const other = await browserContext
      .browser()!
      .newContext({ baseURL: process.env.APP_URL, locale: 'en-GB' })
    const auditor = await other.newPage()
    await openAs(auditor, 'auditor', registersOf(partner))
    await auditor.getByRole('link', { name: 'реестр.csv' }).waitFor()
    assert.equal(await auditor.getByRole('button', { name: 'Upload a register' }).count(), 0)
    await other.close()
    assert.deepEqual(complaints, [])
  })
})
