import { CanonicalRows } from '#workbooks/proof/canonical_rows'
import { column, type DataSheet } from '#workbooks/sheets/sheet'
import { test } from '@japa/runner'

const sheet: DataSheet = {
  key: 'tickets',
  rowKey: 'ticketId',
  columns: [
    column('ticketId', 'id', 20),
    column('price', 'tenge', 12),
    column('status', 'text', 12, { isMutable: true }),
    column('eventTitle', 'text', 30, { isTranslated: true }),
  ],
  sql: '',
}
const row = { ticketId: 't1', price: 12_000n, status: 'used', eventTitle: 'Concert' }

test.group('The two parts of a row', () => {
  test('the worked example of canonical_rows.ts', ({ assert }) => {
    assert.deepEqual(new CanonicalRows(sheet).linesOf(row), {
      frozen: '{"price":"12000","ticketId":"t1"}',
      mutable: '{"status":"used","ticketId":"t1"}',
    })
  })

  test('a row that no statement fixes is mutable as a whole', ({ assert }) => {
    const rows = new CanonicalRows({ ...sheet, isFrozen: () => false })
    assert.deepEqual(rows.linesOf(row), {
      frozen: null,
      mutable: '{"price":"12000","status":"used","ticketId":"t1"}',
    })
  })
})
