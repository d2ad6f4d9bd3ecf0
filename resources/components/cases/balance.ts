import { CONFIRMS } from '#defects/balance/component'
import type { ConstantIdBound } from '#defects/balance/constant_id_bounds'
import type { CaseBalance, TrailEntry } from '#finance/cases/cases_props'
import type {
  ExplainedOrder,
  ExplainedPayment,
  ExplainedPurchase,
  ShownBySource,
} from '#defects/balance/explained'
import { number, t, tenge } from '~/texts/texts'

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

export const sourceName = (source: string, { sourceNames }: CaseBalance) =>
  source === CONFIRMS
    ? t('case_balance.confirms')
    : (sourceNames[source] ?? t('case_balance.unknown_source', { id: source }))

/** What a source shows of a payment, and why it counts or does not. */
export function figuresOf(
  { shown }: ExplainedPayment<number>,
  own: ShownBySource<number>,
  balance: CaseBalance
): string[] {
  const figures: string[] = []
  if (own.chargedTenge > 0) {
    const counted = shown.find(({ isChargeCounted }) => isChargeCounted)
    const isSame = counted?.chargedTenge === own.chargedTenge
    const why = own.isChargeCounted
      ? t('case_balance.counts')
      : counted
        ? whyOther(counted.source, isSame, balance)
        : t('case_balance.counted_elsewhere')
    const money = t('case_balance.shows_charge', { money: tenge(own.chargedTenge) })
    figures.push(`${money}: ${why}`)
  }
  if (own.returnedTenge > 0) {
    const counted = shown.find(({ isReturnCounted }) => isReturnCounted)
    const isSame = counted?.returnedTenge === own.returnedTenge
    const why = own.isReturnCounted
      ? t('case_balance.counts')
      : counted
        ? whyOther(counted.source, isSame, balance)
        : whyReturnIsLeftOut(own)
    const money = t('case_balance.shows_return', { money: tenge(own.returnedTenge) })
    figures.push(`${money}: ${why}`)
  }
  return figures
}

/** Balances of before do not say which it is. */
function whyReturnIsLeftOut({ isTooEarly }: ShownBySource<number>) {
  if (isTooEarly === undefined) return t('case_balance.return_not_counted')
  return t(isTooEarly ? 'case_balance.return_too_early' : 'case_balance.counted_elsewhere')
}

const whyOther = (counted: string, isSame: boolean, balance: CaseBalance) =>
  t(isSame ? 'case_balance.same' : 'case_balance.larger_counts', {
    source: sourceName(counted, balance),
  })

/** What became of the tickets of an order. */
export function ticketsOf({ totalTenge, validTenge }: ExplainedOrder<number>): string {
  if (totalTenge === 0) return t('case_balance.order_unpaid')
  if (validTenge === totalTenge) return t('case_balance.order_valid', { total: tenge(totalTenge) })
  return t('case_balance.order_sold', {
    total: tenge(totalTenge),
    valid: tenge(validTenge),
    voided: tenge(totalTenge - validTenge),
  })
}

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

/** With the sign of arithmetic: Intl writes a hyphen. */
export const signed = (value: number) => tenge(value).replace('-', '−')

/** Both equations in words, and what follows from them for each party. */
export function calculationOf(balance: CaseBalance): string[] {
  const { openTenge, buyerTenge, notYetDueTenge, usedVoidTenge } = balance
  const lacking = balance.acknowledgedTenge - balance.boughtTenge
  // Without tickets there is nothing to acknowledge.
  const acknowledged = balance.boughtTenge > 0 || lacking < 0 ? balance.acknowledged : []
  const end = openTenge > 0 ? 'buyer' : openTenge < 0 ? 'ours' : 'even'
  const bought = tenge(balance.boughtTenge)
  const sentences = [
    t(`case_balance.equation_${end}`, {
      charged: tenge(balance.chargedTenge),
      returned: tenge(balance.returnedTenge),
      bought,
      open: signed(openTenge),
    }),
  ]
  if (openTenge > 0 && notYetDueTenge > 0) {
    const money = tenge(Math.min(openTenge, notYetDueTenge))
    sentences.push(t('case_balance.not_yet_due', { money, left: tenge(buyerTenge) }))
  }
  const unpaidTenge = Math.max(0, balance.boughtTenge - balance.chargedTenge)
  const overReturnedTenge = Math.max(0, -openTenge - unpaidTenge)
  if (unpaidTenge > 0) sentences.push(t('case_balance.unpaid', { money: tenge(unpaidTenge) }))
  if (overReturnedTenge > 0)
    sentences.push(t('case_balance.over_returned', { money: tenge(overReturnedTenge) }))
  const isOne = acknowledged.length === 1
  const verdict = lacking < 0 ? 'ours' : 'even'
  for (const { source, acknowledgedTenge } of acknowledged) {
    sentences.push(
      t(`case_balance.source_${isOne ? verdict : 'alone'}`, {
        source: sourceName(source, balance),
        acknowledged: signed(acknowledgedTenge),
        bought,
        difference: signed(lacking),
      })
    )
  }
  if (acknowledged.length > 1)
    sentences.push(
      t(`case_balance.together_${verdict}`, {
        acknowledged: signed(balance.acknowledgedTenge),
        bought,
        difference: signed(lacking),
      })
    )
  const ours = unpaidTenge + overReturnedTenge + Math.max(0, -lacking) + usedVoidTenge
  if (ours > balance.platformTenge) sentences.push(t('case_balance.larger'))
  if (usedVoidTenge > 0)
    sentences.push(t('case_balance.used_void', { money: tenge(usedVoidTenge) }))
  sentences.push(...boundsOf(balance).map(boundInWords))
  return [...sentences, resultOf(balance)]
}

/** Bounds of what may be missing by payment ids that name no single payment. */
export const boundsOf = (balance: Pick<CaseBalance, 'constantIds'> | null) =>
  (balance?.constantIds ?? []).filter(({ upToTenge }) => upToTenge > 0)

const boundInWords = (bound: ConstantIdBound<number>) =>
  t('case_balance.up_to', {
    id: bound.paymentId,
    orders: number(bound.orders),
    bought: tenge(bound.boughtTenge),
    largest: tenge(bound.largestTenge),
    money: tenge(bound.upToTenge),
  })

function resultOf({ buyerTenge, platformTenge, partnerTenge }: CaseBalance): string {
  const parties = [
    ['BUYER', buyerTenge],
    ['PLATFORM', platformTenge],
    ['PARTNER', partnerTenge],
  ] as const
  const parts = parties
    .filter(([, money]) => money > 0)
    .map(([party, money]) => t(`case_balance.to_${party}`, { money: tenge(money) }))
  if (parts.length === 0) return t('case_balance.result_NONE')
  return t('case_balance.result', { parts: parts.join(', ') })
}
