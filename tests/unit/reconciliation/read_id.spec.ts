import {
  foldId,
  keysOfLostDigits,
  lostDigitsKey,
  lostDigitsOf,
  readId,
  repairsBetween,
  type IdRepair,
} from '#register_reading/read_id'
import { test } from '@japa/runner'
import fc from 'fast-check'

test.group('Identifiers in registers', () => {
  test('an identifier is kept as sent; a whole number becomes its digits', ({ assert }) => {
    assert.deepEqual(readId(' ab-1 '), { isRead: true, value: ' ab-1 ' })
    assert.deepEqual(readId(123456), { isRead: true, value: '123456' })
    assert.deepEqual(readId(' \u00A0'), { isRead: true, value: null })
    assert.deepInclude(readId(new Date(0)), { problem: 'ID_UNREADABLE' })
  })

  const repaired: [sent: string, ours: string, repairs: IdRepair[]][] = [
    ['A-1', 'A-1', []],
    [' A-1\u00A0', 'A-1', ['TRIMMED']],
    ["'00123", '00123', ['APOSTROPHE']],
    ['ТІХ-2026-000123', 'TIX-2026-000123', ['LOOK_ALIKES']],
    ['АВСЕНКМОРТХ', 'ABCEHKMOPTX', ['LOOK_ALIKES']],
    ['tix-2026-000123', 'TIX-2026-000123', ['CASE']],
    ['TIX–2026–000123', 'TIX-2026-000123', ['DASHES']],
    ['TIX2026000123', 'TIX-2026-000123', ['HYPHENS']],
    ['TIX-2026000123', 'TIX-2026-000123', ['HYPHENS']],
    ['TIX 2026 1000123', 'TIX-2026-1000123', ['HYPHENS']],
    ['tix2026000123.0', 'TIX-2026-000123', ['CASE', 'DECIMAL_TAIL', 'HYPHENS']],
    ['TIX-2026-000123,00', 'TIX-2026-000123', ['DECIMAL_TAIL']],
    ['123', '000123', ['LEADING_ZEROS']],
    ['№ 17', '17', ['NUMBER_SIGN']],
    ['123.0', '000123', ['DECIMAL_TAIL', 'LEADING_ZEROS']],
    [' тix-1', 'TIX-1', ['TRIMMED', 'LOOK_ALIKES', 'CASE']],
  ]
  for (const [sent, ours, repairs] of repaired) {
    test(`${JSON.stringify(sent)} becomes ${ours} by ${repairs.join(', ') || 'nothing'}`, ({
      assert,
    }) => {
      assert.deepEqual(repairsBetween(sent, ours), repairs)
      assert.equal(foldId(sent), foldId(ours))
    })
  }

  test('different identifiers stay different', ({ assert }) => {
    for (const [one, other] of [
      ['A-1', 'A-2'],
      ['A01', 'A1'],
      ['O1', '01'],
      // No order numbers of the platform: hyphens and tails are theirs.
      ['AB2026000123', 'AB-2026-000123'],
      ['TIX-TKT-000123', 'TIXTKT000123'],
      ['TIX202600012', 'TIX-2026-00012'],
      ['TIX-20260-00123', 'TIX-2026-000123'],
      ['PAY-2026-000123.0', 'PAY-2026-000123'],
      ['TIX-2026-000123', 'TIX-2026-0000123'],
    ]) {
      assert.isNull(repairsBetween(one, other))
      assert.notEqual(foldId(one), foldId(other))
    }
  })

  test('scientific notation and cut digits keep the known digits', ({ assert }) => {
    assert.deepEqual(lostDigitsOf('1.23E+17'), { length: 18, leading: '123' })
    assert.deepEqual(lostDigitsOf('1,23457e+17'), { length: 18, leading: '123457' })
    assert.deepEqual(lostDigitsOf('1.23457Е+17'), { length: 18, leading: '123457' })
    assert.deepEqual(lostDigitsOf('1234567890123450000'), {
      length: 19,
      leading: '123456789012345',
    })
    for (const whole of ['1.23E+2', 'E+17', '1234567890123456789', 'A1.23E+17', '123']) {
      assert.isNull(lostDigitsOf(whole))
    }
  })

  test('a number of more digits than a spreadsheet keeps has those that can be believed', ({
    assert,
  }) => {
    const leading = '123456789012346'
    for (const number of ['12345678901234567801', '12345678901234567000'].map(Number)) {
      const id = readId(number)
      assert.deepEqual(id, { isRead: true, value: '1.23456789012346E+19' })
      assert.deepEqual(lostDigitsOf('1.23456789012346E+19'), { length: 20, leading })
    }
    assert.isTrue(keysOfLostDigits('12345678901234567801', 15).includes(`20:${leading}`))
    assert.deepEqual(readId(4_503_599_627_370_495), { isRead: true, value: '4503599627370495' })
    assert.deepEqual(lostDigitsOf('12345678901234567000'), {
      length: 20,
      leading: '123456789012345',
    })
    assert.isNull(lostDigitsOf('12345678901234567010'))
  })

  test('a long number matches by its first digits, cut or rounded', ({ assert }) => {
    assert.deepEqual(keysOfLostDigits('123456789012345678', 3), ['18:123'])
    assert.deepEqual(keysOfLostDigits('123956789012345678', 3), ['18:123', '18:124'])
    assert.deepEqual(keysOfLostDigits('A23', 1), [])
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 16n, max: 10n ** 19n }), (number) => {
        const [whole, damaged] = [String(number), Number(number).toExponential(5)]
        const lost = lostDigitsOf(damaged.replace('e', 'E'))!
        const isOneLonger = lost.length !== whole.length
        return isOneLonger || keysOfLostDigits(whole, 6).includes(lostDigitsKey(lost))
      })
    )
  })

  test('normalising twice changes no more', () => {
    fc.assert(fc.property(fc.string(), (id) => foldId(foldId(id)).length <= foldId(id).length))
  })

  test('look-alike letters, dashes, apostrophes and lost digits are folded to one form', ({
    assert,
  }) => {
    // With Cyrillic letters, long dashes and a blank at each end.
    assert.equal(foldId(' ТІХ–2026–000123 '), 'TIX-2026-000123')
    assert.equal(foldId("'00123.0"), '123')
    assert.equal(lostDigitsKey(lostDigitsOf('1.23457E+17')!), '18:123457')
  })
})
