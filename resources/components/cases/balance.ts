import { BalanceInWords } from '#workbooks/words/balance_in_words'
import { CONFIRMS } from '#defects/balance/component'
import type { CaseBalance, TrailEntry } from '#finance/cases/cases_props'
import type { ExplainedPayment, ExplainedPurchase } from '#defects/balance/explained'
import { number, t } from '~/texts/texts'

/** A row of the table: a purchase, one of its payments, or what is only summed. */
export interface BalanceRow {
  key: string
  purchase?: ExplainedPurchase<number>
  payment?: ExplainedPayment<number>
  /** One of several payments of the purchase above. */
  isPart: boolean
  name: string
  chargedTenge: number
  returnedTenge: number
  boughtTenge: number | null
  openTenge: number | null
}

/** A purchase with one payment is one row. */
export function rowsOf(balance: CaseBalance): BalanceRow[] {
  const rows = balance.purchases.flatMap(rowsOfPurchase)
  const { rest } = balance
  if (rest) {
    rows.push({
      key: 'rest',
      isPart: false,
      name: t('case_balance.rest_purchases', { count: rest.purchases }),
      chargedTenge: rest.chargedTenge,
      returnedTenge: rest.returnedTenge,
      boughtTenge: rest.boughtTenge,
      openTenge: rest.chargedTenge - rest.returnedTenge - rest.boughtTenge,
    })
  }
  if (balance.purchases.length > 1) {
    rows.push({
      key: 'total',
      isPart: false,
      name: t('case_balance.total'),
      chargedTenge: balance.chargedTenge,
      returnedTenge: balance.returnedTenge,
      boughtTenge: balance.boughtTenge,
      openTenge: balance.openTenge,
    })
  }
  return rows
}

function rowsOfPurchase(purchase: ExplainedPurchase<number>, index: number): BalanceRow[] {
  const { payments, rest, chargedTenge, returnedTenge, boughtTenge, openTenge } = purchase
  const isSingle = payments.length === 1 && !rest
  const rows: BalanceRow[] = [
    {
      key: `${index}`,
      purchase,
      payment: isSingle ? payments[0] : undefined,
      isPart: false,
      name: purchase.orders.map(({ id }) => id).join(', ') || nameOf(payments[0]),
      chargedTenge,
      returnedTenge,
      boughtTenge: purchase.isUncertain ? null : boughtTenge,
      openTenge,
    },
  ]
  if (isSingle) return rows
  for (const [at, payment] of payments.entries()) {
    rows.push({
      key: `${index}-${at}`,
      purchase,
      payment,
      isPart: true,
      name: nameOf(payment),
      chargedTenge: payment.chargedTenge,
      returnedTenge: payment.returnedTenge,
      boughtTenge: null,
      openTenge: null,
    })
  }
  if (rest) {
    rows.push({
      key: `${index}-rest`,
      isPart: true,
      name: t('case_balance.rest_payments', { count: rest.payments }),
      chargedTenge: rest.chargedTenge,
      returnedTenge: rest.returnedTenge,
      boughtTenge: null,
      openTenge: null,
    })
  }
  return rows
}

export const nameOf = (payment?: ExplainedPayment<number>) =>
  payment ? (payment.paymentId ?? t('case_balance.no_payment')) : t('case_balance.no_money')

/** The balance in the page's language. */
export const inWords = ({ sourceNames }: CaseBalance) =>
  new BalanceInWords(
    { text: (key, values) => t(`case_balance.${key}`, values), count: number },
    sourceNames
  )

/** Confirms of a payment; of rows without one, the confirms of its orders that name none of its other payments. */
export function requestsOf(
  payment: ExplainedPayment<number>,
  purchase: ExplainedPurchase<number>,
  trail: TrailEntry[]
): TrailEntry[] {
  if (!payment.shown.some(({ source }) => source === CONFIRMS)) return []
  const orders = new Set(purchase.orders.map(({ id }) => id))
  const named = new Set(purchase.payments.flatMap(({ paymentId }) => paymentId ?? []))
  return trail.filter(({ kind, orderId, paymentId }) => {
    if (kind !== 'confirm') return false
    if (payment.paymentId !== null) return paymentId === payment.paymentId
    return orders.has(orderId) && !named.has(paymentId ?? '')
  })
}
