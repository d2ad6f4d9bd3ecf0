import { cellText } from '#spreadsheets/cell_text'
import type { RawCell } from '#spreadsheets/read_table'

export type RegisterKind = 'sale' | 'refund' | 'not_paid' | 'declined'

/** A refund that is asked for, under way or not possible: «Возврат запрошен» (refund requested), "non-refundable". */
const UNCLEAR_REFUND =
  /^(?=.*(возвр|рефанд|refund|қайтар))(?=.*(ожид|обработке|процессе|рассмотр|запро[сш]|заявк|к возврату|без возврат|невозвратн|pending|request|processing|progress|await|non-?refund|күт|сұра|өңделуде))/u

/**
 * Beginnings of words; the first match decides, so what came of nothing stands first. A person is asked what is unclear.
 *
 * Example: «Возврат» (refund) is a refund; «Возврат отклонён» (refund declined), «Отмена возврата» (refund called off) and
 * «Не возвращён» (not refunded) are no money that moved; nobody knows that of «Возврат запрошен» (refund requested).
 */
const KINDS: readonly [RegisterKind | null, RegExp][] = [
  [
    'declined',
    /(?<!\p{L})(не ?(оплач|усп|пров|возвр|выполн|исполн|заверш)|отклон|отказ|ошибк|declin|refus|reject|denied|fail|error|unpaid|not (paid|refund|return)|қате|қайтарылма)/u,
  ],
  // A refund that was called off, as neighbours: «Отменён, возврат» (cancelled, refund) is a refund.
  [
    'declined',
    /(?<!\p{L})(возвр|рефанд|refund|қайтар)\p{L}*( (средств|денег|оплаты|платежа|билета))? (отмен[её]н(?!н)|аннулирован|отозван|cancelled|canceled|voided|withdrawn|тоқтат|бас тарт)/u,
  ],
  [
    'declined',
    /(?<!\p{L})(отмен[аеы]|отмен[её]н|аннулир|cancel|void)\p{L}*( of)?( a| the)? (возвр|рефанд|refund)/u,
  ],
  [null, UNCLEAR_REFUND],
  ['refund', /(?<!\p{L})(возвр|рефанд|сторн|refund|revers|return|chargeback|қайтар)/u],
  [
    'not_paid',
    /(?<!\p{L})(отмен|аннул|ожида|создан|черновик|холд|выплат|комисс|cancel|void|pending|new|hold|expired|payout|commission|бас тарт|күт)/u,
  ],
  [
    'sale',
    /(?<!\p{L})(прода|оплат|оплач|покуп|плат[её]ж|приход|успе[шх]|провед|подтвер|списан|исполн|sale|sold|pay|paid|purchase|captur|success|complet|approved|charge|debit|сат|төле)/u,
  ],
]

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

/** A word as it is remembered. */
export const wordKey = (cell: RawCell | undefined) => cellText(cell).toLowerCase()

/** Null for words that are not known. What a person has said counts more than the list. */
export function readKind(cell: RawCell | undefined, words: KnownWords = {}): RegisterKind | null {
  const text = wordKey(cell)
  if (Object.hasOwn(words, text)) return KIND_OF[words[text]]
  return KINDS.find(([, beginnings]) => beginnings.test(text))?.[0] ?? null
}

const PARTLY = /(?<!\p{L})(частич|partial|partly|ішінара|жартылай)/u
/** A return that did not happen. */
const RETURN_FAILED =
  /(?<!\p{L})((возвр|рефанд|refund|қайтар)\p{L}*( \p{L}+)? (отклон|отмен|отказ|не выполн|declin|reject|cancel|fail)|(не|not|отказ\p{L}* в|отмен\p{L}*) (возвр|refund|return)|қайтарылма)/u

/** A state in which only a part of the charge went back. */
export function isPartly(cell: RawCell | undefined, words: KnownWords = {}) {
  const text = wordKey(cell)
  return Object.hasOwn(words, text) ? words[text] === 'partly_refunded' : PARTLY.test(text)
}

/**
 * What the state of an order says of its charge. «Возврат отклонён» (return declined) is no money where rows are operations; an
 * order in that state stays paid.
 */
export function readState(cell: RawCell | undefined, words: KnownWords = {}): RegisterKind | null {
  const text = wordKey(cell)
  const kind = readKind(cell, words)
  if (Object.hasOwn(words, text)) return kind
  if (kind === null && PARTLY.test(text) && !UNCLEAR_REFUND.test(text)) return 'refund'
  return kind === 'declined' && RETURN_FAILED.test(text) ? 'sale' : kind
}
