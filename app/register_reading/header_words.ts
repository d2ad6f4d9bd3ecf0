import { plainText } from '#spreadsheets/cell_text'

/** The fields that a column of a register may hold. */
export const REGISTER_FIELDS = [
  'partnerOrderId',
  'orderId',
  'paymentId',
  'amount',
  'fee',
  'paidAt',
  'createdAt',
  'kind',
  'outcome',
  'email',
  'event',
  'ticketNumber',
  'returned',
  'currency',
] as const
export type RegisterField = (typeof REGISTER_FIELDS)[number]

/** `other`: columns that resemble one of our fields but are none, such as payouts, counts and prices of one ticket. */
type Known = RegisterField | 'other'

// prettier-ignore
const WORDS: Record<Known, readonly string[]> = {
  partnerOrderId: [
    'partner order id', 'partner order', 'order id', 'order number', 'order no', 'order', 'merchant order id', 'order ref',
    'номер заказа', 'no заказа', 'id заказа', 'заказ', 'код заказа', 'номер заказа партнера', 'id заказа партнера', 'заказ партнера',
    'номер брони', 'тапсырыс', 'тапсырыс нөмірі', 'тапсырыс коды', 'серіктес тапсырысы', 'внешний номер заказа',
  ],
  orderId: [
    'platform order id', 'platform order', 'номер заказа платформы', 'заказ платформы', 'id заказа платформы', 'tix order',
    'номер заказа поставщика', 'id заказа поставщика', 'supplier order id', 'supplier reference', 'платформа тапсырысы',
    'номер заказа организатора', 'external order id',
  ],
  paymentId: [
    'external payment id', 'payment id', 'payment no', 'payment number', 'payment', 'transaction id', 'transaction', 'transaction no', 'rrn', 'rrn code', 'arn', 'operation id',
    'id платежа', 'номер платежа', 'платеж', 'код платежа', 'id транзакции', 'номер транзакции', 'транзакция', 'no транзакции', 'ррн',
    'номер операции', 'id операции', 'референс', 'reference', 'төлем нөмірі', 'төлем id', 'төлем коды', 'транзакция нөмірі', 'payment reference',
  ],
  amount: [
    'amount', 'total', 'sum', 'order amount', 'payment amount', 'paid amount', 'total amount', 'amount kzt', 'gross', 'gross amount',
    'сумма', 'сумма заказа', 'сумма платежа', 'сумма оплаты', 'сумма операции', 'сумма транзакции', 'стоимость', 'оплачено', 'итого', 'сумма билетов', 'стоимость заказа', 'сумма продажи', 'стоимость билета', 'цена билета',
    'сома', 'сомасы', 'төлем сомасы', 'тапсырыс сомасы', 'құны', 'барлығы',
  ],
  fee: [
    'fee', 'service fee', 'commission', 'partner fee', 'сбор', 'сервисный сбор', 'комиссия', 'сумма комиссии', 'комиссия партнера', 'сумма сбора',
    'комиссия сумма', 'наценка', 'алым', 'комиссия сомасы', 'қызмет ақысы', 'fee amount', 'commission amount',
  ],
  paidAt: [
    'paid at', 'paid', 'payment date', 'payment time', 'payment datetime', 'transaction date', 'transaction time', 'date', 'datetime', 'date time', 'timestamp', 'operation date', 'processed at',
    'дата', 'дата оплаты', 'дата платежа', 'время оплаты', 'дата и время', 'дата и время оплаты', 'дата операции', 'дата и время операции', 'дата транзакции', 'дата продажи', 'оплачен', 'время',
    'күні', 'төлем күні', 'төленген күні', 'күні мен уақыты', 'операция күні', 'уақыты',
  ],
  createdAt: [
    'created at', 'created', 'order date', 'creation date', 'дата создания', 'дата заказа', 'создан', 'дата и время создания', 'дата и время заказа', 'дата оформления',
    'құрылған күні', 'тапсырыс күні',
  ],
  kind: [
    'type', 'kind', 'operation', 'operation type', 'transaction type',
    'тип', 'вид', 'тип операции', 'вид операции', 'операция', 'тип транзакции',
    'түрі', 'операция түрі',
  ],
  outcome: [
    'status', 'payment status', 'order status', 'transaction status', 'operation status', 'state', 'result',
    'статус', 'статус платежа', 'статус заказа', 'статус операции', 'статус транзакции', 'состояние', 'результат', 'результат операции',
    'күйі', 'мәртебесі', 'төлем мәртебесі', 'тапсырыс мәртебесі', 'операция мәртебесі', 'нәтижесі',
  ],
  email: ['email', 'e mail', 'mail', 'buyer email', 'customer email', 'почта', 'эл почта', 'электронная почта', 'эл адрес', 'email покупателя', 'пошта', 'электрондық пошта'],
  event: [
    'event', 'event id', 'event name', 'event title', 'show', 'мероприятие', 'событие', 'название мероприятия', 'id мероприятия', 'наименование мероприятия', 'концерт', 'спектакль',
    'іс шара', 'оқиға', 'іс шара атауы', 'шара',
  ],
  ticketNumber: ['ticket', 'ticket number', 'ticket no', 'ticket id', 'билет', 'номер билета', 'no билета', 'id билета', 'билет нөмірі'],
  returned: ['refunded', 'refunded amount', 'refund amount', 'amount refunded', 'returned', 'returned amount', 'возвращено', 'сумма возврата', 'возвращенная сумма', 'қайтарылған сома', 'қайтарылды'],
  currency: ['currency', 'валюта', 'currency code', 'код валюты'],
  other: [
    'no', 'no п п', 'п п', 'net', 'net amount', 'payout', 'payout amount', 'к перечислению', 'сумма к перечислению', 'к выплате', 'сумма к выплате', 'сумма за вычетом комиссии', 'сумма без комиссии',
    'количество', 'количество билетов', 'кол во', 'кол во билетов', 'tickets', 'quantity', 'qty', 'билеттер саны', 'саны', 'аударылатын сома', 'event date', 'дата мероприятия', 'дата события', 'іс шара күні', 'дата сеанса',
    'комиссия %', 'процент комиссии', '% комиссии', 'телефон', 'phone', 'карта', 'card', 'банк', 'код авторизации', 'auth code',
    'ticket price', 'способ оплаты', 'payment method', 'вид оплаты', 'төлем тәсілі', 'дата выплаты', 'дата возврата', 'refund date', 'payout date', 'договор', 'мерчант', 'terminal', 'терминал',
  ],
}

/** `№ заказа (партнёра), тг` → `no заказа партнера`. */
export function normaliseHeader(text: string): string {
  return plainText(text.replaceAll('№', 'no '))
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll(/(?<!\p{L})(тг|тенге|теңге|kzt|utc ?\+? ?\d*|алматы|астана)(?!\p{L})/gu, ' ')
    .replaceAll(/[^\p{L}\p{N}%]+/gu, ' ')
    .trim()
}

const PHRASES = Object.entries(WORDS).flatMap(([field, phrases]) =>
  phrases.map((phrase) => ({ field: field as Known, phrase: normaliseHeader(phrase) }))
)
const EXACT = new Map(PHRASES.map(({ field, phrase }) => [phrase, field]))

export interface HeaderMeaning {
  field: Known
  phrase: string
  isExact: boolean
}

/** The field that a header means, by the longest known phrase in it; null for unknown words. */
export function meaningOfHeader(text: string): HeaderMeaning | null {
  // `order_id` and `orderId` are two words like `Order ID`.
  const words = normaliseHeader(text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
  const exact = EXACT.get(words)
  if (exact) return { field: exact, phrase: words, isExact: true }
  const within = PHRASES.filter(({ phrase }) => ` ${words} `.includes(` ${phrase} `))
  if (within.length === 0) return null
  const longest = within.reduce((best, next) =>
    next.phrase.length > best.phrase.length ? next : best
  )
  return { ...longest, isExact: false }
}
