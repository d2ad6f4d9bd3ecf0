import type { RawCell } from '#spreadsheets/read_table'
import { isTenge, readAmount, readMoney } from '#register_reading/read_amount'
import { test } from '@japa/runner'
import fc from 'fast-check'

test.group('A column of currencies', () => {
  const tenge: RawCell[] = [
    'KZT',
    'тенге',
    'Казахстанский тенге',
    '₸',
    398,
    '398',
    '398.0',
    '',
    null,
  ]
  for (const cell of tenge)
    test(`${JSON.stringify(cell)} is tenge`, ({ assert }) => assert.isTrue(isTenge(cell)))
  const others: RawCell[] = ['USD', '840', 643, '978', '0', 'доллар США', 'KZT/USD', 'у.е.']
  for (const cell of others)
    test(`${JSON.stringify(cell)} is another currency`, ({ assert }) =>
      assert.isFalse(isTenge(cell)))
})

test.group('Amounts in registers', () => {
  const good: [RawCell, bigint][] = [
    ['1 234 567,00 ₸', 1_234_567n],
    ['1\u00A0234\u00A0567', 1_234_567n],
    ['1\u202F234\u2009567,0', 1_234_567n],
    ['1,234,567.00', 1_234_567n],
    ['1.234.567,00', 1_234_567n],
    ["1'234'567.00", 1_234_567n],
    ['1,234', 1_234n],
    ['1.234', 1_234n],
    ['12345,000', 12_345n],
    ['5000тг', 5_000n],
    ['5 000 тг.', 5_000n],
    ['KZT 5000', 5_000n],
    ['5000 теңге', 5_000n],
    ['₸5 000', 5_000n],
    ['-5 000,00 ₸', -5_000n],
    ['−5000', -5_000n],
    ['(5 000,00)', -5_000n],
    ['(5 000 ₸)', -5_000n],
    ['5000-', -5_000n],
    ['5 000- ₸', -5_000n],
    ['+5000', 5_000n],
    ["'5000", 5_000n],
    ['５０００', 5_000n],
    ['0', 0n],
    ['0,00', 0n],
    [5000, 5_000n],
    [-5000, -5_000n],
    [4999.9999999999, 5_000n],
  ]
  for (const [cell, tenge] of good) {
    test(`${JSON.stringify(cell)} is ${tenge}`, ({ assert }) => {
      assert.deepEqual(readAmount(cell), { isRead: true, value: tenge })
    })
  }

  const bad: [RawCell | undefined, string][] = [
    [null, 'AMOUNT_MISSING'],
    [undefined, 'AMOUNT_MISSING'],
    [' \u00A0 ', 'AMOUNT_MISSING'],
    ['5000,50', 'AMOUNT_HAS_FRACTION'],
    ['1 234,567', 'AMOUNT_HAS_FRACTION'],
    ['0,500', 'AMOUNT_HAS_FRACTION'],
    [5000.5, 'AMOUNT_HAS_FRACTION'],
    ['$50', 'AMOUNT_OTHER_CURRENCY'],
    ['50 руб.', 'AMOUNT_OTHER_CURRENCY'],
    ['50 USD', 'AMOUNT_OTHER_CURRENCY'],
    ['1 23 456', 'AMOUNT_UNREADABLE'],
    ['1.23E+05', 'AMOUNT_UNREADABLE'],
    ['1,23,456', 'AMOUNT_UNREADABLE'],
    ['(-5000)', 'AMOUNT_UNREADABLE'],
    ['--5', 'AMOUNT_UNREADABLE'],
    ['пять', 'AMOUNT_UNREADABLE'],
    [Number.NaN, 'AMOUNT_UNREADABLE'],
    [Number.POSITIVE_INFINITY, 'AMOUNT_UNREADABLE'],
    [true, 'AMOUNT_UNREADABLE'],
    [new Date(0), 'AMOUNT_UNREADABLE'],
    ['9'.repeat(13), 'AMOUNT_TOO_LARGE'],
    [10 ** 12, 'AMOUNT_TOO_LARGE'],
    [1e20, 'AMOUNT_TOO_LARGE'],
  ]
  for (const [cell, problem] of bad) {
    test(`${String(cell)} is ${problem}`, ({ assert }) => {
      const reading = readAmount(cell)
      assert.isFalse(reading.isRead)
      if (!reading.isRead) assert.equal(reading.problem, problem)
    })
  }

  test('a fractional amount is reported as written', ({ assert }) => {
    assert.deepInclude(readAmount('5 000,50 ₸'), { found: '5 000,50 ₸' })
  })

  test('tiyn are read as whole tenge, and a part of a tenge is not dropped', ({ assert }) => {
    const cells: [RawCell, unknown][] = [
      [1_200_000, { isRead: true, value: 12_000n }],
      ['-1 200 000 тиын', { isRead: true, value: -12_000n }],
    ]
    for (const [cell, reading] of cells) assert.deepEqual(readMoney(cell, 'tiyn'), reading)
    for (const cell of [1_200_050, '1 200 001'])
      assert.deepInclude(readMoney(cell, 'tiyn'), { problem: 'AMOUNT_HAS_FRACTION' })
  })

  test('an amount is read from every way of writing it', () => {
    const group = (digits: string, by: string) => digits.replaceAll(/\B(?=(\d{3})+$)/g, by)
    const ways = ['', ' ', '\u00A0', ',', '.', "'"]
    const tenge = fc.integer({ min: 0, max: 10 ** 9 })
    fc.assert(
      fc.property(tenge, fc.constantFrom(...ways), fc.boolean(), (amount, by, isRefund) => {
        const text = group(String(amount), by)
        const reading = readAmount(isRefund ? `(${text})` : `${text} ₸`)
        return reading.isRead && reading.value === BigInt(isRefund ? -amount : amount)
      })
    )
  })

  test('no cell makes it throw', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof readAmount(text).isRead === 'boolean'))
  })
})
