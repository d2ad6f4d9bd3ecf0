import { readKind } from '#register_reading/read_kind'
import { test } from '@japa/runner'

test.group('Words that contradict each other', () => {
  for (const text of [
    'Возврат не выполнен, деньги возвращены',
    'Возврат отклонён, сторно',
    'Қайтарылмады, refunded',
  ])
    test(`«${text}» is asked`, ({ assert }) => {
      assert.isNull(readKind([text]))
      assert.isNull(readKind([text], {}, 'states'))
    })

  test('a comma alone contradicts nothing', ({ assert }) => {
    assert.equal(readKind(['Возврат, деньги не возвращены']), 'declined')
    assert.equal(readKind(['Возврат, деньги не возвращены'], {}, 'states'), 'sale')
  })
})
