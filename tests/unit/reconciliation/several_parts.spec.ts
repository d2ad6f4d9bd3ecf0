import { compareColumns, namesOfColumns } from '#register_reading/part_columns'
import { RegisterParser } from '#register_reading/parse_register'
import { onlyPart } from '#register_reading/register_part'
import { placeOfLine } from '#reconciliation/store/place_of_line'
import type { RawCell } from '#spreadsheets/read_table'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { rawRows } from './support.js'

const HEADERS = ['Order', 'Payment', 'Paid', 'Sum']
const MAPPING = { partnerOrderId: 0, paymentId: 1, paidAt: 2, amount: 3 }
const header = (): RawCell[] => [...HEADERS]

test.group('Columns of a part', () => {
  test('may stand in another order', ({ assert }) => {
    assert.deepEqual(compareColumns(HEADERS, HEADERS), { isSame: true, order: null })
    assert.deepEqual(compareColumns(HEADERS, [...HEADERS, '']), { isSame: true, order: null })
    assert.deepEqual(compareColumns(HEADERS, ['SUM, тг', 'paid', 'Order', 'Payment']), {
      isSame: true,
      order: [2, 3, 1, 0],
    })
    assert.deepEqual(compareColumns(['Sum', 'Day', 'Sum'], ['Day', 'Sum', 'Sum']), {
      isSame: true,
      order: [1, 0, 2],
    })
  })

  test('are refused by name when one is missing, unknown or there once more', ({ assert }) => {
    assert.deepEqual(compareColumns(HEADERS, ['Order', 'Payment', 'Paid', 'Sum, USD']), {
      isSame: false,
      missing: ['Sum'],
      unknown: ['Sum, USD'],
    })
    assert.deepEqual(compareColumns(['Сумма, ₸'], ['Сумма, $']), {
      isSame: false,
      missing: ['Сумма, ₸'],
      unknown: ['Сумма, $'],
    })
    assert.deepEqual(compareColumns(HEADERS, [...HEADERS, 'Sum']), {
      isSame: false,
      missing: [],
      unknown: ['Sum'],
    })
    const [four, five] = [4, 5].map((width) => namesOfColumns({ headers: [], width }))
    assert.deepEqual(compareColumns(four, five), { isSame: false, missing: [], unknown: ['5'] })
  })
})

test.group('Control totals of several parts', () => {
  const controlOf = (totalOfRefunds: number) => {
    const parser = new RegisterParser({ headerLine: 1, headers: HEADERS, mapping: MAPPING })
    const sheets = [
      { rowsAre: 'as_stated', sums: [12_000, 24_000], total: 36_000 },
      { rowsAre: 'refunds', sums: [5_000, 7_000], total: totalOfRefunds },
    ] as const
    for (const [index, { rowsAre, sums, total }] of sheets.entries()) {
      const firstLine = index === 0 ? 1 : null
      parser.startPart({ ...onlyPart(1), number: index + 1, rowsAre, firstLine })
      const rows = sums.map((sum, n) => [`P-${index}-${n}`, `X-${n}`, '15.09.2026', sum])
      const footer = ['Итого', null, null, total]
      for (const row of rawRows([header(), ...rows, footer])) parser.add(row)
    }
    return parser.finish()
  }

  test('a sheet of refunds may total them without a minus', ({ assert }) => {
    const { control, parts } = controlOf(12_000)
    assert.deepInclude(control, { sumTenge: 24_000n, sum: 'AGREES' })
    assert.deepInclude(parts[1].control, { sum: 'AGREES', sumAgreesWith: 'refunds' })
    assert.equal(controlOf(13_000).control.sum, 'DIFFERS')
  })
})

test.group('Lines of several parts', () => {
  test('are unique, lead back to part and row, and add up to the whole', ({ assert }) => {
    const amounts = fc.array(fc.integer({ min: -50_000, max: 50_000 }), { maxLength: 8 })
    fc.assert(
      fc.property(fc.array(amounts, { minLength: 1, maxLength: 6 }), (parts) => {
        const parser = new RegisterParser({ headerLine: 1, headers: HEADERS, mapping: MAPPING })
        for (const [index, sums] of parts.entries()) {
          parser.startPart({ ...onlyPart(1), number: index + 1, firstLine: index === 0 ? 1 : null })
          const rows = sums.map((sum, n) => [`P-${index}-${n}`, `X-${n}`, '15.09.2026', sum])
          for (const row of rawRows([header(), ...rows])) parser.add(row)
        }
        const { rows, control, parts: reports } = parser.finish()
        assert.equal(new Set(rows.map(({ line }) => line)).size, rows.length)
        const numbered = reports.map(({ number, firstLine }) => ({
          number,
          firstLine,
          fileName: '',
          sheet: null,
        }))
        for (const { line, orderKey } of rows) {
          const { part, row } = placeOfLine(numbered, line)
          assert.equal(orderKey, `P-${part.number - 1}-${row - 2}`)
        }
        const sum = reports.reduce((total, one) => total + one.control.sumTenge, 0n)
        assert.equal(sum, control.sumTenge)
        assert.equal(sum, BigInt(parts.flat().reduce((total, one) => total + one, 0)))
      })
    )
  })

  test('stay when the register is read again, and those of a part that was removed are not used', ({
    assert,
  }) => {
    const shape = { headerLine: 1, headers: HEADERS, mapping: MAPPING }
    const parser = new RegisterParser(shape, 9)
    const file = (n: number) => rawRows([header(), [`P-${n}`, `X-${n}`, '15.09.2026', 5_000]])
    for (const [number, firstLine] of [
      [1, 1],
      [3, 6],
      [4, null],
    ] as const) {
      parser.startPart({ ...onlyPart(1), number, firstLine })
      for (const row of file(number)) parser.add(row)
    }
    const { rows } = parser.finish()
    assert.deepEqual(
      rows.map(({ line, orderKey }) => [line, orderKey]),
      [
        [2, 'P-1'],
        [7, 'P-3'],
        [11, 'P-4'],
      ]
    )
  })
})
