import { readKind } from '#reconciliation/reading/read_kind'
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
    ['Отклонён', 'declined'],
    ['Возврат отклонен', 'declined'],
    ['Не оплачен', 'declined'],
    ['Payment rejected', 'declined'],
    ['Отменён', 'not_paid'],
    ['pending', 'not_paid'],
    ['Комиссия банка', 'not_paid'],
    ['xyz', null],
    [null, null],
  ]
  for (const [text, kind] of cases) {
    test(`${text} is ${kind}`, ({ assert }) => assert.equal(readKind(text), kind))
  }
})
