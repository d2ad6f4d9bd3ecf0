import { test } from '@japa/runner'
import { directionOf, nextSort } from '../../../resources/components/lists/column_sort.js'

const BY_TIME = { ascending: 'oldest', descending: null, first: 'ascending' } as const
const BY_TOTAL = { ascending: 'lowest', descending: 'highest', first: 'descending' } as const

test.group('Sorting by a column', () => {
  test('the order that a list has by itself is one of its columns', ({ assert }) => {
    assert.equal(directionOf(BY_TIME, null), 'descending')
    assert.equal(directionOf(BY_TIME, 'oldest'), 'ascending')
    assert.equal(directionOf(BY_TIME, 'highest'), 'none')
    assert.equal(directionOf(BY_TOTAL, null), 'none')
  })

  test('the first press sorts by the column, the next one turns the order around', ({ assert }) => {
    assert.equal(nextSort(BY_TOTAL, null), 'highest')
    assert.equal(nextSort(BY_TOTAL, 'highest'), 'lowest')
    assert.equal(nextSort(BY_TOTAL, 'lowest'), 'highest')
    assert.equal(nextSort(BY_TIME, null), 'oldest')
    assert.isNull(nextSort(BY_TIME, 'oldest'))
    assert.equal(nextSort(BY_TIME, 'highest'), 'oldest')
  })
})
