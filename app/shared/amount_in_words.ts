/**
 * Whole tenge in words, as an act has them under its figure. Russian declines thousands, millions and billions by their number,
 * and a thousand is feminine; Kazakh and English have one form. The word тенге stays as it is in all three.
 *
 * Example: 21,001,302
 *   ru   двадцать один миллион одна тысяча триста два тенге
 *   kk   жиырма бір миллион бір мың үш жүз екі теңге
 *   en   twenty-one million one thousand three hundred two tenge
 */
import { abs } from '#shared/tenge'
import type { Language } from '#shared/languages'

interface Numerals {
  zero: string
  /** 1 to 19. */
  ones: readonly string[]
  /** 20, 30 and so on. */
  tens: readonly string[]
  /** 100, 200 and so on. */
  hundreds: readonly string[]
  /** Between tens and ones. */
  joint: string
  /** The word for a scale after its number: 21 → `тысяча`. */
  scales: readonly ((count: number) => string)[]
  /** The ones before a scale where they differ: `одна тысяча`. */
  onesOfScale?: (scale: number, one: number) => string | undefined
  currency: string
}

// prettier-ignore
const RUSSIAN_ONES = [
  'один', 'два', 'три', 'четыре', 'пять', 'шесть', 'семь', 'восемь', 'девять', 'десять', 'одиннадцать', 'двенадцать',
  'тринадцать', 'четырнадцать', 'пятнадцать', 'шестнадцать', 'семнадцать', 'восемнадцать', 'девятнадцать',
]
// prettier-ignore
const RUSSIAN_TENS = [
  'двадцать', 'тридцать', 'сорок', 'пятьдесят', 'шестьдесят', 'семьдесят', 'восемьдесят', 'девяносто',
]
// prettier-ignore
const RUSSIAN_HUNDREDS = [
  'сто', 'двести', 'триста', 'четыреста', 'пятьсот', 'шестьсот', 'семьсот', 'восемьсот', 'девятьсот',
]
const KAZAKH_DIGITS = ['бір', 'екі', 'үш', 'төрт', 'бес', 'алты', 'жеті', 'сегіз', 'тоғыз']
// prettier-ignore
const KAZAKH_TENS = ['жиырма', 'отыз', 'қырық', 'елу', 'алпыс', 'жетпіс', 'сексен', 'тоқсан']
// prettier-ignore
const ENGLISH_ONES = [
  'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen',
  'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen',
]
// prettier-ignore
const ENGLISH_TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

const plural = new Intl.PluralRules('ru')
const declined = (one: string, few: string, many: string) => (count: number) => {
  const form = plural.select(count)
  if (form === 'one') return one
  return form === 'few' ? few : many
}
const always = (word: string) => () => word
const FEMININE: Record<number, string> = { 1: 'одна', 2: 'две' }

const NUMERALS: Record<Language, Numerals> = {
  ru: {
    zero: 'ноль',
    ones: RUSSIAN_ONES,
    tens: RUSSIAN_TENS,
    hundreds: RUSSIAN_HUNDREDS,
    joint: ' ',
    scales: [
      declined('тысяча', 'тысячи', 'тысяч'),
      declined('миллион', 'миллиона', 'миллионов'),
      declined('миллиард', 'миллиарда', 'миллиардов'),
      declined('триллион', 'триллиона', 'триллионов'),
      declined('квадриллион', 'квадриллиона', 'квадриллионов'),
      declined('квинтиллион', 'квинтиллиона', 'квинтиллионов'),
    ],
    onesOfScale: (scale, one) => (scale === 1 ? FEMININE[one] : undefined),
    currency: 'тенге',
  },
  kk: {
    zero: 'нөл',
    ones: [...KAZAKH_DIGITS, 'он', ...KAZAKH_DIGITS.map((digit) => `он ${digit}`)],
    tens: KAZAKH_TENS,
    hundreds: KAZAKH_DIGITS.map((digit) => `${digit} жүз`),
    joint: ' ',
    scales: ['мың', 'миллион', 'миллиард', 'триллион', 'квадриллион', 'квинтиллион'].map(always),
    currency: 'теңге',
  },
  en: {
    zero: 'zero',
    ones: ENGLISH_ONES,
    tens: ENGLISH_TENS,
    hundreds: ENGLISH_ONES.slice(0, 9).map((digit) => `${digit} hundred`),
    joint: '-',
    scales: ['thousand', 'million', 'billion', 'trillion', 'quadrillion', 'quintillion'].map(
      always
    ),
    currency: 'tenge',
  },
}

/** An amount of whole tenge in words, without its sign: `двадцать один тенге`. */
export function amountInWords(tenge: bigint, language: Language): string {
  const numerals = NUMERALS[language]
  const groups = groupsOf(abs(tenge))
  const words = groups.flatMap((group, index) =>
    groupWords(group, groups.length - 1 - index, numerals)
  )
  return `${words.join(' ') || numerals.zero} ${numerals.currency}`
}

/** Three digits each, the highest first: 21,001,302 → 21, 1, 302. */
function groupsOf(amount: bigint): number[] {
  const groups: number[] = []
  for (let left = amount; left > 0n; left /= 1_000n) groups.unshift(Number(left % 1_000n))
  return groups
}

/** The words of one group; scale 1 is thousands. None for 0. */
function groupWords(group: number, scale: number, numerals: Numerals): string[] {
  if (group === 0) return []
  const [hundreds, rest] = [Math.floor(group / 100), group % 100]
  const words = [
    hundreds > 0 ? numerals.hundreds[hundreds - 1] : '',
    belowHundred(rest, scale, numerals),
    scale > 0 ? numerals.scales[scale - 1](group) : '',
  ]
  return words.filter((word) => word !== '')
}

function belowHundred(rest: number, scale: number, numerals: Numerals) {
  const one = (digit: number) => numerals.onesOfScale?.(scale, digit) ?? numerals.ones[digit - 1]
  if (rest === 0) return ''
  if (rest < 20) return one(rest)
  const [tens, digit] = [numerals.tens[Math.floor(rest / 10) - 2], rest % 10]
  return digit === 0 ? tens : `${tens}${numerals.joint}${one(digit)}`
}
