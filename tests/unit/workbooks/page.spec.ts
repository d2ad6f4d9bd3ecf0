import {
  countCell,
  momentCell,
  Page,
  pageColumns,
  tengeCell,
  textCell,
} from '#workbooks/pages/page'
import { hashLine, MultisetHash } from '#workbooks/proof/multiset_hash'
import { formula } from '#spreadsheets/cells'
import { readTable } from '#spreadsheets/read_table'
import { readValue } from '#spreadsheets/shown_value'
import { createWorkbook } from '#spreadsheets/workbook'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { test } from '@japa/runner'

test.group('A page of totals', (group) => {
  const scratch = scratchDirectory(group)

  test('its hash covers what a reader of the file finds', async ({ assert }) => {
    const path = scratch.at('page.xlsx')
    await using book = createWorkbook(path, { title: 'Page', creator: 'Page' })
    const columns = pageColumns([30, 20, 20])
    const page = new Page(await book.sheet({ name: 'Page', columns, hasHeader: false }))
    await page.line(
      textCell('=Closing balance', 'strong'),
      null,
      tengeCell(formula('C2*2', 72_000n))
    )
    await page.blankLine()
    await page.line(countCell(3), momentCell(new Date('2026-11-05T07:00:00.900Z')))
    await page.sheet.close()
    await book.finish()

    const hash = new MultisetHash()
    const { rows } = await readTable(path)
    for await (const { line, cells } of rows) hash.add(hashLine(line, cells.map(readValue))!)
    assert.equal(page.hash, hash.hex)
  })

  test('a cell without a kind does not compile: it would be written and not hashed', ({
    assert,
  }) => {
    // @ts-expect-error a bare value
    const writeBareValue = (page: Page) => page.line('36 000')
    assert.isFunction(writeBareValue)
  })
})
