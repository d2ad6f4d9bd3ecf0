import { isPartly, readKind, type RegisterKind } from '#register_reading/read_kind'
import { test } from '@japa/runner'

test.group('Kinds of rows, by one column', () => {
  const known: Record<RegisterKind, string[]> = {
    sale: ['Продажа', 'Оплачено', 'payment', 'Төленді', 'Оплата заказа', 'Успешно', 'Сатып алу'],
    refund: [
      'Возврат',
      'ВОЗВРАЩЁН',
      'REFUNDED',
      'қайтару',
      'Возврат средств выполнен',
      'Частичный возврат',
      'Возврат покупки',
      'Оплата возвращена',
    ],
    declined: [
      'Отклонён',
      'Не оплачен',
      'Неоплачен',
      'Payment rejected',
      'Возврат не выполнен',
      'Возврат не произведён',
      'Не возвращён',
      'Not refunded',
      'Возврат отклонен',
      'Запрос на возврат отклонён',
      'ОТКАЗ В ВОЗВРАТЕ',
      'Оплата не прошла',
      'Неуспешная оплата',
      'Төлем қабылданбады',
      'қайтарылмады',
      'Қайтару тоқтатылды',
      'Қайтарудан бас тарту',
    ],
    not_paid: [
      'Отменён',
      'pending',
      'Комиссия банка',
      'Оплата отменена',
      'Төлем жойылды',
      'Ожидание оплаты',
      'Оплата в обработке',
    ],
  }
  for (const [kind, texts] of Object.entries(known))
    for (const text of texts)
      test(`${text} is ${kind}`, ({ assert }) => {
        assert.equal(readKind([text]), kind as RegisterKind)
      })

  const asked = [
    // A word that nobody has listed.
    'возврат невозможен',
    'Возврат по отменённому заказу',
    'Платёж отменён банком',
    'Возврат по ошибке',
    'Оплатить',
    'Возвратный',
    'невозвратный',
    'Без возврата',
    'Non-refundable',
    'Refundable',
    'Возврат 50 %',
    'Предоплата',
    'xyz',
    // The order may have been cancelled, or its refund.
    'Возврат отменён',
    'Отмена возврата',
    'Возврат (отменен)',
    'Заказ отменён, деньги возвращены',
    'Refund cancelled',
    // Nobody knows whether it will happen.
    'Ожидает возврата',
    'Возврат в обработке',
    'Оплачен, запрошен возврат',
    'Refund requested',
    // Two things, and one of them did not happen.
    'Оплачен, возврат отклонён',
    'Не отменён',
    'Возврат комиссии',
    'Оплата частично',
    'Новый, оплачен',
    null,
  ]
  for (const text of asked)
    test(`${text} is asked`, ({ assert }) => assert.isNull(readKind([text])))

  test('what a person has said counts more than the vocabulary', ({ assert }) => {
    assert.equal(readKind(['Продажа'], { продажа: 'refund' }), 'refund')
    assert.equal(readKind(['Бонус'], { бонус: 'not_money' }), 'declined')
  })

  test('an order whose return was declined stays paid', ({ assert }) => {
    assert.equal(readKind(['Возврат отклонён'], {}, 'states'), 'sale')
    assert.equal(readKind(['Не оплачен'], {}, 'states'), 'declined')
    assert.isNull(readKind(['Возврат отменён'], {}, 'states'))
  })

  test('a part of an order went back, unless that was only asked for', ({ assert }) => {
    assert.equal(readKind(['Частично'], {}, 'states'), 'refund')
    assert.isTrue(isPartly(['Частично']))
    assert.isNull(readKind(['Частично']))
    assert.isNull(readKind(['Частичный возврат запрошен'], {}, 'states'))
  })
})

test.group('Kinds of rows, by an operation and its outcome', () => {
  const pairs: [operation: string | null, outcome: string | null, RegisterKind | null][] = [
    ['Возврат', 'Успешно', 'refund'],
    ['Успешно', 'Возврат', 'refund'],
    ['Возврат', 'Возвращён', 'refund'],
    ['Возврат', null, 'refund'],
    [null, 'Возвращён', 'refund'],
    ['Возврат', 'Отклонено', 'declined'],
    ['Возврат', 'Отменён', 'declined'],
    ['Возврат', 'В обработке', 'declined'],
    ['Оплата', 'Проведён', 'sale'],
    ['Оплата', 'Оплачен', 'sale'],
    ['Оплата', 'Отклонено', 'declined'],
    ['Оплата', 'Сәтсіз', 'declined'],
    ['Отмена', 'Успешно', 'not_paid'],
    ['Оплата', 'Возвращён', null],
    ['Возврат', 'Оплачен', null],
    ['Оплата', 'Проверка', null],
    ['Бонус', 'Успешно', null],
    [null, null, null],
  ]
  for (const [operation, outcome, kind] of pairs)
    test(`${operation} with ${outcome} is ${kind ?? 'asked'}`, ({ assert }) => {
      assert.equal(readKind([operation, outcome]), kind)
    })

  test('a person has said it of both words together, or of one of them', ({ assert }) => {
    const words = { 'оплата / возвращён': 'charge', 'бонус': 'not_money' } as const
    assert.equal(readKind(['Оплата', 'Возвращён'], words), 'sale')
    assert.equal(readKind(['Бонус', 'Успешно'], words), 'declined')
  })

  test('where rows show states, a charge that was returned is a refund', ({ assert }) => {
    assert.equal(readKind(['Оплата', 'Возвращён'], {}, 'states'), 'refund')
    assert.equal(readKind(['Оплата', 'Отклонено'], {}, 'states'), 'declined')
    assert.equal(readKind(['Оплата', 'Возврат отклонён'], {}, 'states'), 'sale')
    assert.isNull(readKind(['Возврат', 'Отклонено'], {}, 'states'))
  })
})
