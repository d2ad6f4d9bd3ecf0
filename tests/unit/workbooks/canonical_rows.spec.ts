import { ALL_SHEETS } from '#workbooks/sheets/all'
import { CanonicalRows } from '#workbooks/proof/canonical_rows'
import {
  changeableColumn,
  fixedColumn,
  rowNumber,
  translatedColumn,
  type DataSheet,
} from '#workbooks/sheets/sheet'
import { test } from '@japa/runner'

const sheet: DataSheet = {
  key: 'tickets',
  rowKey: 'ticketId',
  hashed: 'fixed',
  columns: [
    rowNumber('tkt_no', 'fixed'),
    fixedColumn('ticketId', 'id', 20),
    fixedColumn('price', 'tenge', 12),
    changeableColumn('status', 'text', 12),
    translatedColumn('eventTitle', 'text', 30),
  ],
  sql: '',
}
const row = { no: 1, ticketId: 't1', price: 12_000n, status: 'used', eventTitle: 'Concert' }

test.group('The two parts of a row', () => {
  test('a row has a frozen and a mutable part, each with the key, and neither with translated columns', ({
    assert,
  }) => {
    assert.deepEqual(new CanonicalRows(sheet).linesOf(row), {
      fixed: '{"no":1,"price":"12000","ticketId":"t1"}',
      changeable: '{"status":"used","ticketId":"t1"}',
    })
  })

  test('a changeable sheet has no column that is said to be fixed', ({ assert }) => {
    for (const { key, hashed, columns } of ALL_SHEETS)
      if (hashed === 'changeable')
        for (const column of columns)
          assert.notEqual(column.hashed, 'fixed', `${key} ${column.key}`)
  })

  test('a row that no statement fixes is changeable as a whole', ({ assert }) => {
    const rows = new CanonicalRows({ ...sheet, isFixed: () => false })
    assert.deepEqual(rows.linesOf(row), {
      fixed: null,
      changeable: '{"no":1,"price":"12000","status":"used","ticketId":"t1"}',
    })
  })
})
