import { columnSum, fileCount, partCount, type Document } from '#workbooks/document/document'
import { workbookFileName } from '#workbooks/writing/file_name'
import { test } from '@japa/runner'

const withRows = (orders: number) =>
  ({
    rowsPerSheet: 200_000,
    sheets: { movements: { rows: 10, sums: {} }, orders: { rows: orders, sums: {} } },
  }) as unknown as Document

test.group('A document and its files', () => {
  test('450,000 rows at 200,000 per file take three files', ({ assert }) => {
    assert.equal(partCount(withRows(450_000), 'orders'), 3)
    assert.equal(fileCount(withRows(450_000)), 3)
    assert.equal(fileCount(withRows(200_000)), 1)
  })

  test('a column without a sum throws instead of passing for 0', ({ assert }) => {
    assert.throws(() => columnSum(withRows(1), 'orders', 'sold'), 'sold of orders is not summed')
    // @ts-expect-error a column that does not exist
    assert.throws(() => columnSum(withRows(1), 'orders', 'ord_sould'), /not summed/)
  })

  test('the name of the file, for a month and for other days', ({ assert }) => {
    const september = {
      from: new Date('2026-08-31T19:00:00Z'),
      to: new Date('2026-09-30T19:00:00Z'),
    }
    const named = { partnerCode: 'demo', number: 123, language: 'ru' } as const
    assert.equal(
      workbookFileName({ ...named, ...september }),
      'SETTLE_DEMO_2026-09_000123_v3_ru.xlsx'
    )
    const week = { from: september.from, to: new Date('2026-09-07T19:00:00Z') }
    assert.equal(
      workbookFileName({ ...named, ...week, number: null }),
      'SETTLE_DEMO_2026-09-01_2026-09-07_DRAFT_v3_ru.xlsx'
    )
  })
})
