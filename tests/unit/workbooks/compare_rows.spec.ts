import { Differences } from '#returned_workbooks/check/check_result'
import { compareRows } from '#returned_workbooks/check/compare_rows'
import { adjustments } from '#workbooks/sheets/adjustments'
import { sheetSpec, type DataRow } from '#workbooks/sheets/sheet'
import { WORDS, type ColumnKey } from '#workbooks/words/words'
import { createWorkbook } from '#spreadsheets/workbook'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { test } from '@japa/runner'

const words = WORDS.en
const sheet = words.sheets.adjustments
type Row = [no: number, amount: bigint]

test.group('Comparing the rows of a sheet', (group) => {
  const scratch = scratchDirectory(group)

  async function aBook(name: string, rows: Row[], without?: ColumnKey) {
    const path = scratch.at(name)
    await using book = createWorkbook(path, { title: name, creator: name })
    const [rowNumber, ...others] = adjustments.columns
    const columns = [rowNumber, ...others.filter(({ key }) => key !== without)] as const
    const spec = sheetSpec(
      { ...adjustments, columns, conditionalFills: undefined },
      words,
      {},
      { refundDays: 30 }
    )
    const written = await book.sheet(spec)
    for (const [no, amount] of rows) {
      const row: DataRow = { no, amount, reason: 'Discount' }
      await written.row(columns.map(({ key }) => row[key]))
    }
    await written.close()
    await book.finish()
    return { path, name: null, sheets: [sheet] }
  }

  async function compare(given: Row[], present: Row[], without?: ColumnKey) {
    const differences = new Differences()
    await compareRows(adjustments, {
      given: [await aBook('given.xlsx', given, without)],
      present: [await aBook('present.xlsx', present)],
      words,
      differences,
      onRows: () => {},
    })
    return differences
  }

  const given: Row[] = [
    [2, 24_001n],
    [1, 12_000n],
    [3, 5n],
  ]
  const present: Row[] = [
    [1, 12_000n],
    [2, 24_000n],
    [4, 7n],
  ]
  const MISSING_AND_ADDED = [
    { kind: 'row_missing', sheet, key: '4' },
    { kind: 'row_added', sheet, key: '3', line: 4 },
  ]

  test('the worked example of compare_rows.ts', async ({ assert }) => {
    const { first } = await compare(given, present)
    const column = words.columns.amount
    const cell = { kind: 'cell', sheet, cell: 'E2', column, inFile: 24_001, isTrue: 24_000 }
    assert.sameDeepMembers(first, [cell, ...MISSING_AND_ADDED])
  })

  test('the worked example without the column of prices', async ({ assert }) => {
    const { first } = await compare(given, present, 'amount')
    const missing = { kind: 'column_missing', sheet, column: words.columns.amount }
    assert.sameDeepMembers(first, [missing, ...MISSING_AND_ADDED])
  })

  test('a row that stands twice is added the second time', async ({ assert }) => {
    const { first } = await compare([...present, [4, 7n]], present)
    assert.deepEqual(first, [{ kind: 'row_added', sheet, key: '4', line: 5 }])
  })

  test('a deleted column is one difference, however many rows there are', async ({ assert }) => {
    const rows = Array.from({ length: 5_002 }, (_, at): Row => [at + 1, 12_000n])
    const changed = rows.with(-1, [5_002, 11_999n])
    const { count, first } = await compare(changed, rows, 'reason')
    assert.equal(count, 2)
    assert.deepEqual(
      first.map(({ kind }) => kind),
      ['column_missing', 'cell']
    )
  })
})
