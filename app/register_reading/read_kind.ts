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

type Sense =
  | 'charge'
  | 'refund'
  | 'returned'
  | 'reversal'
  | 'not_returned'
  | 'partly'
  | 'happened'
  | 'not'
  | 'failed'
  | 'cancelled'
  | 'unfinished'
  | 'no_sale'
  | 'other_money'
  | 'ahead'
  | 'ticket'
  | 'filler'

/** `оплачен~` stands for оплачен, оплачена, оплачено and оплачены; ё is written as е. */
const VOCABULARY: Record<Sense, string> = {
  charge: `продажа продажи продаж продан~ оплата оплаты оплат оплачен~ покупка покупки куплен~ платеж платежа платежей списание
    списан~ приход
    sale sold pay paid payment purchase purchased charge charged capture captured debit
    сату сатылды сатып алу төлем төлемі төлеу төленді төленген`,
  refund: `возврат возврата возврате возвраты возвратов рефанд чарджбэк чарджбек
    refund refunds return returns chargeback
    қайтару қайтаруды қайтарудан қайтарым`,
  returned: 'возвращен~ refunded returned қайтарылды қайтарылған',
  reversal: 'сторно сторнирование reversal reversed',
  not_returned: 'қайтарылмады',
  partly: `частично частичный частичная partial partially partly ішінара жартылай`,
  happened: `успех успешно успешен успешный успешная завершен~ проведен~ произведен~ исполнен~ выполнен~ подтвержден~ прошел прошла
    success successful successfully succeeded complete completed approved confirmed settled ok
    сәтті аяқталды орындалды расталды қабылданды өтті`,
  not: 'не not',
  failed: `отклонен~ отклонение отказ отказано отозван~ ошибка неуспешно неуспешный неуспешная неоплачен~
    declined refused rejected denied failed failure error unsuccessful unpaid withdrawn
    сәтсіз қате бас тарту тартылды тоқтатылды қабылданбады төленбеді өтпеді орындалмады`,
  cancelled: `отмена отмену отменен~ аннулирован~ аннулирование cancel cancelled canceled cancellation void voided жойылды`,
  unfinished: `ожидает ожидание ожидается обработка обработке обрабатывается запрос запрошен~ заявка
    pending processing awaiting requested request expired күтуде күтілуде өңделуде сұралды`,
  no_sale: 'создан~ новый черновик холд created new draft hold',
  other_money: 'комиссия комиссии удержание банка выплата выплаты commission fee payout bank',
  ahead: 'на to',
  ticket: 'билет билета билетов ticket tickets',
  filler: `в средств денег деньги заказ заказа операция транзакция
    a the of in order transaction тапсырыс ақша`,
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
  const [one = null, other = 'happened'] = filled.map((cell) => kindOfCell(cell, words, rowsShow))
  const kind = combineColumns(one, other, rowsShow)
  if (kind === 'happened') return 'sale'
  if (kind === 'reversal') return 'refund'
  // An order whose return was declined stays paid.
  if (kind === 'not_refunded') return rowsShow === 'states' ? 'sale' : 'declined'
  return kind
}

/** `reversal`: money went back, or came again when it takes a refund back. `not_refunded`: a refund that was not made. */
type CellKind = RegisterKind | 'happened' | 'reversal' | 'not_refunded' | null

/** What two columns say, whichever of them is the operation. */
function combineColumns(one: CellKind, other: CellKind, rowsShow: RowContent): CellKind {
  if (one === null || other === null) return null
  if (one === 'happened' || one === other) return other
  if (other === 'happened') return one
  const has = (kind: CellKind) => one === kind || other === kind
  if (has('reversal') && has('refund')) return null
  if (!has('sale')) return rowsShow === 'operations' ? 'declined' : null
  if (has('refund') || has('reversal')) return rowsShow === 'states' ? 'refund' : null
  if (has('not_refunded')) return rowsShow === 'states' ? 'sale' : null
  return has('declined') ? 'declined' : 'not_paid'
}

function kindOfCell(cell: RawCell | undefined, words: KnownWords, rowsShow: RowContent): CellKind {
  const text = wordKey([cell])
  if (Object.hasOwn(words, text)) return KIND_OF[words[text]]
  const senses = sensesOf(text)
  const has = anyOf(senses)
  if (senses.includes(null)) return null
  if (has(...DENIALS)) return kindOfDenial(text)
  // Money that is to go back has not gone.
  if (has('ahead')) return null
  if (has(...REFUNDS)) {
    if (has('cancelled', 'unfinished', 'no_sale', 'other_money')) return null
    if (has('reversal')) return has('refund', 'returned') ? null : 'reversal'
    return isReturnOfRefund(senses) ? null : 'refund'
  }
  if (has('charge') && has('no_sale', 'other_money')) return null
  if (has('other_money')) return 'declined'
  if (has('partly')) return has('charge') || rowsShow === 'operations' ? null : 'refund'
  if (has('charge')) return has('cancelled', 'unfinished') ? 'not_paid' : 'sale'
  // An expired ticket was paid.
  if (has('ticket') && has('unfinished', 'no_sale')) return null
  if (has('cancelled', 'unfinished', 'no_sale')) return 'not_paid'
  return has('happened') ? 'happened' : null
}

const DENIALS: readonly Sense[] = ['not', 'failed', 'not_returned']
const REFUNDS: readonly Sense[] = ['refund', 'returned', 'reversal']

/** What did not happen, in a text that says so. */
function kindOfDenial(text: string): CellKind {
  const senses = sensesOf(text)
  const has = anyOf(senses)
  if (has('cancelled') || (has('not') && has('failed', 'unfinished'))) return null
  if (!has(...REFUNDS, 'not_returned')) return 'declined'
  if (has('charge', 'other_money')) return null
  // The order was declined, and its money went back.
  if (has('failed') && has('returned', 'not_returned')) return null
  return isOneStatement(text) ? 'not_refunded' : null
}

/** «Возврат отклонён», but not «Отказ, возврат денег»: no comma or dash stands between the refund and its denial. */
const isOneStatement = (text: string) =>
  text.split(/[,;.–—-]/).some((statement) => {
    const has = anyOf(sensesOf(statement))
    return has('not_returned') || (has(...DENIALS) && has(...REFUNDS))
  })

/** "Refund returned" may be the refund that came back; «Возврат: деньги возвращены» is not. */
const isReturnOfRefund = (senses: readonly (Sense | null)[]) =>
  senses.some((sense, i) => sense === 'refund' && senses[i + 1] === 'returned')

/** The sense of each word and number in a text; null for one that is not known. */
const sensesOf = (text: string): (Sense | null)[] =>
  (text.replaceAll('ё', 'е').match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => SENSES.get(word) ?? null)

const anyOf =
  (senses: readonly (Sense | null)[]) =>
  (...wanted: readonly Sense[]) =>
    wanted.some((sense) => senses.includes(sense))

/** Whether a text, such as the name of a sheet, speaks of refunds alone. */
export function namesRefunds(text: string) {
  const has = anyOf(sensesOf(text.toLowerCase()))
  return has(...REFUNDS) && !has('charge')
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
