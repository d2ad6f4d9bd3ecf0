import {
  columnSum,
  fileCount,
  partCount,
  periodText,
  type Document,
} from '#workbooks/document/document'
import { fixedColumn, rowNumber, type DataSheet } from '#workbooks/sheets/sheet'
import { WORDS } from '#workbooks/words/words'
import { workbookFileName } from '#workbooks/writing/file_name'
import { SheetParts, type PartFigures } from '#workbooks/writing/sheet_parts'
import { listSheets, readTable, type RawCell } from '#spreadsheets/read_table'
import { createWorkbook } from '#spreadsheets/workbook'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { test } from '@japa/runner'

const withRows = (orders: number) =>
  ({
    rowsPerSheet: 200_000,
    sheets: { movements: { rows: 10, sums: {} }, orders: { rows: orders, sums: {} } },
  }) as unknown as Document

/** Of a sheet of orders what its parts need. */
const ORDERS: DataSheet = {
  key: 'orders',
  rowKey: 'orderId',
  hashed: 'fixed',
  partSum: 'payable',
  columns: [
    rowNumber('ord_no', 'fixed'),
    fixedColumn('orderId', 'id', 20),
    fixedColumn('payable', 'tenge', 12),
  ],
  sql: '',
}

async function orderIds(path: string) {
  const found: RawCell[] = []
  const { rows } = await readTable(path)
  for await (const { cells } of rows) found.push(cells[1])
  return found.slice(1)
}

test.group('A document and its files', (group) => {
  const scratch = scratchDirectory(group)

  test('450,000 rows at 200,000 per file take three files', ({ assert }) => {
    assert.equal(partCount(withRows(450_000), 'orders'), 3)
    assert.equal(fileCount(withRows(450_000)), 3)
    assert.equal(fileCount(withRows(200_000)), 1)
  })

  test('five rows at two a file: two, two and one', async ({ assert }) => {
    const files = [scratch.at('book.xlsx')]
    const figures: PartFigures[] = []
    const aBook = (path: string) => createWorkbook(path, { title: 'a', creator: 'b' })
    await using first = aBook(files[0])
    await using parts = new SheetParts(first, ORDERS, {
      document: {
        rowsPerSheet: 2,
        sheets: { orders: { rows: 5, sums: {} } },
        partner: { id: 7, code: 'DEMO', name: 'Demo' },
        from: new Date('2026-08-31T19:00:00.000Z'),
        to: new Date('2026-09-30T19:00:00.000Z'),
        terms: { refundEvidenceDays: 30, legalName: null },
        statement: null,
      } as unknown as Document,
      words: WORDS.en,
      footer: {},
      openBook: ({ key }, part) => {
        files.push(scratch.at(`book_${key}_${part}.xlsx`))
        return aBook(files.at(-1)!)
      },
      finishBook: async (book, ofPart) => {
        await book.finish()
        figures.push(ofPart)
      },
      onRows: () => {},
    })
    await parts.open()
    for (const n of [1, 2, 3, 4, 5]) {
      const row = { no: n, orderId: `ord_${n}`, payable: BigInt(n) * 1_000n }
      await parts.row(row, [row.no, row.orderId, row.payable])
    }
    figures.unshift(await parts.close())
    await first.finish()

    const { orders, control } = WORDS.en.sheets
    assert.deepEqual(
      figures.map(({ part, rows, sum }) => [part, rows, sum]),
      [
        [1, 2, 3_000n],
        [2, 2, 7_000n],
        [3, 1, 5_000n],
      ]
    )
    assert.deepEqual(await Promise.all(files.map((path) => orderIds(path))), [
      ['ord_1', 'ord_2'],
      ['ord_3', 'ord_4'],
      ['ord_5'],
    ])
    const names = await Promise.all(files.map((path) => listSheets(path)))
    assert.deepEqual(names, [[orders], [orders, control], [orders, control]])
  })

  test('a column without a sum throws instead of passing for 0', ({ assert }) => {
    assert.throws(() => columnSum(withRows(1), 'orders', 'sold'), 'sold of orders is not summed')
    // @ts-expect-error a column that does not exist
    assert.throws(() => columnSum(withRows(1), 'orders', 'ord_sould'), /not summed/)
  })

  test('a period of whole days has its first and last day, other moments stand as they are', ({
    assert,
  }) => {
    const november = {
      from: new Date('2026-10-31T19:00:00Z'),
      to: new Date('2026-11-30T19:00:00Z'),
    }
    assert.equal(periodText(november, WORDS.ru), '1 ноября 2026 г. – 30 ноября 2026 г.')
    assert.equal(periodText(november, WORDS.kk), '2026 ж. 1 қараша – 2026 ж. 30 қараша')
    assert.equal(periodText(november, WORDS.en), '1 November 2026 – 30 November 2026')
    const day = { from: november.from, to: new Date('2026-11-01T19:00:00Z') }
    assert.equal(periodText(day, WORDS.ru), '1 ноября 2026 г.')
    const now = { from: november.from, to: new Date('2026-11-25T04:30:00Z') }
    assert.equal(
      periodText(now, WORDS.en),
      '1 November 2026, 00:00:00 – 25 November 2026, 09:30:00'
    )
  })

  test('a file is named after its month, or after its first and last day when that is no month', ({
    assert,
  }) => {
    const september = {
      from: new Date('2026-08-31T19:00:00Z'),
      to: new Date('2026-09-30T19:00:00Z'),
    }
    const readAt = new Date('2026-10-02T20:00:09Z')
    const named = { partnerCode: 'demo', number: 123, language: 'ru', readAt } as const
    assert.equal(
      workbookFileName({ ...named, ...september }),
      'SETTLE_DEMO_2026-09_000123_v4_ru_2026-10-03_010009.xlsx'
    )
    const week = { from: september.from, to: new Date('2026-09-07T19:00:00Z') }
    assert.equal(
      workbookFileName({ ...named, ...week, number: null }),
      'SETTLE_DEMO_2026-09-01_2026-09-07_DRAFT_v4_ru_2026-10-03_010009.xlsx'
    )
  })
})
