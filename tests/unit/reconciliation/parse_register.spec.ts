import { findHeader } from '#register_reading/find_header'
import { proposeMapping } from '#register_reading/propose_mapping'
import type { RawCell } from '#spreadsheets/read_table'
import { RegisterTable } from '#register_reading/register_table'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { parseRegister, rawRows } from './support.js'

const HEADER = ['Заказ', 'ID платежа', 'Дата оплаты', 'Сумма', 'Тип']
const sale = (n: number, amount: RawCell = 10_000, kind: RawCell = 'Продажа'): RawCell[] => [
  `P-${n}`,
  `X-${n}`,
  `15.09.2026 14:0${n % 10}`,
  amount,
  kind,
]

async function parsed(cells: RawCell[][], declared?: { count?: number; sumTenge?: bigint }) {
  const rows = rawRows(cells)
  const header = findHeader(rows.slice(0, 50))!
  const body = rows.filter(({ line }) => line > header.line)
  const { mapping } = proposeMapping({ headers: header.headers, rows: body, prefix: 'TIX' })
  return parseRegister(
    rows,
    { headerLine: header.line, headers: header.headers, mapping },
    declared
  )
}

test.group('Reading a register', () => {
  test('rows become typed values', async ({ assert }) => {
    const { rows } = await parsed([HEADER, sale(1, '10 000,00 ₸'), sale(2, '5 000', 'Возврат')])
    assert.deepEqual(rows[0], {
      line: 2,
      raw: sale(1, '10 000,00 ₸'),
      orderKey: 'P-1',
      orderId: null,
      paymentId: 'X-1',
      amountTenge: 10_000n,
      feeTenge: null,
      returnedTenge: 0n,
      at: new Date('2026-09-15T09:01:00Z'),
      precision: 'minute',
      kind: 'sale',
      isNotPaid: false,
      email: null,
      event: null,
      ticketNumber: null,
      isUnparseable: false,
      problems: [],
    })
    assert.deepInclude(rows[1], { amountTenge: -5_000n, kind: 'refund' })
  })

  test('rows with few values may come before rows with more', async ({ assert }) => {
    const few = Array.from({ length: 150_000 }, (): RawCell[] => ['как договорились'])
    const { rows } = await parsed([HEADER, sale(1), ...few, sale(2)])
    assert.lengthOf(rows, 150_002)
  })

  test('a minus makes a row a refund too, and a contradicting word is a problem', async ({
    assert,
  }) => {
    const { rows } = await parsed([HEADER, sale(1, '(10 000)', null), sale(2, -5000, 'Продажа')])
    assert.deepInclude(rows[0], { amountTenge: -10_000n, kind: 'refund', problems: [] })
    assert.equal(rows[1].kind, 'refund')
    assert.deepEqual(rows[1].problems, [
      { field: 'kind', code: 'KIND_AGAINST_SIGN', found: 'Продажа' },
    ])
  })

  test('an unreadable value is kept with its cell', async ({ assert }) => {
    const { rows, control } = await parsed([
      HEADER,
      sale(1),
      sale(2, '99,50'),
      [null, null, null, 500, null],
      [null, null, '15.09.2026', 500, null],
      [...sale(4).slice(0, 2), '31.09.2026', 500, 'Неведомое'],
    ])
    assert.deepEqual(
      rows.map(({ isUnparseable, problems }) => [isUnparseable, ...problems.map((p) => p.code)]),
      [
        [false],
        [true, 'AMOUNT_HAS_FRACTION'],
        [true, 'NOTHING_TO_MATCH_BY'],
        [false],
        [true, 'MOMENT_NOT_REAL', 'KIND_UNKNOWN'],
      ]
    )
    assert.deepInclude(control, { rowsIn: 5, parsed: 2, unparseable: 3 })
  })

  test('a row whose date cannot be read is not read; a dash is no date', async ({ assert }) => {
    const dated = (n: number, at: RawCell) => [...sale(n).slice(0, 2), at, 500, 'Продажа']
    const october = Array.from({ length: 31 }, (_, day) => dated(day, `${day + 1}.10.2026`))
    const { rows, control } = await parsed([
      HEADER,
      ...october,
      dated(40, '05.13.2026'),
      dated(41, '1O.10.2026'),
      dated(42, '-'),
      sale(43),
    ])
    assert.deepInclude(control, { rowsIn: 35, parsed: 33, unparseable: 2 })
    const unread = rows.filter(({ isUnparseable }) => isUnparseable)
    assert.deepEqual(
      unread.map(({ line, problems }) => [line, ...problems]),
      [
        [33, { field: 'paidAt', code: 'MOMENT_NOT_REAL', found: '05.13.2026' }],
        [34, { field: 'paidAt', code: 'MOMENT_UNREADABLE', found: '1O.10.2026' }],
      ]
    )
  })

  test('totals, signatures, repeated headers and blank rows are not payments', async ({
    assert,
  }) => {
    const { rows, skipped, lines, control } = await parsed([
      ['Реестр', null],
      HEADER,
      [1, 2, 3, 4, 5],
      sale(1),
      ['Итого за день', null, null, '10 000', null],
      HEADER,
      sale(2),
      [],
      sale(3),
      ['Итого:', 3, null, '30 000,00', null],
      [null],
      ['Директор', null, '_________', null, null],
      ['М.П.'],
    ])
    assert.lengthOf(rows, 3)
    assert.deepEqual(skipped, { above: 2, blank: 2, repeatedHeaders: 2, subtotals: 1, footer: 3 })
    assert.deepEqual(lines, { first: 4, last: 9 })
    assert.deepInclude(control, { count: 'AGREES', sum: 'AGREES', sumAgreesWith: 'all' })
  })

  test('an event whose title begins like a total is not a total', async ({ assert }) => {
    const show = (id: number): RawCell[] => [id, '15.09.2026 14:05', 10_000, 'Всего одна ночь']
    const { rows } = await parsed([
      ['Номер заказа', 'Дата оплаты', 'Сумма', 'Мероприятие'],
      show(101),
      show(102),
    ])
    assert.deepEqual(
      rows.map(({ orderKey, event }) => [orderKey, event]),
      [
        ['101', 'Всего одна ночь'],
        ['102', 'Всего одна ночь'],
      ]
    )
  })

  test('a footer with words is understood', async ({ assert }) => {
    const { control } = await parsed([
      HEADER,
      sale(1),
      sale(2),
      ['Всего операций: 2 на сумму 20 000,00 тенге'],
    ])
    assert.deepEqual(control.declared, { count: 2, sumTenge: 20_000n })
    assert.deepInclude(control, { count: 'AGREES', sum: 'AGREES' })
  })

  test('a footer that disagrees is reported, and a typed total overrides it', async ({
    assert,
  }) => {
    const cells = [HEADER, sale(1), sale(2), ['Итого', null, null, '25 000', null]]
    const { control } = await parsed(cells)
    assert.deepInclude(control, { count: 'NOT_DECLARED', sum: 'DIFFERS', sumTenge: 20_000n })
    const typed = await parsed(cells, { count: 3, sumTenge: 20_000n })
    assert.deepInclude(typed.control, { count: 'DIFFERS', sum: 'AGREES' })
  })

  test('a declared sum may be of the sales only', async ({ assert }) => {
    const { control } = await parsed([
      HEADER,
      sale(1),
      sale(2, -4_000, 'Возврат'),
      ['Итого', null, null, '10 000', null],
    ])
    assert.deepInclude(control, { sum: 'AGREES', sumAgreesWith: 'sales', refundsTenge: 4_000n })
  })

  const footers: [
    what: string,
    row: RawCell[],
    isFooter: boolean,
    sum: 'AGREES' | 'DIFFERS' | 'NOT_DECLARED',
  ][] = [
    ['a word', ['Жиыны', null, null, '20 000', null], true, 'AGREES'],
    ['a word and another sum', ['Всего', null, null, '25 000', null], true, 'DIFFERS'],
    ['the sum of the rows above alone', [null, null, null, '20 000', null], true, 'AGREES'],
    ['that sum and their number', [null, 2, null, '20 000', null], true, 'AGREES'],
    ['a sentence', ['Сумма к перечислению', null, null, '19 000', null], true, 'DIFFERS'],
    ['another sum alone', [null, null, null, '25 000', null], false, 'NOT_DECLARED'],
    ['a sum that is not read', [null, null, null, '12,50', null], false, 'NOT_DECLARED'],
    [
      'that sum and a kind of operation',
      [null, null, null, '20 000', 'Продажа'],
      false,
      'NOT_DECLARED',
    ],
    ['a kind of operation', [null, null, null, '5 000', 'Продажа'], false, 'NOT_DECLARED'],
    ['a day and that sum', [null, null, '15.09.2026', '20 000', null], false, 'NOT_DECLARED'],
    ['a day and no readable sum', [null, null, '15.09.2026', '12,50', null], false, 'NOT_DECLARED'],
  ]
  for (const [what, row, isFooter, sum] of footers)
    test(`a last row with ${what} is ${isFooter ? 'a footer' : 'a payment'}`, async ({
      assert,
    }) => {
      const { rows, skipped, control } = await parsed([HEADER, sale(1), sale(2), row])
      assert.deepEqual([rows.length, skipped.footer], isFooter ? [2, 1] : [3, 0])
      assert.equal(control.sum, sum)
    })

  test('a file of days and sums has payments only, and may have totals', async ({ assert }) => {
    const day = '15.09.2026'
    const table = [
      ['Дата', 'Сумма'],
      [day, 5_000],
      [day, 5_000],
      [day, 7_000],
    ]
    const { rows, skipped } = await parsed(table)
    assert.deepEqual(
      rows.map(({ line, isUnparseable }) => [line, isUnparseable]),
      [
        [2, false],
        [3, false],
        [4, false],
      ]
    )
    assert.equal(skipped.footer, 0)
    const { control } = await parsed([...table, [null, 17_000]])
    assert.deepInclude(control, { rowsIn: 3, sum: 'AGREES' })
  })

  test('a payment whose number is short is no total, though it has the sum of the rows above', async ({
    assert,
  }) => {
    const tickets = ['№ заказа', 'Билетов', 'Сумма']
    const three = [101, 102, 103].map((order) => [order, 1, 10_000])
    const without = await parsed([tickets, ...three])
    assert.deepInclude(without.control, { rowsIn: 3, sumTenge: 30_000n, sum: 'NOT_DECLARED' })
    const counted = await parsed([tickets, ...three, [3, 3, 30_000]])
    assert.deepInclude(counted.control, { rowsIn: 3, sum: 'AGREES' })
    const plain = await parsed([
      ['№ заказа', 'Сумма'],
      [101, 10_000],
      [102, 10_000],
      [103, 25_000],
    ])
    assert.deepInclude(plain.control, { rowsIn: 3, sumTenge: 45_000n })
    assert.equal(plain.skipped.subtotals, 0)
  })

  const NAMED_IN_WORDS = ['Заказ', 'Сумма']
  const linesOf = async (...body: RawCell[][]) => {
    const { rows, skipped, control } = await parsed([NAMED_IN_WORDS, ...body])
    const unread = rows.filter(({ isUnparseable }) => isUnparseable).map(({ line }) => line)
    return { lines: rows.map(({ line }) => line), unread, skipped, control }
  }

  test('payments whose numbers are several words are no footer', async ({ assert }) => {
    const orders = [105, 106, 107].map((n) => [`Заказ ${n}`, 12_000])
    const all = await linesOf(...orders)
    assert.deepEqual(all.lines, [2, 3, 4])
    assert.deepInclude(all.control, { rowsIn: 3, sumTenge: 36_000n, sum: 'NOT_DECLARED' })
    const one = await linesOf(orders[0])
    assert.deepInclude(one.control, { rowsIn: 1, sumTenge: 12_000n })
    const [first, ...others] = orders
    const ofDays = await linesOf(first, ['Итого за день', 12_000], ...others)
    assert.deepInclude(ofDays.control, { rowsIn: 3, sumTenge: 36_000n })
    assert.equal(ofDays.skipped.subtotals, 1)
  })

  test('a last row with a number or a figure is a payment, also when its amount is not read', async ({
    assert,
  }) => {
    const inWords = await parsed([HEADER, sale(1), ['P-2', null, null, 'двенадцать тысяч', null]])
    assert.deepEqual(
      inWords.rows.map(({ line, problems }) => [line, problems.map(({ code }) => code)]),
      [
        [2, []],
        [3, ['AMOUNT_UNREADABLE']],
      ]
    )
    const more = await linesOf(['P-1', 10_000], ['Доплата за места', 12_000], ['P-3'])
    assert.deepEqual([more.lines, more.unread], [[2, 3, 4], [4]])
    const signed = await linesOf(['P-1', 10_000], ['Директор'], ['М.П.'])
    assert.deepEqual([signed.lines, signed.skipped.footer], [[2], 2])
  })

  test('below totals, a row is a payment if it has the number of one', async ({ assert }) => {
    const totals: RawCell[] = ['Итого', 10_000]
    const fees = await linesOf(['P-1', 10_000], totals, ['НДС 12%', 120], ['К перечислению', 9_880])
    assert.deepEqual([fees.lines, fees.skipped.footer], [[2], 3])
    assert.equal(fees.control.sum, 'AGREES')
    const late = await linesOf(['P-1', 10_000], totals, ['P-2', 'двенадцать тысяч'])
    assert.deepEqual([late.lines, late.unread], [[2, 4], [4]])
    const none = await linesOf(['Итого', 0], ['К перечислению', 0])
    assert.deepEqual([none.lines, none.skipped.footer], [[], 2])
  })

  test('without totals, what is passed on and what is kept back are no payments', async ({
    assert,
  }) => {
    for (const last of [
      ['К перечислению', 9_880],
      ['Комиссия банка 2%', 120],
      ['Возмещение по договору', 10_000],
    ] as RawCell[][]) {
      const read = await linesOf(['P-1', 10_000], last)
      assert.deepEqual([read.lines, read.skipped.footer], [[2], 1], String(last))
    }
  })

  test('without totals, no figure of a file is left out of its sum', async () => {
    const name = fc.constantFrom<RawCell>('Заказ 105', 'Заказ 7', 'Доплата за места', 'P-1', null)
    const row = fc.tuple(name, fc.integer({ min: 1, max: 1_000 }))
    await fc.assert(
      fc.asyncProperty(fc.array(row), async (body) => {
        const shape = { headerLine: 1, headers: NAMED_IN_WORDS }
        const mapping = { partnerOrderId: 0, amount: 1 }
        const cells = [NAMED_IN_WORDS, ...body]
        const { control, skipped } = await parseRegister(rawRows(cells), { ...shape, mapping })
        const isTotal = skipped.subtotals + skipped.footer > 0
        const sum = body.reduce((all, [, amount]) => all + BigInt(amount as number), 0n)
        return isTotal || control.sumTenge === sum
      })
    )
  })

  test('a cancelled payment with a minus is a refund; a fee or a payout is none', async ({
    assert,
  }) => {
    const { rows } = await parsed([
      [...HEADER, 'Статус'],
      [...sale(1, -12_000), 'Отменена'],
      [...sale(2, 12_000), 'Отменена'],
      [...sale(3, -500, 'Комиссия банка'), null],
      [...sale(4, -900_000, 'Выплата'), 'Успешно'],
    ])
    assert.deepEqual(
      rows.map(({ kind, isNotPaid }) => [kind, isNotPaid]),
      [
        ['refund', false],
        ['sale', true],
        ['refund', true],
        ['refund', true],
      ]
    )
  })

  test('a doubtful row between payments is kept', async ({ assert }) => {
    const { rows } = await parsed([HEADER, sale(1), ['непонятно'], sale(2)])
    assert.deepEqual(
      rows.map(({ line, isUnparseable }) => [line, isUnparseable]),
      [
        [2, false],
        [3, true],
        [4, false],
      ]
    )
  })

  test('the whole column decides the order of day and month', async ({ assert }) => {
    const on = (date: string): RawCell[] => ['P-1', 'X-1', date, 500, null]
    const { rows } = await parsed([HEADER, on('03/04/2026'), on('03/30/2026')])
    assert.deepEqual(rows[0].at, new Date('2026-03-03T19:00:00Z'))
  })

  test('every row of a file is a payment or counted as skipped', async () => {
    const cell = fc.oneof(
      fc.constantFrom<RawCell>('Итого', 'P-1', 'Директор', null, '5 000', '15.09.2026', 'Заказ'),
      fc.integer(),
      fc.string()
    )
    const table = fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(table, async (cells) => {
        const mapping = { partnerOrderId: 0, paymentId: 1, paidAt: 2, amount: 3, kind: 4 }
        const shape = { headerLine: 1, headers: HEADER, mapping }
        const { rows, skipped, control } = await parseRegister(rawRows(cells), shape)
        const out = Object.values(skipped).reduce((sum, count) => sum + count, rows.length)
        const sum = rows.reduce((all, { amountTenge }) => all + (amountTenge ?? 0n), 0n)
        return (
          out === cells.length &&
          control.parsed + control.unparseable === rows.length &&
          control.sumTenge === sum
        )
      })
    )
  })

  test('a subtotal between payments, the totals and a signature at the end are skipped', ({
    assert,
  }) => {
    const table = new RegisterTable({
      headerLine: 1,
      headers: ['Order', 'Paid', 'Total'],
      mapping: { partnerOrderId: 0, paidAt: 1, amount: 2 },
    })
    const rows: RawCell[][] = [
      ['Order', 'Paid', 'Total'],
      ['P-101', '2026-09-30 14:05', '10 000'],
      ['Total', null, '10 000'],
      ['P-102', '2026-09-30 14:20', '25 000'],
      [null, null, null],
      ['Total', 2, '35 000'],
      ['Director: A. Akhmetov'],
    ]
    const payments = rawRows(rows).flatMap((row) => table.take(row).map(({ line }) => line))
    assert.deepEqual(payments, [2, 4])
    assert.deepEqual(table.end(), { declared: { count: 2, sumTenge: 35_000n }, payments: [] })
    assert.deepEqual(table.skippedTexts, [
      { line: 3, text: 'Total | 10 000' },
      { line: 6, text: 'Total | 2 | 35 000' },
      { line: 7, text: 'Director: A. Akhmetov' },
    ])
    assert.deepEqual(table.skipped, {
      above: 1,
      blank: 1,
      repeatedHeaders: 0,
      subtotals: 1,
      footer: 2,
    })
  })
})
