import ChangeCase from '#case_work/change_case'
import { CONFIRMS } from '#defects/balance/component'
import { MOST_PAYMENTS } from '#defects/balance/explained'
import { readCase } from '#finance/cases/read_case'
import type { Language } from '#shared/languages'
import { WORDS } from '#workbooks/words/words'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { dataOf } from '#tests/support/answers'
import { refreshDefects } from '#tests/support/cases'
import { aSale, book, order, paymentOf, TESTER, type TestPartner } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import { noonOn } from '#tests/support/register_defects'
import {
  confirmedRegister,
  COVERS_ALL,
  fileOf,
  lineOf,
  partnerFieldsOf,
  soldOrderOf,
  ticketsOf,
} from '#tests/support/registers'
import { one, ownerRows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { setTerms } from '#tests/support/settlement'
import { dataIn, readSheet } from '#tests/support/settlement_workbook'
import { test } from '@japa/runner'
import ExcelJS from 'exceljs'

const DAY_MS = 86_400_000
type Sale = Awaited<ReturnType<typeof aSale>>

/** The register of a shop. */
async function aShopsRegister(sale: Sale, lines: string[]) {
  const registerId = await confirmedRegister(sale.partner, fileOf(...lines), { setup: COVERS_ALL })
  await ownerRows(
    `UPDATE register_sources SET name = 'Shop' WHERE id = (SELECT source_id FROM partner_registers WHERE id = ?)`,
    registerId
  )
  await refreshDefects(sale.partner)
}

/** A line of a payment that only the register knows. */
const secondPayment = (orderId: string, payment: string) =>
  lineOf(orderId, { payment, at: noonOn(0), tenge: '12000' })

/** Two orders of 12,000 that one payment paid. */
async function aCart({ client, event }: Sale, payment: ReturnType<typeof paymentOf>) {
  const orders: string[] = []
  for (const seat of ['seat-2-2', 'seat-2-3']) {
    const booking = dataOf(await book(client, event.id, [seat]))
    const { order_id: orderId } = dataOf(await order(client, booking.booking_id))
    await confirm(client, orderId, payment)
    orders.push(orderId)
  }
  return orders
}

/** A sold order of 12,000, a cart of 24,000, and an order of 24,000 of which half went back; each was charged 12,000 too much. */
async function threeCases() {
  const sale = await aSale()
  await setTerms(sale.partner, { allowsCombinedPayments: true, refundEvidenceDays: 0 })
  const single = await soldOrderOf(sale, ['seat-2-1'])
  const payment = paymentOf(12_000)
  const cart = await aCart(sale, payment)
  const half = await soldOrderOf(sale, ['seat-2-4', 'seat-2-5'])
  const [ticket] = await ticketsOf(half)
  await refund(sale.client, half, [ticket])
  const { at } = await partnerFieldsOf(cart[0])
  await aShopsRegister(sale, [
    await lineOf(single),
    await secondPayment(single, 'again-1'),
    `;${payment.payment_info.external_payment_id};${at};24000;Оплата`,
    await secondPayment(cart[0], 'again-2'),
    await lineOf(half),
    await lineOf(half, { tenge: '-12000' }),
    await secondPayment(half, 'again-3'),
  ])
  return { ...sale, single, cart, half }
}

async function caseOf(orderId: string) {
  const { id } = await one(
    'SELECT id FROM settlement_cases WHERE ? = ANY (order_ids) AND gone_at IS NULL',
    orderId
  )
  return id as number
}

test.group('The calculation of cases in the workbook', (group) => {
  const scratch = scratchDirectory(group)

  async function bookOf({ code: partnerCode }: TestPartner, language: Language = 'ru') {
    const path = scratch.at(`${language}.xlsx`)
    const scope = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + 2 * DAY_MS) }
    await writeSettlementWorkbook({ partnerCode, scope, path, language })
    return path
  }
  const linesOf = async (path: string, caseId: number, language: Language = 'ru') => {
    const lines = await dataIn(path, 'balances', language)
    return lines.filter((line) => line.caseId === String(caseId))
  }

  /** What is at risk for buyers, added up from the rows of both sheets. */
  async function buyersMoneyIn(path: string) {
    const sums = { balances: 0, defects: 0 }
    for (const key of ['balances', 'defects'] as const)
      for (const { buyerExposure } of await dataIn(path, key)) sums[key] += Number(buyerExposure)
    return sums
  }
  async function notesIn(path: string) {
    const lines = await dataIn(path, 'balances')
    return lines.map(({ balanceNote }) => String(balanceNote))
  }

  test('has a line for each payment and source, what counts of them, and the total', async ({
    assert,
  }) => {
    const { partner, single } = await threeCases()
    const { payment } = await partnerFieldsOf(single)
    const lines = await linesOf(await bookOf(partner), await caseOf(single))
    const { caseBalance, wholePurchase } = WORDS.ru
    assert.deepEqual(
      lines.map((line) => [
        line.kind,
        line.purchaseOrders,
        line.paymentId,
        line.balanceLine,
        line.registerLines,
        line.shownCharge,
        line.countedCharge,
        line.countedReturn,
        line.bought,
        line.openSum,
        line.buyerExposure,
      ]),
      [
        ['PURCHASE', single, null, wholePurchase, null, null, 24_000, 0, 12_000, 12_000, null],
        [
          'PAYMENT',
          null,
          payment,
          'в т. ч. Shop',
          'реестр.csv: 2',
          12_000,
          12_000,
          0,
          null,
          null,
          null,
        ],
        ['SOURCE', null, null, caseBalance.confirms, null, 12_000, null, null, null, null, null],
        [
          'PAYMENT',
          null,
          'again-1',
          'в т. ч. Shop',
          'реестр.csv: 3',
          12_000,
          12_000,
          0,
          null,
          null,
          null,
        ],
        ['CASE', null, null, caseBalance.total, null, null, 24_000, 0, 12_000, 12_000, 12_000],
      ]
    )
    assert.equal(
      lines[2].balanceNote,
      'списано 12\u00a0000\u00a0₸: то же показывает «Shop»: считается один раз'
    )
  })

  test('has the figures of the case page: a second charge, a cart, an order that is half refunded', async ({
    assert,
  }) => {
    const { partner, single, cart, half } = await threeCases()
    const path = await bookOf(partner)
    for (const orderId of [single, cart[0], half]) {
      const caseId = await caseOf(orderId)
      const lines = await linesOf(path, caseId)
      const { balance } = await readCase(caseId)
      if (!balance) return assert.fail('no balance is stored')
      const counted = (kind: string) =>
        lines
          .filter((line) => line.kind === kind)
          .map((line) => [line.countedCharge, line.countedReturn, line.bought, line.openSum])
      const figuresOf = (sums: typeof balance | (typeof balance.purchases)[number]) => [
        sums.chargedTenge,
        sums.returnedTenge,
        sums.boughtTenge,
        sums.openTenge,
      ]
      assert.deepEqual(counted('CASE'), [figuresOf(balance)])
      assert.deepEqual(counted('PURCHASE'), balance.purchases.map(figuresOf))
      const payments = balance.purchases.flatMap((purchase) => purchase.payments)
      const shown = payments.flatMap((payment) =>
        payment.shown.map(({ source, chargedTenge, returnedTenge }) => [
          source === CONFIRMS ? WORDS.ru.caseBalance.confirms : balance.sourceNames[source],
          chargedTenge || null,
          returnedTenge || null,
        ])
      )
      assert.sameDeepMembers(
        lines
          .filter(({ shownCharge, shownReturn }) => shownCharge !== null || shownReturn !== null)
          .map((line) => [
            String(line.balanceLine).replace('в т. ч. ', ''),
            line.shownCharge,
            line.shownReturn,
          ]),
        shown
      )
    }
    const [ofCart] = await linesOf(path, await caseOf(cart[0]))
    assert.equal(ofCart.purchaseOrders, cart.toSorted().join(' '))
    assert.deepEqual(
      [ofCart.countedCharge, ofCart.bought, ofCart.openSum],
      [36_000, 24_000, 12_000]
    )
    const [ofHalf] = await linesOf(path, await caseOf(half))
    assert.deepEqual(
      [ofHalf.countedReturn, ofHalf.bought, ofHalf.openSum],
      [12_000, 12_000, 12_000]
    )
  })

  test('adds up to what the sheet of defects has at risk, and the control sheet recomputes it', async ({
    assert,
  }) => {
    const { partner } = await threeCases()
    const path = await bookOf(partner)
    assert.deepEqual(await buyersMoneyIn(path), { balances: 36_000, defects: 36_000 })
    const control = await readSheet(path, 'control')
    const check = (name: keyof typeof WORDS.ru.checks) =>
      control.find(([text]) => text === WORDS.ru.checks[name])!.slice(1)
    assert.deepEqual(check('balanceBuyer'), [36_000, 36_000, true])
    assert.deepEqual(check('balanceLines'), [36_000, 36_000, true])
    const workbook = new ExcelJS.Workbook()
    await workbook.xlsx.readFile(path)
    const formulas: string[] = []
    workbook.getWorksheet(WORDS.ru.sheets.control)!.eachRow((row) => {
      row.eachCell(({ formula }) => formula && formulas.push(formula))
    })
    assert.includeMembers(formulas, [
      'SUM(bal_buyer)',
      'SUMIFS(bal_charged,bal_kind,"PURCHASE")-SUMIFS(bal_returned,bal_kind,"PURCHASE")-SUMIFS(bal_bought,bal_kind,"PURCHASE")',
      'SUMIFS(bal_open,bal_kind,"CASE")',
    ])
  })

  test('says both equations in the language of the workbook', async ({ assert }) => {
    const { partner, half } = await threeCases()
    const caseId = await caseOf(half)
    const noteIn = async (language: Language) => {
      const lines = await linesOf(await bookOf(partner, language), caseId, language)
      return String(lines.at(-1)!.balanceNote).replaceAll('\u00a0', ' ').split('\n')
    }
    assert.deepEqual(await noteIn('ru'), [
      'Списано 36 000 ₸ − возвращено 12 000 ₸ − билеты на 12 000 ₸ = 12 000 ₸ покупателю',
      '«Shop» признаёт 12 000 ₸ − билеты на 12 000 ₸ = 0 ₸: сходится',
      'Итого: 12 000 ₸ покупателю',
    ])
    assert.deepEqual(await noteIn('kk'), [
      'Алынды 36 000 ₸ − қайтарылды 12 000 ₸ − билеттер 12 000 ₸ = сатып алушыға 12 000 ₸',
      '«Shop» мойындағаны 12 000 ₸ − билеттер 12 000 ₸ = 0 ₸: сәйкес келеді',
      'Қорытынды: сатып алушыға 12 000 ₸',
    ])
    assert.deepEqual(await noteIn('en'), [
      'Charged 36 000 ₸ − returned 12 000 ₸ − tickets for 12 000 ₸ = 12 000 ₸ to the buyer',
      '“Shop” acknowledges 12 000 ₸ − tickets for 12 000 ₸ = 0 ₸: even',
      'Result: 12 000 ₸ to the buyer',
    ])
  })

  test('keeps the figures of an ended case, with nothing at risk', async ({ assert }) => {
    const { partner, single } = await threeCases()
    const caseId = await caseOf(single)
    const change = { state: 'resolved', reason: 'Вернули' } as const
    await new ChangeCase().handle({ caseId, version: 1, change, actor: TESTER })
    const path = await bookOf(partner)
    const lines = await linesOf(path, caseId)
    const total = lines.at(-1)!
    assert.deepEqual([total.openSum, total.buyerExposure], [12_000, 0])
    assert.deepEqual(await buyersMoneyIn(path), { balances: 24_000, defects: 24_000 })
    assert.match(String(total.balanceNote), new RegExp(`\n${WORDS.ru.endedCase}$`))
    const notes = await notesIn(path)
    assert.lengthOf(
      notes.filter((note) => note.includes(WORDS.ru.endedCase)),
      1
    )
  })

  test('sums up the payments beyond the ones that are listed', async ({ assert }) => {
    const sale = await aSale()
    await setTerms(sale.partner)
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const lines = [await lineOf(orderId)]
    for (let at = 0; at < MOST_PAYMENTS + 2; at++)
      lines.push(await secondPayment(orderId, `p-${at}`))
    await aShopsRegister(sale, lines)
    const found = await linesOf(await bookOf(sale.partner), await caseOf(orderId))
    const rest = found.find(({ balanceLine }) => balanceLine === 'в т. ч. Остальные платежи: 3')!
    assert.deepInclude(rest, { kind: 'PAYMENT', countedCharge: 36_000, shownCharge: null })
    const payments = found.filter(({ kind }) => kind === 'PAYMENT')
    assert.lengthOf(payments, MOST_PAYMENTS + 1)
    const charged = payments.reduce((sum, line) => sum + Number(line.countedCharge), 0)
    assert.equal(charged, (MOST_PAYMENTS + 3) * 12_000)
    assert.equal(found.at(-1)!.countedCharge, charged)
  })

  test('is linked with the sheet of defects in both directions', async ({ assert }) => {
    const { partner, single } = await threeCases()
    const caseId = await caseOf(single)
    const workbook = new ExcelJS.Workbook()
    await workbook.xlsx.readFile(await bookOf(partner))
    const { sheets, columns } = WORDS.ru
    const linksIn = (key: 'defects' | 'balances', column: 'toDefects' | 'toBalances') => {
      const sheet = workbook.getWorksheet(sheets[key])!
      const at = (sheet.getRow(1).values as string[]).indexOf(columns[column])
      const links: string[] = []
      sheet.getColumn(at).eachCell(({ formula }) => formula && links.push(formula))
      return links
    }
    assert.include(
      linksIn('defects', 'toBalances'),
      `HYPERLINK("#'Расчёт случаев'!B"&(MATCH("${caseId}",bal_case,0)+1),"→")`
    )
    assert.include(
      linksIn('balances', 'toDefects'),
      `HYPERLINK("#'Расхождения'!C"&(MATCH("${caseId}",def_case,0)+1),"→")`
    )
    assert.lengthOf(linksIn('balances', 'toDefects'), 3)
  })
})
