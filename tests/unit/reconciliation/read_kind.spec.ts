import { isPartly, namesRefunds, readKind, type RegisterKind } from '#register_reading/read_kind'
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
      'Сторно',
      'Payment reversed',
      'Возврат: деньги возвращены',
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
      // Money of another kind, in either direction.
      'Комиссия банка',
      'Выплата',
    ],
    not_paid: [
      'Отменён',
      'pending',
      'Order expired',
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
    'Order to refund',
    'Деньги на возврат',
    // The order was declined, and its money may have gone back.
    'Заказ отклонён, деньги возвращены',
    'Отказ, возврат денег',
    'Не завершён, возвращён',
    'Declined, refunded',
    'Failed - refunded',
    'Бас тарту, ақша қайтарылды',
    'Тапсырыс тоқтатылды, ақша қайтарылды',
    // A refund that was taken back, or a refund.
    'Сторно возврата',
    'Refund reversal',
    'Refund reversed',
    'Chargeback reversed',
    'Қайтару қайтарылды',
    // The charge stands.
    'Cancellation failed',
    'Void declined',
    'Отмена отклонена',
    'Ticket expired',
    // Two things, and one of them did not happen.
    'Оплачен, возврат отклонён',
    'Не отменён',
    'Возврат комиссии',
    'Оплата комиссии',
    'Төлем қайтарылмады',
    'Оплата частично',
    'Новый, оплачен',
    null,
  ]
  for (const text of asked)
    test(`${text} is asked`, ({ assert }) => {
      assert.isNull(readKind([text]))
    })

  test('what is asked of orders that were declined is asked of states too', ({ assert }) => {
    for (const text of ['Заказ отклонён, деньги возвращены', 'Declined, refunded', 'Void declined'])
      assert.isNull(readKind([text], {}, 'states'), text)
  })

  test('what a person has said counts more than the vocabulary', ({ assert }) => {
    assert.equal(readKind(['Продажа'], { продажа: 'refund' }), 'refund')
    assert.equal(readKind(['Бонус'], { бонус: 'not_money' }), 'declined')
  })

  test('an order whose return was declined stays paid', ({ assert }) => {
    for (const text of ['Возврат отклонён', 'Не возвращён', 'қайтарылмады'])
      assert.equal(readKind([text], {}, 'states'), 'sale', text)
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
    ['Оплата', 'Отменён', 'not_paid'],
    ['Продажа', 'В обработке', 'not_paid'],
    ['Выплата', 'Успешно', 'declined'],
    ['Возврат', 'Не возвращён', 'declined'],
    ['Возврат', 'қайтарылмады', 'declined'],
    ['Refund', 'Refund failed', 'declined'],
    ['Оплата', 'Возврат отклонён', null],
    ['Payment', 'Refund failed', null],
    ['Оплата', 'Не возвращён', null],
    ['Payment', 'Not refunded', null],
    ['Төлем', 'қайтарылмады', null],
    ['Продажа', 'Отмена отклонена', null],
    ['Сторно', 'Успешно', 'refund'],
    ['Refund', 'Reversed', null],
    ['Возврат', 'Сторно', null],
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
    assert.equal(readKind(['Төлем', 'қайтарылмады'], {}, 'states'), 'sale')
    assert.equal(readKind(['Оплата', 'Отменён'], {}, 'states'), 'not_paid')
    assert.equal(readKind(['Оплата', 'Сторно'], {}, 'states'), 'refund')
    assert.isNull(readKind(['Возврат', 'Отклонено'], {}, 'states'))
    assert.isNull(readKind(['Возврат', 'Не возвращён'], {}, 'states'))
  })

  test('a person has said of one of two words that a part went back', ({ assert }) => {
    const words = { 'part back': 'partly_refunded', 'частично': 'refund' } as const
    assert.equal(readKind(['Оплата', 'Part back'], words, 'states'), 'refund')
    assert.isTrue(isPartly(['Оплата', 'Part back'], words))
    assert.isFalse(isPartly(['Оплата', 'Частично'], words))
  })
})

test.group('Names of sheets', () => {
  test('that speak of refunds alone propose refunds', ({ assert }) => {
    for (const name of ['Возвраты', 'Реестр возвратов', 'Refunds', 'Қайтару'])
      assert.isTrue(namesRefunds(name), name)
    for (const name of ['Продажи и возвраты', 'Реестр продаж и возвратов', 'Продажи', 'Лист1'])
      assert.isFalse(namesRefunds(name), name)
  })
})
