import { findHeader } from '#register_reading/find_header'
import { proposeMapping, type MappingInput } from '#register_reading/propose_mapping'
import { applyRemembered } from '#register_reading/remembered_mapping'
import type { RawCell } from '#spreadsheets/read_table'
import { test } from '@japa/runner'
import { rawRows } from './support.js'

const HEADER = ['№ п/п', '№ заказа', 'ID платежа', 'Дата оплаты', 'Сумма, тг', 'Комиссия', 'Статус']
const SALE: RawCell[] = [
  1,
  'P-000101',
  '900000000101',
  '30.09.2026 14:05',
  '10 000,00',
  500,
  'Оплачен',
]

const proposed = (headers: string[], rows: RawCell[][], more: Partial<MappingInput> = {}) =>
  proposeMapping({ headers, rows: rawRows(rows, 2), prefix: 'TIX', ...more })

test.group('The header of a register', () => {
  test('is found on row 6 below merged titles', ({ assert }) => {
    const title = 'Реестр платежей за сентябрь 2026'
    const found = findHeader(
      rawRows([
        [title, title, title, title],
        ['ТОО «Партнёр»', null, 'БИН', '123456789012'],
        [],
        ['Период:', '01.09.2026', '30.09.2026'],
        [null, null],
        HEADER,
        SALE,
      ])
    )
    assert.deepInclude(found, { line: 6, headers: HEADER })
    assert.deepEqual(found!.titles.slice(0, 2), [title, 'ТОО «Партнёр»'])
  })

  test('is found on any row from 1 to 12', ({ assert }) => {
    for (let line = 1; line <= 12; line++) {
      const above = Array.from({ length: line - 1 }, (): RawCell[] => ['Отчёт'])
      assert.equal(findHeader(rawRows([...above, HEADER, SALE]))?.line, line)
    }
  })

  test('a cell merged over two rows has the text of the upper one', ({ assert }) => {
    const found = findHeader(
      rawRows([
        ['Заказ', 'Платёж', null, null],
        [null, 'ID платежа', 'Сумма', 'Дата оплаты'],
        ['P-1', 'X-1', 5000, '30.09.2026'],
      ])
    )
    assert.deepInclude(found, { line: 2 })
    assert.deepEqual(found!.headers, ['Заказ', 'ID платежа', 'Сумма', 'Дата оплаты'])
  })

  test('is not found in a file of values alone', ({ assert }) => {
    assert.isNull(findHeader(rawRows([SALE, SALE])))
    assert.isNull(findHeader([]))
  })

  test('is found on row 3 below a title and a period', ({ assert }) => {
    const found = findHeader(
      rawRows([
        ['Реестр за сентябрь 2026'],
        ['Период:', '01.09.2026', '30.09.2026'],
        ['№ заказа', 'Дата оплаты', 'Сумма, тг'],
        ['P-101', '30.09.2026 14:05', '10 000'],
      ])
    )
    assert.equal(found!.line, 3)
  })
})

test.group('The mapping of a register', () => {
  // prettier-ignore
  const languages: [string, string[]][] = [
    ['Russian', ['Номер заказа', 'Номер транзакции', 'Дата и время оплаты', 'Сумма операции', 'Комиссия партнёра', 'Тип операции', 'Эл. почта']],
    ['Kazakh', ['Тапсырыс нөмірі', 'Төлем нөмірі', 'Төлем күні', 'Төлем сомасы', 'Алым', 'Операция түрі', 'Пошта']],
    ['English', ['partner_order_id', 'external_payment_id', 'paidAt', 'Amount (KZT)', 'Service fee', 'Status', 'E-mail']],
  ]
  for (const [language, headers] of languages) {
    test(`is read from ${language} headers`, ({ assert }) => {
      const row = ['P-000101', '900000000101', '30.09.2026 14:05', 10_000, 500, 'sale', 'a@b.kz']
      const { mapping } = proposed(headers, [row])
      // prettier-ignore
      assert.deepEqual(mapping, { partnerOrderId: 0, paymentId: 1, paidAt: 2, amount: 3, fee: 4, kind: 5, email: 6 })
    })
  }

  test('prices in a column that Excel formats as dates are still an amount', ({ assert }) => {
    const sales = Array.from({ length: 5 }, (_, n) => [`P-00010${n}`, `4${n}000,00`, 45_000 + n])
    const { mapping } = proposed(['№ заказа', 'Сумма', 'Дата оплаты'], sales)
    assert.deepEqual(mapping, { partnerOrderId: 0, amount: 1, paidAt: 2 })
  })

  test('net sums, counts and other dates are not mistaken for the mapped columns', ({ assert }) => {
    const headers = [
      'Заказ',
      'Кол-во билетов',
      'Сумма',
      'Сумма к перечислению',
      'Дата мероприятия',
      'Дата',
    ]
    const { mapping } = proposed(headers, [['P-1', 2, 10_000, 9_500, '30.10.2026', '30.09.2026']])
    assert.deepEqual(mapping, { partnerOrderId: 0, amount: 2, paidAt: 5 })
  })

  test('the platform’s order numbers are recognised under any header', ({ assert }) => {
    const { columns } = proposed(
      ['Номер заказа', 'Сумма'],
      [
        ['TIX-2026-000101', 10_000],
        ['tix-2026-000102', 5_000],
      ]
    )
    assert.deepEqual(
      columns.map(({ field, column }) => [field, column]),
      [
        ['orderId', 0],
        ['amount', 1],
      ]
    )
    assert.deepInclude(columns[0].grounds, { by: 'SHAPE', found: 1 })
  })

  test('without headers, the shape of values and known ids decide', ({ assert }) => {
    const rows: RawCell[][] = [
      ['aaaa1111', 'bbbb2221', '2026-09-30 14:05:01', 10_000],
      ['aaaa1112', 'bbbb2222', '2026-09-30 14:06:02', 12_000],
      ['aaaa1113', 'bbbb2223', '2026-09-30 14:07:03', 5_000],
    ]
    const knownIds = {
      partnerOrderIds: new Set(['bbbb2221', 'bbbb2223']),
      orderIds: new Set<string>(),
      paymentIds: new Set(['aaaa1112', 'aaaa1113']),
    }
    const { mapping, columns } = proposed([], rows, { knownIds })
    assert.deepEqual(mapping, { paymentId: 0, partnerOrderId: 1, paidAt: 2, amount: 3 })
    assert.isTrue(columns[0].grounds.some(({ by }) => by === 'KNOWN_IDS'))
  })

  const statuses: [string, string[], object][] = [
    ['says what a row is', ['Статус'], { kind: 2 }],
    [
      'next to operations says whether they happened',
      ['Тип операции', 'Статус'],
      { kind: 2, outcome: 3 },
    ],
    ['next to another one, too', ['Статус заказа', 'Статус платежа'], { outcome: 2, kind: 3 }],
  ]
  for (const [what, headers, mapped] of statuses)
    test(`a column of statuses ${what}`, ({ assert }) => {
      const row = ['P-000101', 10_000, ...headers.map(() => 'Оплачен')]
      const { mapping } = proposed(['Номер заказа', 'Сумма', ...headers], [row])
      assert.deepEqual(mapping, { partnerOrderId: 0, amount: 1, ...mapped })
    })

  test('a remembered mapping gets the statuses that it left out next to the operations', ({
    assert,
  }) => {
    const headers = ['Заказ', 'Сумма', 'Операция', 'Статус']
    const remembered = { mapping: { partnerOrderId: 0, amount: 1, kind: 2 }, headers }
    const found = proposed(headers, [['P-1', 5_000, 'Возврат', 'Отклонено']], { remembered })
    assert.equal(found.remembered, 'APPLIED')
    assert.deepEqual(found.mapping, { partnerOrderId: 0, amount: 1, kind: 2, outcome: 3 })
    const surer = proposed(
      ['Заказ', 'Сумма', 'Операция', 'Статус билета', 'Статус'],
      [['P-1', 5_000, 'Возврат', 'Погашен', 'Отклонено']],
      { remembered }
    )
    assert.equal(surer.mapping.outcome, 4)
    const statesOnly = { mapping: { partnerOrderId: 0, amount: 1, kind: 3 }, headers }
    const same = proposed(headers, [['P-1', 5_000, '', 'Оплачен']], { remembered: statesOnly })
    assert.deepEqual(same.mapping, { partnerOrderId: 0, amount: 1, kind: 3 })
  })

  test('a header that its values contradict has low confidence', ({ assert }) => {
    const { mapping } = proposed(
      ['Заказ', 'Сумма'],
      [
        ['P-1', 'нет'],
        ['P-2', 'нет'],
      ]
    )
    assert.deepEqual(mapping, { partnerOrderId: 0 })
  })

  test('a remembered mapping is applied although columns have moved', ({ assert }) => {
    const headers = ['Код', 'Сумма, тг', 'Дата']
    const remembered = { mapping: { partnerOrderId: 0, amount: 1 }, headers }
    const found = proposed(['Дата', 'СУММА', 'код'], [SALE], { remembered })
    assert.equal(found.remembered, 'APPLIED')
    assert.deepEqual(found.mapping, { partnerOrderId: 2, amount: 1 })
  })

  test('a new column with a known header is proposed next to the remembered ones, one that was left out is not', ({
    assert,
  }) => {
    const remembered = {
      mapping: { partnerOrderId: 0, amount: 1 },
      headers: ['Заказ', 'Сумма', 'Дата', 'Мероприятие'],
    }
    const headers = ['Заказ', 'Комиссия', 'Сумма', 'Дата', 'Мероприятие', 'Заметка']
    const row = ['P-1', 250, 5_000, '30.09.2026', 'Концерт', 'A-77']
    const found = proposed(headers, [row], { remembered })
    assert.equal(found.remembered, 'APPLIED')
    assert.deepEqual(found.mapping, { partnerOrderId: 0, amount: 2, fee: 1 })
    const withStatus = proposed(
      [...remembered.headers, 'Статус'],
      [['P-1', 5_000, '30.09.2026', 'Концерт', 'Возвращён']],
      { remembered }
    )
    assert.deepEqual(withStatus.mapping, { partnerOrderId: 0, amount: 1, kind: 4 })
  })

  test('a remembered mapping that no longer fits says why, and another is proposed', ({
    assert,
  }) => {
    const remembered = {
      mapping: { partnerOrderId: 0, amount: 1, paidAt: 2 },
      headers: ['Код', 'Сумма', 'Дата'],
    }
    const found = proposed(
      ['Заказ', 'Сумма', 'Дата', 'дата'],
      [['P-1', 5000, null, '30.09.2026']],
      {
        remembered,
      }
    )
    assert.deepEqual(found.remembered, { missingHeaders: ['Код'], repeatedHeaders: ['Дата'] })
    assert.include(found.mapping, { partnerOrderId: 0, amount: 1 })
  })

  test('header and shape of a column together give more confidence than the header alone', ({
    assert,
  }) => {
    const rows: RawCell[][] = [
      ['P-101', '2026-09-30 14:05', '10 000', '9 500'],
      ['P-102', '2026-09-30 14:20', '25 000', '23 750'],
    ]
    const headers = ['Order', 'Paid', 'Total', 'Net']
    const { columns, mapping } = proposeMapping({ headers, rows: rawRows(rows, 2), prefix: 'TIX' })
    assert.deepEqual(mapping, { partnerOrderId: 0, paidAt: 1, amount: 2 })
    assert.deepEqual(
      columns.map(({ confidence }) => confidence.toFixed(2)),
      ['0.93', '0.95', '0.94']
    )
  })

  test('a remembered mapping follows columns that moved, and is refused when a header stands twice', ({
    assert,
  }) => {
    const remembered = {
      mapping: { partnerOrderId: 0, amount: 1 },
      headers: ['Order', 'Total', 'Note'],
    }
    assert.deepEqual(applyRemembered(remembered, ['No', 'Order', 'Total']), {
      isApplied: true,
      columns: [
        { field: 'partnerOrderId', column: 1 },
        { field: 'amount', column: 2 },
      ],
      newColumns: [0],
    })
    assert.deepEqual(applyRemembered(remembered, ['Order', 'Total', 'Total']), {
      isApplied: false,
      refusal: { missingHeaders: [], repeatedHeaders: ['Total'] },
    })
  })
})
