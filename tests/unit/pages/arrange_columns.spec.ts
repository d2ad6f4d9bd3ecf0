import { test } from '@japa/runner'
import {
  arrangeColumns,
  keysOf,
  movableOf,
  shownKeys,
} from '../../../resources/components/lists/arrange_columns.js'

const COLUMNS = [
  { key: 'id', label: 'Order' },
  { key: 'buyer', label: 'Buyer' },
  { key: 'status', label: 'Status' },
  { key: 'act', label: '' },
]
const arranged = (keys: string[] | null) =>
  arrangeColumns(COLUMNS, keys)
    .map(({ key }) => key)
    .join()

test.group('Columns of a list', () => {
  test('the first one and buttons stay where they are', ({ assert }) => {
    assert.equal(arranged(['status', 'buyer', 'id', 'act']), 'id,status,buyer,act')
    assert.equal(arranged([]), 'id,act')
    assert.deepEqual(
      movableOf(COLUMNS).map(({ key }) => key),
      ['buyer', 'status']
    )
  })

  test('a key that the list does not have any more, or a second time, is ignored', ({ assert }) => {
    assert.equal(arranged(['gone', 'status', 'status']), 'id,status,act')
  })

  test('without a choice all are shown, and all in their order are no choice', ({ assert }) => {
    assert.equal(arranged(null), 'id,buyer,status,act')
    assert.isNull(keysOf(COLUMNS, arrangeColumns(COLUMNS, ['buyer', 'status'])))
    const keys = keysOf(COLUMNS, arrangeColumns(COLUMNS, ['status', 'buyer']))
    assert.deepEqual(keys, ['id', 'status', 'buyer'])
    assert.equal(arranged(keys), 'id,status,buyer,act')
  })

  test('a view that names a column which is gone is as it was saved', ({ assert }) => {
    const shown = arrangeColumns(COLUMNS, ['id', 'gone', 'status'])
    assert.deepEqual(shownKeys(COLUMNS, ['id', 'gone', 'status']), keysOf(COLUMNS, shown))
    assert.isNull(shownKeys(COLUMNS, ['id', 'gone', 'buyer', 'status']))
    assert.isNull(shownKeys(COLUMNS, null))
  })
})
