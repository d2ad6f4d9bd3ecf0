import { findRegister } from '#reconciliation/store/find_register'
import type { SourceSettings } from '#reconciliation/store/register_source'
import { midnightOf } from '#shared/days'
import { refreshDefects } from '#tests/support/cases'
import { aSale } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import { defectsOf, exposuresOf, noonOn } from '#tests/support/register_defects'
import {
  categoriesOf,
  confirmRegister,
  mapColumns,
  matchedRegister,
  partnerFieldsOf,
  readAndMatch,
  refusalOf,
  setUpSource,
  soldOrderOf,
  ticketsOf,
  upload,
} from '#tests/support/registers'
import { rows } from '#tests/support/rows'
import { setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

type Sale = Awaited<ReturnType<typeof aSale>>

/** Uploads a file, sets its source up, and reads and matches it. */
async function matchedAs(
  sale: Sale,
  lines: string[],
  setup: Partial<Omit<SourceSettings, 'isSetUp'>>
) {
  const { registerId } = await upload(sale.partner, lines.join('\r\n'))
  await setUpSource(registerId, setup)
  await mapColumns(registerId)
  await readAndMatch(registerId)
  return registerId
}

const openSums = async ({ partner }: Sale) => {
  await refreshDefects(partner)
  return exposuresOf(partner)
}

test.group('Rows that show the state of an order', () => {
  const HEADER = 'ID заказа;ID платежа;Дата оплаты;Сумма;Статус;Возвращено'

  /** An order that was returned, one of two tickets with one returned, and one that is paid. */
  async function threeOrders(sale: Sale) {
    await setTerms(sale.partner, { refundEvidenceDays: 0 })
    const [whole, part, paid] = [
      await soldOrderOf(sale, ['seat-2-1']),
      await soldOrderOf(sale, ['seat-2-2', 'seat-2-3']),
      await soldOrderOf(sale, ['seat-2-4']),
    ]
    await refund(sale.client, whole, await ticketsOf(whole))
    const [first] = await ticketsOf(part)
    await refund(sale.client, part, [first])
    const state = async (orderId: string, words: string) => {
      const { key, payment, at, tenge } = await partnerFieldsOf(orderId)
      return [key, payment, at, tenge, words].join(';')
    }
    return { whole, part, paid, state }
  }

  test('agrees with charges and returns of ours: nothing is owed', async ({ assert }) => {
    const sale = await aSale()
    const { whole, part, paid, state } = await threeOrders(sale)
    const lines = [
      await state(whole, 'Возвращён;'),
      await state(part, 'Частично возвращён;12000'),
      await state(paid, 'Оплачен;'),
    ]
    const registerId = await matchedAs(sale, [HEADER, ...lines], { rowsShow: 'states' })
    assert.deepEqual(await categoriesOf(registerId), ['MATCHED', 'MATCHED', 'MATCHED'])
    await confirmRegister(registerId)
    assert.deepEqual(await openSums(sale), [])
    assert.deepEqual(await defectsOf(sale.partner), [])
  })

  test('says that a void ticket was not returned', async ({ assert }) => {
    const sale = await aSale()
    const { whole, part, paid, state } = await threeOrders(sale)
    const lines = [
      await state(whole, 'Оплачен;'),
      await state(part, 'Частично возвращён;12000'),
      await state(paid, 'Оплачен;'),
    ]
    await confirmRegister(await matchedAs(sale, [HEADER, ...lines], { rowsShow: 'states' }))
    assert.deepEqual(await openSums(sale), ['12000 BUYER'])
  })

  test('is not confirmed while it does not say how much of a charge went back', async ({
    assert,
  }) => {
    const sale = await aSale()
    const { part, state } = await threeOrders(sale)
    const lines = [HEADER, await state(part, 'Частично возвращён;')]
    const registerId = await matchedAs(sale, lines, { rowsShow: 'states' })
    const refused = await refusalOf(confirmRegister(registerId))
    assert.containsSubset(refused, { refusalCode: 'UNREAD_MONEY', count: 1, rows: [{ line: 2 }] })
    await confirmRegister(registerId, { waiver: { reason: 'Партнёр пришлёт сумму завтра' } })
  })
})

test.group('Amounts of a source', () => {
  test('in tiyn are divided by 100', async ({ assert }) => {
    const sale = await aSale()
    const { key, payment, at } = await partnerFieldsOf(await soldOrderOf(sale, ['seat-2-1']))
    const lines = ['ID заказа;ID платежа;Дата оплаты;Сумма', `${key};${payment};${at};1200000`]
    const registerId = await matchedAs(sale, lines, { unit: 'tiyn' })
    assert.deepEqual(await categoriesOf(registerId), ['MATCHED'])
  })

  test('without the fee are compared with it, returns alike', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const { key, payment, at } = await partnerFieldsOf(orderId)
    const lines = [
      'ID заказа;ID платежа;Дата оплаты;Сумма;Комиссия',
      `${key};${payment};${at};11400;600`,
      `${key};${payment};${at};-11400;-600`,
    ]
    const registerId = await matchedAs(sale, lines, { amountsAre: 'net' })
    assert.deepEqual(await categoriesOf(registerId), ['MATCHED'])
    await confirmRegister(registerId)
    assert.deepEqual(await openSums(sale), [])
  })

  for (const [name, header, cells, found] of [
    ['a header', 'ID заказа;ID платежа;Дата оплаты;Сумма, USD', '15', '15'],
    [
      'a column of currencies',
      'ID заказа;ID платежа;Дата оплаты;Сумма;Валюта',
      '15;USD',
      '15 (USD)',
    ],
    ['a number of ISO 4217', 'ID заказа;ID платежа;Дата оплаты;Сумма;Валюта', '15;840', '15 (840)'],
  ])
    test(`in another currency, which ${name} names, are never read as tenge`, async ({
      assert,
    }) => {
      const sale = await aSale()
      const { key, payment, at } = await partnerFieldsOf(await soldOrderOf(sale, ['seat-2-1']))
      const lines = [header, `${key};${payment};${at};${cells}`]
      const registerId = await matchedAs(sale, lines, {})
      assert.include(await categoriesOf(registerId), 'UNPARSEABLE')
      const refused = await refusalOf(confirmRegister(registerId))
      assert.containsSubset(refused, { refusalCode: 'UNREAD_MONEY', rows: [{ line: 2, found }] })
    })
})

test.group('Moments that cannot be', () => {
  for (const [name, moment] of [
    ['200 days ahead', noonOn(200)],
    ['in 1990', '15.06.1990 12:00:00'],
  ])
    test(`${name}: the row has its reason, and is no evidence`, async ({ assert }) => {
      const sale = await aSale()
      const { key, payment, tenge } = await partnerFieldsOf(await soldOrderOf(sale, ['seat-2-1']))
      const header = 'ID заказа;ID платежа;Дата оплаты;Сумма'
      const good = await partnerFieldsOf(await soldOrderOf(sale, ['seat-2-2']))
      const lines = [
        header,
        ...[2, 3].map(() => `${good.key};${good.payment};${good.at};${good.tenge}`),
        `${key};${payment};${moment};${tenge}`,
        `lost;lost-1;${moment};9000`,
      ]
      const registerId = await matchedAs(sale, lines, {})
      const found = await rows(
        `SELECT line, problems -> 0 ->> 'code' AS code FROM partner_register_rows
          WHERE register_id = ? AND problems <> '[]' ORDER BY line`,
        registerId
      )
      assert.deepEqual(found, [
        { line: 4, code: 'MOMENT_OUT_OF_RANGE' },
        { line: 5, code: 'MOMENT_OUT_OF_RANGE' },
      ])
      const refused = await refusalOf(confirmRegister(registerId))
      assert.containsSubset(refused, { refusalCode: 'UNREAD_MONEY', count: 2 })
      await confirmRegister(registerId, { waiver: { reason: 'Партнёр исправит даты' } })
      assert.deepEqual(await openSums(sale), ['12000 PLATFORM'])
    })
})

test.group('Dates that could be either way round', () => {
  test('are of the register’s days', async ({ assert }) => {
    const sale = await aSale()
    const lines = ['ID заказа;ID платежа;Дата оплаты;Сумма', 'o-1;p-1;03/02/2026 12:00;7000']
    const days = { from: midnightOf('2026-03-01'), to: midnightOf('2026-03-06') }
    const registerId = await matchedRegister(sale.partner, lines.join('\n'), days)
    const [{ at }] = await rows(
      'SELECT at FROM partner_register_rows WHERE register_id = ?',
      registerId
    )
    assert.deepEqual(at, new Date('2026-03-02T07:00:00Z'))
  })
})

test.group('Dates that cannot be read', () => {
  test('need a reason at the confirmation, with the line and the date', async ({ assert }) => {
    const sale = await aSale()
    const { key, payment, tenge } = await partnerFieldsOf(await soldOrderOf(sale, ['seat-2-1']))
    const good = await partnerFieldsOf(await soldOrderOf(sale, ['seat-2-2']))
    const lines = [
      'ID заказа;ID платежа;Дата оплаты;Сумма',
      `${key};${payment};32.13.2026;${tenge}`,
      `${good.key};${good.payment};${good.at};${good.tenge}`,
    ]
    const registerId = await matchedAs(sale, lines, {})
    const categories = ['UNPARSEABLE', 'MATCHED', 'MISSING_AT_PARTNER']
    assert.deepEqual(await categoriesOf(registerId), categories)
    const refused = await refusalOf(confirmRegister(registerId))
    assert.containsSubset(refused, {
      refusalCode: 'UNREAD_MONEY',
      count: 1,
      rows: [{ line: 2, tenge: String(tenge), found: '32.13.2026' }],
    })
  })
})

test.group('States, amounts and their signs', () => {
  const STATES = 'ID заказа;ID платежа;Дата оплаты;Сумма;Статус;Возвращено'
  const FEES = 'ID заказа;ID платежа;Дата оплаты;Сумма;Комиссия'

  const readRows = async (registerId: number) =>
    rows(
      `SELECT amount_tenge::int AS tenge, returned_tenge::int AS returned, is_not_paid AS "isNotPaid",
              ARRAY(SELECT problem ->> 'code' FROM jsonb_array_elements(problems) problem) AS problems
         FROM partner_register_rows WHERE register_id = ? ORDER BY line`,
      registerId
    )
  const reasonsOf = async (registerId: number) => {
    const found = await readRows(registerId)
    return found.map(({ tenge, problems }) => [tenge, ...(problems as string[])])
  }

  test('a return that was declined leaves the order paid; no money of unpaid orders goes back', async ({
    assert,
  }) => {
    const sale = await aSale()
    const line = (id: string, state: string) => `o-${id};p-${id};${noonOn(0)};12000;${state}`
    const lines = [
      line('1', 'Возврат отклонён;'),
      line('2', 'Возвращён;0'),
      line('3', 'Отменён;12000'),
      line('4', 'Оплачен;5000'),
      line('5', 'Частично;0'),
      line('6', 'Возвращён;12000 USD'),
    ]
    const registerId = await matchedAs(sale, [STATES, ...lines], { rowsShow: 'states' })
    const read = (returned: number, isNotPaid: boolean, ...problems: string[]) => ({
      tenge: 12_000,
      returned,
      isNotPaid,
      problems,
    })
    assert.deepEqual(await readRows(registerId), [
      read(0, false),
      read(12_000, false),
      read(0, true),
      read(5_000, false),
      read(0, false, 'RETURNED_UNKNOWN'),
      read(0, false, 'AMOUNT_OTHER_CURRENCY'),
    ])
    const unread = await refusalOf(confirmRegister(registerId))
    assert.containSubset(unread, {
      refusalCode: 'UNREAD_MONEY',
      count: 2,
      rows: [
        { line: 6, column: 'Статус' },
        { line: 7, column: 'Возвращено', found: '12000 USD' },
      ],
    })
    const { control } = await findRegister(registerId)
    assert.include(control!, { sumTenge: '72000', returnedTenge: '17000' })
  })

  test('a net amount without its fee is unread money; the file may declare its net sum', async ({
    assert,
  }) => {
    const sale = await aSale()
    const { key, payment, at } = await partnerFieldsOf(await soldOrderOf(sale, ['seat-2-1']))
    const whole = `${key};${payment};${at};11400;600`
    const lines = [FEES, whole, `o-9;p-9;${at};5000;`, 'Итого;;;16400;600']
    const registerId = await matchedAs(sale, lines, { amountsAre: 'net' })
    assert.deepEqual(await reasonsOf(registerId), [[12_000], [5_000, 'FEE_UNKNOWN']])
    const { control } = await findRegister(registerId)
    assert.include(control!, { sum: 'AGREES', sumAgreesWith: 'net', feesAddedTenge: '600' })
    const unread = await refusalOf(confirmRegister(registerId))
    assert.containSubset(unread, {
      refusalCode: 'UNREAD_MONEY',
      rows: [{ line: 3, column: 'Сумма', found: '5000' }],
    })
  })

  test('a column has one decimal sign: 1.234 next to 12.50 is not 1,234', async ({ assert }) => {
    const header = 'ID заказа;ID платежа;Дата оплаты;Сумма'
    const linesOf = (...amounts: string[]) => [
      header,
      ...amounts.map((amount, index) => `o-${index};p-${index};${noonOn(0)};${amount}`),
    ]
    const sale = await aSale()
    const doubtful = await matchedAs(sale, linesOf('1.234', '12.50', '12000.00'), {})
    assert.deepEqual(await reasonsOf(doubtful), [
      [null, 'AMOUNT_AMBIGUOUS'],
      [null, 'AMOUNT_HAS_FRACTION'],
      [12_000],
    ])
    const other = await aSale()
    const thousands = await matchedAs(other, linesOf('12.000', '1.212.000,00', '5.000'), {})
    assert.deepEqual(await reasonsOf(thousands), [[12_000], [1_212_000], [5_000]])
  })

  test('cells that name tiyn are read once the source is in tiyn, and so is the file’s total', async ({
    assert,
  }) => {
    const lines = [
      'ID заказа;ID платежа;Дата оплаты;Сумма',
      `o-1;p-1;${noonOn(0)};1 200 000 тиын`,
      `o-2;p-2;${noonOn(0)};500 000 тиын`,
      'Итого;;;1700000',
    ]
    const literal = await matchedAs(await aSale(), lines, {})
    assert.deepEqual(await reasonsOf(literal), [
      [null, 'AMOUNT_IN_TIYN'],
      [null, 'AMOUNT_IN_TIYN'],
    ])
    const divided = await matchedAs(await aSale(), lines, { unit: 'tiyn' })
    assert.deepEqual(await reasonsOf(divided), [[12_000], [5_000]])
    const { control } = await findRegister(divided)
    assert.include(control!, { sum: 'AGREES', sumTenge: '17000' })
  })
})
