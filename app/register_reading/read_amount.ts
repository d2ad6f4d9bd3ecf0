import { cellText, isBlank, plainText } from '#spreadsheets/cell_text'
import type { RawCell } from '#spreadsheets/read_table'
import type { Reading } from '#register_reading/reading'
import { read, unread } from '#spreadsheets/value_reading'

/** The sum of 200,000 rows of a trillion each still fits PostgreSQL's bigint. */
const MOST_DIGITS = 12
/** Tolerated error of a floating-point sum. */
const FLOAT_NOISE = 1e-6

const TENGE = /₸|(?<!\p{L})(?:kzt|тенге|теңге|tenge|тг|tg|tng)(?!\p{L})\.?/giu
// «Сомасы» is Kazakh for a sum.
const OTHER_CURRENCY =
  /[$€£¥₽₴₺]|(?<!\p{L})(?:usd|eur|rub|rur|kgs|uzs|cny|gbp|try|руб|рубл\p{L}*|сом|доллар\p{L}*|евро)(?!\p{L})/iu

/** Accepted digit groupings; the captured part follows the decimal sign. */
const FORMS = [
  /^[1-9]\d{0,2}(?:[ ']\d{3})+(?:[.,](\d*))?$/,
  /^[1-9]\d{0,2}(?:,\d{3})+(?:\.(\d*))?$/,
  /^[1-9]\d{0,2}(?:\.\d{3})+(?:,(\d*))?$/,
  /^\d+(?:[.,](\d*))?$/,
]

export const UNITS = ['tenge', 'tiyn'] as const
/** What the numbers of a source are: 735,000 tiyn are 7,350 tenge. */
export type Unit = (typeof UNITS)[number]

export const AMOUNT_CONTENTS = ['gross', 'net'] as const
/** Whether the amounts of a source are what buyers paid, or that without the fee of another column. */
export type AmountContent = (typeof AMOUNT_CONTENTS)[number]

/** Whether a header names another currency than tenge. */
export const namesOtherCurrency = (text: string) => OTHER_CURRENCY.test(plainText(text))

/** `398` is the number of KZT in ISO 4217. */
const KZT_NUMBER = /^0*398(?:[.,]0+)?$/

/** Whether a cell in a column of currencies has tenge or nothing: `KZT`, «тенге», `398`. Anything else is another currency. */
export function isTenge(cell: RawCell | undefined) {
  const text = cellText(cell)
  return (
    text === '' || KZT_NUMBER.test(text) || (text.search(TENGE) !== -1 && !namesOtherCurrency(text))
  )
}

const TIYN = /(?<!\p{L})(?:тиын|tiyn|tyiyn)\p{L}*\.?/giu
export const namesTiyn = (text: string) => text.search(TIYN) !== -1

const NO_SIGNS: ReadonlySet<string> = new Set()

/**
 * An amount in the source's unit, as whole tenge. `decimalSigns` are those of its column: next to `12.50` nobody knows what `1.234`
 * is, and it is not read.
 */
export function readMoney(
  cell: RawCell | undefined,
  unit: Unit,
  decimalSigns = NO_SIGNS
): Reading<bigint> {
  const text = cellText(cell)
  if (unit === 'tenge' && namesTiyn(text)) return unread('AMOUNT_IN_TIYN', text)
  const [, thousands] = typeof cell === 'string' ? (MAYBE_THOUSANDS.exec(digitsOf(cell)) ?? []) : []
  if (thousands !== undefined && decimalSigns.has(thousands))
    return unread('AMOUNT_AMBIGUOUS', text)
  const amount = readAmount(typeof cell === 'string' ? cell.replace(TIYN, ' ') : cell)
  if (unit === 'tenge' || !amount.isRead) return amount
  if (amount.value % 100n !== 0n) return unread('AMOUNT_HAS_FRACTION', text)
  return read(amount.value / 100n)
}

const MAYBE_THOUSANDS = /^[1-9]\d{0,2}([.,])\d{3}$/

/** The decimal sign of a text, where there is no doubt: `12.50`, `1,234.5`, `0.123` → point; `1.234.567` → comma. */
export function decimalSignOf(cell: RawCell | undefined): '.' | ',' | null {
  const digits = typeof cell === 'string' ? digitsOf(cell) : ''
  const [, before, sign] = /^(.*)([.,])\d+$/.exec(digits) ?? []
  if (sign === undefined || MAYBE_THOUSANDS.test(digits)) return null
  if (before.includes(sign)) return sign === '.' ? ',' : '.'
  return sign as '.' | ','
}

const digitsOf = (sent: string) =>
  takeSign(plainText(sent).replace(/^'/, '').replace(TENGE, ' ').replace(TIYN, ' ').trim()).digits

/**
 * Whole tenge, negative for a refund: `1 234 567,00 ₸`, `1,234,567.00`, `(5 000)`, `5000-`.
 * Refuses a fraction of a tenge instead of rounding it, and other currencies.
 */
export function readAmount(cell: RawCell | undefined): Reading<bigint> {
  if (isBlank(cell)) return unread('AMOUNT_MISSING', '')
  if (typeof cell === 'number') return fromNumber(cell)
  if (typeof cell !== 'string') return unread('AMOUNT_UNREADABLE', cellText(cell))
  return fromText(cell)
}

function fromNumber(amount: number): Reading<bigint> {
  const whole = Math.round(amount)
  if (!Number.isFinite(amount)) return unread('AMOUNT_UNREADABLE', String(amount))
  if (Math.abs(amount - whole) > FLOAT_NOISE) return unread('AMOUNT_HAS_FRACTION', String(amount))
  if (String(Math.abs(whole)).length > MOST_DIGITS)
    return unread('AMOUNT_TOO_LARGE', String(amount))
  return read(BigInt(whole))
}

function fromText(sent: string): Reading<bigint> {
  const text = plainText(sent).replace(/^'/, '')
  if (OTHER_CURRENCY.test(text)) return unread('AMOUNT_OTHER_CURRENCY', text)
  const { isNegative, digits } = takeSign(text.replace(TENGE, ' ').trim())
  const parts = splitFraction(digits)
  if (!parts) return unread('AMOUNT_UNREADABLE', text)
  if (/[1-9]/.test(parts.fraction)) return unread('AMOUNT_HAS_FRACTION', text)
  if (parts.whole.length > MOST_DIGITS) return unread('AMOUNT_TOO_LARGE', text)
  const tenge = BigInt(parts.whole)
  return read(isNegative ? -tenge : tenge)
}

function takeSign(text: string) {
  const [, negative] = /^\((.+)\)$/.exec(text) ?? /^-(.+)$/.exec(text) ?? /^(.+)-$/.exec(text) ?? []
  return {
    isNegative: negative !== undefined,
    digits: (negative ?? text.replace(/^\+/, '')).trim(),
  }
}

function splitFraction(digits: string) {
  for (const form of FORMS) {
    const found = form.exec(digits)
    if (!found) continue
    const fraction = found[1] ?? ''
    const rest = digits.slice(0, digits.length - fraction.length)
    return { whole: rest.replaceAll(/\D/g, ''), fraction }
  }
  return null
}
