import { test } from '@japa/runner'
import { typedDay } from '../../../resources/components/typed_day.js'

test.group('A typed day', () => {
  for (const text of ['22.11.2026', '22/11/2026', '22-11-26', '22 11 2026', ' 2026-11-22 '])
    test(`${text} is 22 November 2026`, ({ assert }) => {
      assert.equal(typedDay(text), '2026-11-22')
    })

  test('one figure is enough for a day and a month', ({ assert }) => {
    assert.equal(typedDay('1.2.2026'), '2026-02-01')
  })

  for (const text of [
    '',
    '31.02.2026',
    '11/22/2026',
    '29.02.2027',
    '22.11',
    '0.1.2026',
    '01.01.0026',
    'завтра',
  ])
    test(`“${text}” is no day`, ({ assert }) => {
      assert.isNull(typedDay(text))
    })

  test('29 February is a day of leap years', ({ assert }) => {
    assert.equal(typedDay('29.02.2028'), '2028-02-29')
  })
})
