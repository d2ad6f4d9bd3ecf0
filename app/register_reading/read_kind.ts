import { cellText, isBlank } from '#spreadsheets/cell_text'
import type { RawCell } from '#spreadsheets/read_table'

/**
 * Reads what a row is, and whether it happened, by the words of one or two columns. A text is known only if each of its words is.
 * A person is asked about everything else.
 *
 * Example:
 *   operation          outcome     read as
 *   Возврат            Успешно     refund
 *   Возврат            Отклонено   declined: no money moved
 *   Оплата                         sale
 *   Возврат не сделан              asked: nobody has listed «сделан»
 *   Возврат отменён                asked: the refund was cancelled, or the order was and is refunded
 *   Оплата             Возвращён   asked where rows are operations; a refund where they show the state of an order
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

type Sense =
  | 'charge'
  | 'refund'
  | 'partly'
  | 'happened'
  | 'not'
  | 'failed'
  | 'cancelled'
  | 'unfinished'
  | 'no_sale'
  | 'filler'

/** `оплачен~` stands for оплачен, оплачена, оплачено and оплачены; ё is written as е. */
const VOCABULARY: Record<Sense, string> = {
  charge: `продажа продажи продан~ оплата оплаты оплачен~ покупка покупки куплен~ платеж платежа списание списан~ приход
    sale sold pay paid payment purchase purchased charge charged capture captured debit
    сату сатылды сатып алу төлем төлемі төлеу төленді төленген`,
  refund: `возврат возврата возврате возвраты возвращен~ рефанд сторно сторнирование чарджбэк чарджбек
    refund refunds refunded return returns returned reversal reversed chargeback
    қайтару қайтаруды қайтарудан қайтарым қайтарылды қайтарылған`,
  partly: `частично частичный частичная partial partially partly ішінара жартылай`,
  happened: `успех успешно успешен успешный успешная завершен~ проведен~ произведен~ исполнен~ выполнен~ подтвержден~ прошел прошла
    success successful successfully succeeded complete completed approved confirmed settled ok
    сәтті аяқталды орындалды расталды қабылданды өтті`,
  not: 'не not',
  failed: `отклонен~ отклонение отказ отказано отозван~ ошибка неуспешно неуспешный неуспешная неоплачен~
    declined refused rejected denied failed failure error unsuccessful unpaid withdrawn
    сәтсіз қате бас тарту тартылды тоқтатылды қабылданбады қайтарылмады төленбеді өтпеді орындалмады`,
  cancelled: `отмена отмену отменен~ аннулирован~ аннулирование cancel cancelled canceled cancellation void voided жойылды`,
  unfinished: `ожидает ожидание ожидается обработка обработке обрабатывается запрос запрошен~ заявка
    pending processing awaiting requested request expired күтуде күтілуде өңделуде сұралды`,
  no_sale: `создан~ новый черновик холд комиссия комиссии удержание банка выплата выплаты
    created new draft hold commission fee payout bank`,
  filler: `в на средств денег деньги заказ заказа билет билета билетов операция транзакция
    a the of in to order ticket tickets transaction тапсырыс билет ақша`,
}

const SENSES = new Map(
  Object.entries(VOCABULARY).flatMap(([sense, words]) =>
    words
      .split(/\s+/)
      .flatMap((word) =>
        word.endsWith('~') ? ['', 'а', 'о', 'ы'].map((end) => word.slice(0, -1) + end) : [word]
      )
      .map((word) => [word, sense as Sense])
  )
)

/** A word as it is remembered; the words of two columns are one. */
export const wordKey = (cells: readonly (RawCell | undefined)[]) => wordsIn(cells).toLowerCase()

/** `Возврат / Отклонено` */
export const wordsIn = (cells: readonly (RawCell | undefined)[]) =>
  cells.map(cellText).filter(Boolean).join(' / ')

/** Null for words that are not known. What a person has said counts more than the vocabulary. */
export function readKind(
  cells: readonly (RawCell | undefined)[],
  words: KnownWords = {},
  rowsShow: RowContent = 'operations'
): RegisterKind | null {
  const whole = wordKey(cells)
  if (Object.hasOwn(words, whole)) return KIND_OF[words[whole]]
  const filled = cells.filter((cell) => !isBlank(cell))
  const [one = null, other = 'happened'] = filled.map((cell) => kindOf(cell, words, rowsShow))
  const kind = together(one, other, rowsShow)
  return kind === 'happened' ? 'sale' : kind
}

type WordKind = RegisterKind | 'happened' | null

/** What two columns say, whichever of them is the operation. */
function together(one: WordKind, other: WordKind, rowsShow: RowContent): WordKind {
  if (one === null || other === null) return null
  if (one === 'happened' || one === other) return other
  if (other === 'happened') return one
  const kinds = [one, other]
  const isCharge = kinds.includes('sale')
  if (isCharge && kinds.includes('refund')) return rowsShow === 'states' ? 'refund' : null
  return isCharge || rowsShow === 'operations' ? 'declined' : null
}

function kindOf(cell: RawCell | undefined, words: KnownWords, rowsShow: RowContent): WordKind {
  const text = wordKey([cell])
  if (Object.hasOwn(words, text)) return KIND_OF[words[text]]
  const senses = sensesOf(text)
  const has = (...some: Sense[]) => some.some((sense) => senses.includes(sense))
  if (senses.includes(null)) return null
  if (has('not') && has('failed', 'cancelled', 'unfinished')) return null
  if (has('not', 'failed')) {
    if (has('refund') && has('charge')) return null
    // An order whose return was declined stays paid.
    return has('refund') && rowsShow === 'states' ? 'sale' : 'declined'
  }
  if (has('refund')) return has('cancelled', 'unfinished', 'no_sale') ? null : 'refund'
  if (has('partly')) return has('charge') || rowsShow === 'operations' ? null : 'refund'
  if (has('charge')) {
    if (has('no_sale')) return null
    return has('cancelled', 'unfinished') ? 'not_paid' : 'sale'
  }
  if (has('cancelled', 'unfinished', 'no_sale')) return 'not_paid'
  return has('happened') ? 'happened' : null
}

/** The sense of each word and number in a text; null for one that is not known. */
const sensesOf = (text: string): (Sense | null)[] =>
  (text.replaceAll('ё', 'е').match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => SENSES.get(word) ?? null)

/** Whether a text, such as the name of a sheet, speaks of refunds. */
export const namesRefunds = (text: string) => sensesOf(text.toLowerCase()).includes('refund')

/** A state in which only a part of the charge went back. */
export function isPartly(cells: readonly (RawCell | undefined)[], words: KnownWords = {}) {
  const whole = wordKey(cells)
  return Object.hasOwn(words, whole)
    ? words[whole] === 'partly_refunded'
    : sensesOf(whole).includes('partly')
}
