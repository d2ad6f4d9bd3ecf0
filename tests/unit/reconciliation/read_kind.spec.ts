import { readKind, readState } from '#register_reading/read_kind'
import { test } from '@japa/runner'

test.group('Kinds of rows', () => {
  const cases: [string | null, ReturnType<typeof readKind>][] = [
    ['Продажа', 'sale'],
    ['Оплачено', 'sale'],
    ['payment', 'sale'],
    ['Төленді', 'sale'],
    ['Возврат', 'refund'],
    ['REFUNDED', 'refund'],
    ['қайтару', 'refund'],
    ['Возврат средств выполнен', 'refund'],
    ['Заказ отменён, деньги возвращены', 'refund'],
    ['Отменён (возврат)', 'refund'],
    ['Возврат: отмена мероприятия', 'refund'],
    ['Возврат по отменённому заказу', 'refund'],
    ['cancelled, refunded', 'refund'],
    ['Отклонён', 'declined'],
    ['Возврат средств отменен', 'declined'],
    ['Отменён возврат', 'declined'],
    ['Возврат отменён', 'declined'],
    ['Возврат не выполнен', 'declined'],
    ['Отмена возврата', 'declined'],
    ['Не возвращён', 'declined'],
    ['Возврат аннулирован', 'declined'],
    ['Refund cancelled', 'declined'],
    ['Cancellation of a refund', 'declined'],
    ['Not refunded', 'declined'],
    ['қайтарылмады', 'declined'],
    ['Қайтару тоқтатылды', 'declined'],
    ['Қайтарудан бас тарту', 'declined'],
    ['Возврат отклонен', 'declined'],
    ['Не оплачен', 'declined'],
    ['Payment rejected', 'declined'],
    ['Отменён', 'not_paid'],
    ['pending', 'not_paid'],
    ['Комиссия банка', 'not_paid'],
    ['Ожидает возврата', null],
    ['Возврат в обработке', null],
    ['Оплачен, запрошен возврат', null],
    ['Refund pending', null],
    ['Refund requested', null],
    ['Non-refundable', null],
    ['Без возврата', null],
    ['Запрос на возврат отклонён', 'declined'],
    ['xyz', null],
    [null, null],
  ]
  for (const [text, kind] of cases) {
    test(`${text} is ${kind}`, ({ assert }) => assert.equal(readKind(text), kind))
  }

  test('a part of an order whose refund was only asked for is not known', ({ assert }) => {
    assert.equal(readState('Частичный возврат'), 'refund')
    assert.isNull(readState('Частичный возврат запрошен'))
  })
})
