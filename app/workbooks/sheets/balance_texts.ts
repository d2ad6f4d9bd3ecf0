import { BalanceInWords } from '#workbooks/words/balance_in_words'
import {
  fromStored,
  type ExplainedBalance,
  type ExplainedPayment,
  type ExplainedPurchase,
  type ShownBySource,
} from '#defects/balance/explained'
import type { DataRow } from '#workbooks/sheets/sheet'
import type { Words } from '#workbooks/words/words'

/** What a line of the sheet of balances is made of, as its query returns it in JSON. */
interface LineParts {
  /** Of every line of a purchase. */
  purchase: (Omit<ExplainedPurchase<number>, 'payments'> & { hasPayments: boolean }) | null
  payment: ExplainedPayment<number> | null
  /** What one source shows of the payment. */
  shown: ShownBySource<number> | null
  /** Purchases or payments that are only summed. */
  further: number | null
  /** Of the line of a case; null for a case that was never explained. */
  balance: ExplainedBalance<number> | null
  orderIds: string[]
}

/** Adds the texts of a line in the workbook's language, which are those of the case page. */
export function withBalanceTexts(row: DataRow, words: Words): DataRow {
  const names = partOf<Record<string, string>>(row.sourceNames) ?? {}
  const inWords = new BalanceInWords(languageOf(words), names)
  const stored = row.balance as string | null
  const parts: LineParts = {
    purchase: partOf(row.purchase),
    payment: partOf(row.payment),
    shown: partOf(row.shown),
    further: row.further as number | null,
    balance: stored === null ? null : fromStored(JSON.parse(stored) as ExplainedBalance<string>),
    orderIds: partOf(row.orderIds) ?? [],
  }
  return {
    ...row,
    balanceLine: nameOf(row, parts, words, inWords),
    balanceNote: notesOf(row, parts, words, inWords).join('\n') || null,
  }
}

/** A part of a stored balance, whose sums are texts. */
const partOf = <Part>(json: DataRow[string]): Part | null =>
  typeof json === 'string'
    ? JSON.parse(json, (key, value) => (key.endsWith('Tenge') ? Number(value) : value))
    : null

const languageOf = ({ caseBalance, numberTag }: Words) => ({
  text: (key: keyof Words['caseBalance'], values: Record<string, string | number> = {}) =>
    fill(caseBalance[key], values),
  count: (value: number) => new Intl.NumberFormat(numberTag).format(value),
})

const fill = (text: string, values: Record<string, string | number>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

/** The payments of a purchase above are parts of its sums. */
function nameOf(row: DataRow, parts: LineParts, words: Words, inWords: BalanceInWords) {
  const name = ownNameOf(row, parts, words, inWords)
  return row.kind === 'PAYMENT' ? fill(words.partOfPurchase, { name }) : name
}

function ownNameOf(
  { kind }: DataRow,
  { purchase, shown, further }: LineParts,
  { caseBalance, wholePurchase }: Words,
  inWords: BalanceInWords
) {
  if (kind === 'CASE') return caseBalance.total
  if (further !== null) {
    const text = kind === 'PURCHASE' ? caseBalance.rest_purchases : caseBalance.rest_payments
    return fill(text, { count: further })
  }
  if (shown) return inWords.sourceName(shown.source)
  return purchase?.hasPayments ? wholePurchase : caseBalance.no_money
}

function notesOf(
  { kind, isEnded }: DataRow,
  { purchase, payment, shown, balance, orderIds }: LineParts,
  words: Words,
  inWords: BalanceInWords
): string[] {
  const { caseBalance } = words
  if (kind === 'CASE') {
    const sentences = balance ? inWords.calculation(balance) : [caseBalance.later]
    return isEnded === true ? [...sentences, words.endedCase] : sentences
  }
  const notes: string[] = []
  if (kind === 'PURCHASE' && purchase) {
    if (purchase.isUncertain) notes.push(caseBalance.uncertain)
    for (const order of purchase.orders) {
      const isOurs = orderIds.includes(order.id)
      if (isOurs && purchase.isUncertain) continue
      const text = isOurs ? inWords.tickets(order) : words.unknownOrder
      notes.push(purchase.orders.length > 1 ? `${order.id}: ${text}` : text)
    }
    const more = purchase.orderCount - purchase.orders.length
    if (more > 0) notes.push(fill(caseBalance.more_orders, { count: more }))
  }
  if (!payment || !shown) return notes
  if (kind !== 'SOURCE' && payment.paymentId === null) notes.push(caseBalance.no_payment)
  notes.push(...inWords.figures(payment, shown))
  const moreLines = shown.lineCount - shown.lines.length
  if (moreLines > 0) notes.push(fill(caseBalance.more_lines, { count: moreLines }))
  return notes
}
