import { cellText, type RawCell } from '#reconciliation/reading/raw_row'

export type RegisterKind = 'sale' | 'refund' | 'not_paid' | 'declined'

/** Beginnings of words; the first match decides: "возврат отклонён" (refund declined) is no refund. */
const KINDS: readonly [RegisterKind, RegExp][] = [
  [
    'declined',
    /(?<!\p{L})(не ?(оплач|усп|пров)|отклон|отказ|ошибк|declin|refus|reject|denied|fail|error|unpaid|қате)/u,
  ],
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

/** Null for words that are not known. */
export function readKind(cell: RawCell | undefined): RegisterKind | null {
  const text = cellText(cell).toLowerCase()
  return KINDS.find(([, words]) => words.test(text))?.[0] ?? null
}
