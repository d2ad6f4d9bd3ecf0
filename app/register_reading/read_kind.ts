import { sensesOf, type Sense } from '#register_reading/kind_vocabulary'
import { cellText, isBlank } from '#spreadsheets/cell_text'
import type { RawCell } from '#spreadsheets/read_table'

/**
 * Reads what a row is, and whether it happened, by the words of one or two columns. Two tables decide, each by its first
 * line that fits: SAYINGS what the words of a column say, KINDS what a row is by its columns. Whatever fits no line is asked, and
 * so is a text with a word that is not in the vocabulary.
 *
 * Example:
 *   operation          outcome     read as
 *   Возврат            Успешно     refund
 *   Возврат            Отклонено   declined: no money moved
 *   Оплата                         sale
 *   Оплата             Отменена    not paid; with a minus, a refund
 *   Возврат не сделан              asked: nobody has listed «сделан»
 *   Возврат отменён                asked: the refund was cancelled, or the order was and is refunded
 *   Возврат            Сторно      asked: the refund was taken back, or it is one
 *   Оплата             Возвращён   asked where rows are operations; a refund where they show the state of an order
 *   Возврат отклонён               declined where rows are operations; a sale where they show the state of an order
 */
export type RegisterKind = 'sale' | 'refund' | 'not_paid' | 'declined'

export const ROW_CONTENTS = ['operations', 'states'] as const
/** Whether a row of a source is a charge or a return, or shows the state that an order is in by now. */
export type RowContent = (typeof ROW_CONTENTS)[number]

export const ROW_MEANINGS = ['order', 'payment', 'ticket'] as const
/** What a row of a source is. */
export type RowMeaning = (typeof ROW_MEANINGS)[number]

/** What a person has said that a word of the partner means. */
export const WORD_MEANINGS = ['charge', 'refund', 'partly_refunded', 'not_money'] as const
export type WordMeaning = (typeof WORD_MEANINGS)[number]
/** The partner's words in small letters, with their meanings. */
export type KnownWords = Readonly<Record<string, WordMeaning>>

const KIND_OF: Record<WordMeaning, RegisterKind> = {
  charge: 'sale',
  refund: 'refund',
  partly_refunded: 'refund',
  not_money: 'declined',
}

/** What the words of one column say. `happened` does not say what did. */
type Saying = RegisterKind | 'happened' | 'reversal' | 'part_refund' | 'refund_denied'

/** `refund_denied`: a refund in the same statement as its denial. */
type TextSense = Sense | 'refund_denied'

/** A line fits a text that has one of the senses in `has`, one of those in `and`, and no others than these and those in `may`. */
interface SayingLine {
  says: Saying
  has: readonly TextSense[]
  and?: readonly TextSense[]
  may: readonly TextSense[]
}

// prettier-ignore
const SAYINGS: readonly SayingLine[] = [
  // Возврат не выполнен · Запрос на возврат отклонён · қайтарылмады
  { says: 'refund_denied', has: ['refund_denied'], and: ['not'],      may: ['refund', 'partly', 'happened', 'no_sale', 'ahead', 'ticket'] },
  { says: 'refund_denied', has: ['refund_denied'], and: ['failed'],   may: ['refund', 'partly', 'happened', 'unfinished', 'no_sale', 'ahead', 'ticket'] },
  { says: 'refund_denied', has: ['not_returned'],                     may: ['refund_denied', 'refund', 'partly', 'happened', 'unfinished', 'no_sale', 'ahead', 'ticket'] },
  // Не оплачен · Оплата не прошла · Оплата отклонена
  { says: 'declined',      has: ['not'],                              may: ['charge', 'partly', 'happened', 'no_sale', 'other_money', 'ahead', 'ticket'] },
  { says: 'declined',      has: ['failed'],                           may: ['charge', 'partly', 'happened', 'unfinished', 'no_sale', 'other_money', 'ahead', 'ticket'] },
  // Оплата возвращена · Частичный возврат · Сторно
  { says: 'refund',        has: ['refund', 'returned'],               may: ['charge', 'partly', 'happened', 'ticket'] },
  { says: 'reversal',      has: ['reversal'],                         may: ['charge', 'partly', 'happened', 'ticket'] },
  // Частично
  { says: 'part_refund',   has: ['partly'],                           may: ['happened', 'cancelled', 'unfinished', 'no_sale', 'ticket'] },
  // Комиссия банка · Выплата
  { says: 'declined',      has: ['other_money'],                      may: ['partly', 'happened', 'cancelled', 'unfinished', 'no_sale', 'ticket'] },
  // Оплата заказа · Оплата проведена
  { says: 'sale',          has: ['charge'],                           may: ['happened', 'ticket'] },
  // Оплата отменена · Ожидание оплаты
  { says: 'not_paid',      has: ['charge'], and: ['cancelled', 'unfinished'], may: ['happened', 'ticket'] },
  // Билет отменён · Заказ создан. An expired ticket was paid: it is asked.
  { says: 'not_paid',      has: ['cancelled'],                        may: ['happened', 'ticket'] },
  { says: 'not_paid',      has: ['cancelled', 'unfinished', 'no_sale'], may: ['happened'] },
  // Успешно
  { says: 'happened',      has: ['happened'],                         may: ['ticket'] },
]

const ASKED = null

/** A line fits two columns, in either order, that say one of `one` and one of `other`. A single column stands as if the other said `happened`. */
interface KindLine {
  one: readonly Saying[]
  other: readonly Saying[]
  operations: RegisterKind | typeof ASKED
  states: RegisterKind | typeof ASKED
}

// prettier-ignore
const KINDS: readonly KindLine[] = [
  { one: ['sale', 'happened'],   other: ['sale', 'happened'],                          operations: 'sale',     states: 'sale' },
  { one: ['refund'],             other: ['refund', 'happened'],                        operations: 'refund',   states: 'refund' },
  { one: ['reversal'],           other: ['reversal', 'happened'],                      operations: 'refund',   states: 'refund' },
  { one: ['not_paid'],           other: ['not_paid', 'happened'],                      operations: 'not_paid', states: 'not_paid' },
  { one: ['declined'],           other: ['declined', 'happened'],                      operations: 'declined', states: 'declined' },
  // An order whose return was denied stays paid.
  { one: ['refund_denied'],      other: ['refund_denied', 'happened'],                 operations: 'declined', states: 'sale' },
  { one: ['part_refund'],        other: ['part_refund', 'happened', 'refund', 'sale'], operations: ASKED,      states: 'refund' },
  // Оплата | Возвращён · Оплата | Возврат отклонён · Оплата | Отклонено · Оплата | Отменена
  { one: ['sale'],               other: ['refund', 'reversal'],                        operations: ASKED,      states: 'refund' },
  { one: ['sale'],               other: ['refund_denied'],                             operations: ASKED,      states: 'sale' },
  { one: ['sale'],               other: ['declined'],                                  operations: 'declined', states: 'declined' },
  { one: ['sale'],               other: ['not_paid'],                                  operations: 'not_paid', states: 'not_paid' },
  // Возврат | Отклонено · Возврат | В обработке
  { one: ['refund', 'reversal'], other: ['declined', 'not_paid', 'refund_denied'],     operations: 'declined', states: ASKED },
  { one: ['declined'],           other: ['not_paid', 'refund_denied'],                 operations: 'declined', states: ASKED },
  { one: ['not_paid'],           other: ['refund_denied'],                             operations: 'declined', states: ASKED },
]

/** Null for words that are not known. What a person has said counts more than the vocabulary. */
export function readKind(
  cells: readonly (RawCell | undefined)[],
  words: KnownWords = {},
  rowsShow: RowContent = 'operations'
): RegisterKind | null {
  const whole = wordKey(cells)
  if (Object.hasOwn(words, whole)) return KIND_OF[words[whole]]
  const filled = cells.filter((cell) => !isBlank(cell))
  const [one = null, other = 'happened'] = filled.map((cell) => sayingOf(cell, words))
  if (one === null || other === null) return null
  const line = KINDS.find((each) => isOf(each, one, other) || isOf(each, other, one))
  return line?.[rowsShow] ?? null
}

const isOf = (line: KindLine, one: Saying, other: Saying) =>
  line.one.includes(one) && line.other.includes(other)

function sayingOf(cell: RawCell | undefined, words: KnownWords): Saying | null {
  const text = wordKey([cell])
  if (Object.hasOwn(words, text)) return KIND_OF[words[text]]
  const senses = sensesOfText(text)
  return SAYINGS.find((line) => fits(line, senses))?.says ?? null
}

function fits({ has, and = has, may }: SayingLine, senses: readonly (TextSense | null)[]) {
  const isThere = (sense: TextSense) => senses.includes(sense)
  if (!has.some(isThere) || !and.some(isThere)) return false
  const allowed: readonly (TextSense | null)[] = ['filler', ...has, ...and, ...may]
  return senses.every((sense) => allowed.includes(sense))
}

/** The senses of a text's words, statement by statement; a comma or dash ends a statement. */
function sensesOfText(text: string): (TextSense | null)[] {
  const senses = text
    .split(/[,;.–—-]/)
    .flatMap((statement) => withDeniedRefund(sensesOf(statement)))
  // "Refund returned" may be the refund that came back, as a reversal of it; «Возврат: деньги возвращены» is not.
  return senses.map((sense, i) =>
    sense === 'returned' && senses[i - 1] === 'refund' ? 'reversal' : sense
  )
}

/** «Возврат отклонён» denies the refund; in «Отказ, возврат денег» and "declined, refunded" the order may have been declined. */
function withDeniedRefund(statement: (Sense | null)[]): (TextSense | null)[] {
  const refunds: (Sense | null)[] = statement.includes('failed')
    ? ['refund', 'reversal']
    : ['refund', 'reversal', 'returned']
  const isDenial = statement.some((s) => s === 'not' || s === 'failed' || s === 'not_returned')
  return isDenial ? statement.map((s) => (refunds.includes(s) ? 'refund_denied' : s)) : statement
}

/** A word as it is remembered; the words of two columns are one. */
export const wordKey = (cells: readonly (RawCell | undefined)[]) => wordsIn(cells).toLowerCase()

/** `Возврат / Отклонено` */
export const wordsIn = (cells: readonly (RawCell | undefined)[]) =>
  cells.map(cellText).filter(Boolean).join(' / ')

/** Whether a text, such as the name of a sheet, speaks of refunds alone. */
export function namesRefunds(text: string) {
  const senses = sensesOf(text)
  const isRefund = senses.some((s) => s === 'refund' || s === 'returned' || s === 'reversal')
  return isRefund && !senses.includes('charge')
}

/** «возвращён» (returned) is a state, «возврат» (return) an operation. */
export function namesStateOfRefund(text: string) {
  const senses = sensesOf(text)
  return senses.includes('returned') || senses.includes('partly')
}

/** A state in which only a part of the charge went back. What a person has said, of all words or of one cell, counts more. */
export function isPartly(cells: readonly (RawCell | undefined)[], words: KnownWords = {}) {
  const said = [cells, ...cells.map((cell) => [cell])]
    .map(wordKey)
    .find((key) => Object.hasOwn(words, key))
  return said === undefined
    ? sensesOf(wordKey(cells)).includes('partly')
    : words[said] === 'partly_refunded'
}
