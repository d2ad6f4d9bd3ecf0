import { amountInWords } from '#shared/amount_in_words'
import { LANGUAGES, type Language } from '#shared/languages'
import { test } from '@japa/runner'

// prettier-ignore
const CASES: [bigint, Record<Language, string>][] = [
  [0n, { ru: 'ноль тенге', kk: 'нөл теңге', en: 'zero tenge' }],
  [1n, { ru: 'один тенге', kk: 'бір теңге', en: 'one tenge' }],
  [2n, { ru: 'два тенге', kk: 'екі теңге', en: 'two tenge' }],
  [5n, { ru: 'пять тенге', kk: 'бес теңге', en: 'five tenge' }],
  [11n, { ru: 'одиннадцать тенге', kk: 'он бір теңге', en: 'eleven tenge' }],
  [20n, { ru: 'двадцать тенге', kk: 'жиырма теңге', en: 'twenty tenge' }],
  [21n, { ru: 'двадцать один тенге', kk: 'жиырма бір теңге', en: 'twenty-one tenge' }],
  [100n, { ru: 'сто тенге', kk: 'бір жүз теңге', en: 'one hundred tenge' }],
  [1_000n, { ru: 'одна тысяча тенге', kk: 'бір мың теңге', en: 'one thousand tenge' }],
  [2_000n, { ru: 'две тысячи тенге', kk: 'екі мың теңге', en: 'two thousand tenge' }],
  [11_000n, { ru: 'одиннадцать тысяч тенге', kk: 'он бір мың теңге', en: 'eleven thousand tenge' }],
  [21_000n, { ru: 'двадцать одна тысяча тенге', kk: 'жиырма бір мың теңге', en: 'twenty-one thousand tenge' }],
  [112_000n, { ru: 'сто двенадцать тысяч тенге', kk: 'бір жүз он екі мың теңге', en: 'one hundred twelve thousand tenge' }],
  [1_000_000n, { ru: 'один миллион тенге', kk: 'бір миллион теңге', en: 'one million tenge' }],
  [21_001_302n, {
    ru: 'двадцать один миллион одна тысяча триста два тенге',
    kk: 'жиырма бір миллион бір мың үш жүз екі теңге',
    en: 'twenty-one million one thousand three hundred two tenge',
  }],
  [1_000_000_000_005n, {
    ru: 'один триллион пять тенге', kk: 'бір триллион бес теңге', en: 'one trillion five tenge',
  }],
  [999_999_999_999n, {
    ru: 'девятьсот девяносто девять миллиардов девятьсот девяносто девять миллионов девятьсот девяносто девять тысяч девятьсот девяносто девять тенге',
    kk: 'тоғыз жүз тоқсан тоғыз миллиард тоғыз жүз тоқсан тоғыз миллион тоғыз жүз тоқсан тоғыз мың тоғыз жүз тоқсан тоғыз теңге',
    en: 'nine hundred ninety-nine billion nine hundred ninety-nine million nine hundred ninety-nine thousand nine hundred ninety-nine tenge',
  }],
]

test.group('Sums in words', () => {
  test('{0} in three languages')
    .with(CASES)
    .run(({ assert }, [tenge, texts]) => {
      for (const language of LANGUAGES)
        assert.equal(amountInWords(tenge, language), texts[language])
    })

  test('a debt of ours has no sign', ({ assert }) => {
    assert.equal(amountInWords(-21n, 'ru'), 'двадцать один тенге')
  })

  test('the largest amount that a column holds has words', ({ assert }) => {
    for (const language of LANGUAGES)
      assert.notInclude(amountInWords(9_223_372_036_854_775_807n, language), 'undefined')
  })
})
