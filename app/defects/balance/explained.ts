import type { Balance } from '#defects/balance/balance'
import {
  soldOf,
  sumOf,
  validOf,
  type Component,
  type ComponentOrder,
  type ShownMoney,
} from '#defects/balance/component'
import type { ConstantIdBound } from '#defects/balance/constant_id_bounds'
import { printedId } from '#defects/facts/own_payment_ids'
import { Purchases } from '#defects/balance/purchases'
import { abs, sum } from '#shared/tenge'

/**
 * A balance as an accountant redoes it on paper: purchase by purchase and payment by payment what each source shows and what of it
 * counts, then both equations with their terms. The figures are the balance's own.
 *
 * Money is a bigint where it is computed, a text in the database and a number on pages.
 */
export interface ExplainedBalance<Money = bigint> {
  chargedTenge: Money
  returnedTenge: Money
  boughtTenge: Money
  /** (1) charged − returned − bought. */
  openTenge: Money
  notYetDueTenge: Money
  usedVoidTenge: Money
  /** (2) for each register source, and for all of them together. */
  acknowledged: ExplainedSource<Money>[]
  acknowledgedTenge: Money
  buyerTenge: Money
  platformTenge: Money
  partnerTenge: Money
  /** Those with the most open money first. */
  purchases: ExplainedPurchase<Money>[]
  /** Further purchases, as one sum. */
  rest: RestOfPurchases<Money> | null
  /** Payment ids of the case that name no single payment; balances of before have none. */
  constantIds?: ConstantIdBound<Money>[]
}

export interface ExplainedSource<Money = bigint> {
  source: string
  acknowledgedTenge: Money
  /** Acknowledged − bought. */
  differenceTenge: Money
}

/** Orders that one payment was to pay, ours or not. */
export interface ExplainedPurchase<Money = bigint> {
  /** Whether its rows may be of any one of the orders. */
  isUncertain: boolean
  orders: ExplainedOrder<Money>[]
  orderCount: number
  chargedTenge: Money
  returnedTenge: Money
  boughtTenge: Money
  voidTenge: Money
  /** What counts of it: charged − returned − bought. */
  openTenge: Money
  payments: ExplainedPayment<Money>[]
  /** Further payments of it, as one sum. */
  rest: RestOfPayments<Money> | null
}

export interface ExplainedOrder<Money = bigint> {
  id: string
  /** Nothing where it was never paid. */
  totalTenge: Money
  validTenge: Money
}

/** What sources show of one payment, or of no payment that they name. */
export interface ExplainedPayment<Money = bigint> {
  paymentId: string | null
  chargedTenge: Money
  returnedTenge: Money
  shown: ShownBySource<Money>[]
}

export interface ShownBySource<Money = bigint> {
  source: string
  chargedTenge: Money
  returnedTenge: Money
  /** Whether its charges are what counts, and its returns. */
  isChargeCounted: boolean
  isReturnCounted: boolean
  /** Whether its returns are dated before anything was charged; balances of before do not say it. */
  isTooEarly?: boolean
  /** The first lines of registers. */
  lines: { registerId: number; line: number }[]
  lineCount: number
}

export interface RestOfPurchases<Money = bigint> {
  purchases: number
  chargedTenge: Money
  returnedTenge: Money
  boughtTenge: Money
}

export interface RestOfPayments<Money = bigint> {
  payments: number
  chargedTenge: Money
  returnedTenge: Money
}

/** Payments that are listed; what is beyond them is summed. */
export const MOST_PAYMENTS = 50
const MOST_ORDERS = 20
const MOST_REGISTER_LINES = 20

/**
 * Example: order 1 of 12,000 confirmed with payment A; a shop shows A 12,000 (line 2) and B 12,000 (line 3) for it
 *     order 1: charged 24,000 − returned 0 − bought 12,000 = 12,000
 *       A: charged 12,000, as confirms and the shop show
 *       B: charged 12,000, as the shop shows
 *     (1) 24,000 − 0 − 12,000 = 12,000; (2) the shop acknowledges 12,000 − 12,000 = 0
 */
export function explainBalance(component: Component, balance: Balance): ExplainedBalance {
  const { chargedTenge, returnedTenge, boughtTenge, exposure } = balance
  const purchases = purchasesOf(component, balance).toSorted(
    (one, other) => Number(abs(other.openTenge)) - Number(abs(one.openTenge))
  )
  return {
    chargedTenge,
    returnedTenge,
    boughtTenge,
    openTenge: chargedTenge - returnedTenge - boughtTenge,
    notYetDueTenge: balance.notYetDueTenge,
    usedVoidTenge: balance.usedVoidTenge,
    acknowledged: balance.acknowledged.bySource.map(({ source, tenge }) => ({
      source,
      acknowledgedTenge: tenge,
      differenceTenge: tenge - boughtTenge,
    })),
    acknowledgedTenge: balance.acknowledged.tenge,
    buyerTenge: exposure.buyer,
    platformTenge: exposure.platform,
    partnerTenge: exposure.partner,
    ...withinBounds(purchases),
  }
}

function purchasesOf(component: Component, { counted, tooEarly }: Balance): ExplainedPurchase[] {
  const { orders, money } = component
  const purchases = new Purchases(component)
  const ordered = Map.groupBy(orders, ({ id }): string | null => purchases.ofOrder(id))
  const shown = Map.groupBy(money, (one) => purchases.purchaseOfRow(one))
  const keys = new Set([...ordered.keys(), ...shown.keys()])
  return [...keys].map((key) =>
    explainPurchase({
      isUncertain: key === null,
      orders: ordered.get(key) ?? [],
      money: shown.get(key) ?? [],
      counted,
      tooEarly,
    })
  )
}

interface PurchaseParts extends Pick<Balance, 'counted' | 'tooEarly'> {
  isUncertain: boolean
  orders: ComponentOrder[]
  money: ShownMoney[]
}

function explainPurchase({
  isUncertain,
  orders,
  money,
  ...which
}: PurchaseParts): ExplainedPurchase {
  const { counted } = which
  const charged = sumOf(countedOf('charge', money, counted))
  const returned = sumOf(countedOf('return', money, counted))
  const bought = validOf(orders)
  const named = orders.length > 0 ? orders.map(toExplained) : ordersNamedBy(money)
  const payments = Map.groupBy(money, ({ paymentId }) => paymentId)
  return {
    isUncertain,
    orders: named.slice(0, MOST_ORDERS),
    orderCount: named.length,
    chargedTenge: charged,
    returnedTenge: returned,
    boughtTenge: bought,
    voidTenge: soldOf(orders) - bought,
    openTenge: charged - returned - bought,
    payments: [...payments].map(([paymentId, own]) => explainPayment(paymentId, own, which)),
    rest: null,
  }
}

const toExplained = ({ id, soldTenge, validTenge }: ComponentOrder): ExplainedOrder => ({
  id,
  totalTenge: soldTenge,
  validTenge,
})

/** Orders that we do not have, or that rows may each be of: what they bought is in other purchases. */
const ordersNamedBy = (money: ShownMoney[]): ExplainedOrder[] =>
  [...new Set(money.flatMap(({ orderIds }) => orderIds))].map((id) => ({
    id: printedId(id),
    totalTenge: 0n,
    validTenge: 0n,
  }))

function explainPayment(
  paymentId: string | null,
  money: ShownMoney[],
  which: Pick<Balance, 'counted' | 'tooEarly'>
): ExplainedPayment {
  const { counted } = which
  return {
    paymentId: paymentId && printedId(paymentId),
    chargedTenge: sumOf(countedOf('charge', money, counted)),
    returnedTenge: sumOf(countedOf('return', money, counted)),
    shown: [...Map.groupBy(money, ({ source }) => source)].map(([source, own]) =>
      explainSource(source, own, which)
    ),
  }
}

function explainSource(
  source: string,
  money: ShownMoney[],
  { counted, tooEarly }: Pick<Balance, 'counted' | 'tooEarly'>
): ShownBySource {
  const lines = new Map(
    money.flatMap(({ registerId, line }) =>
      registerId === undefined || line === undefined
        ? []
        : [[`${registerId} ${line}`, { registerId, line }] as const]
    )
  )
  return {
    source,
    chargedTenge: sumOf(money.filter(({ kind }) => kind === 'charge')),
    returnedTenge: sumOf(money.filter(({ kind }) => kind === 'return')),
    isChargeCounted: countedOf('charge', money, counted).length > 0,
    isReturnCounted: countedOf('return', money, counted).length > 0,
    isTooEarly: money.some((one) => tooEarly.has(one)),
    lines: [...lines.values()].slice(0, MOST_REGISTER_LINES),
    lineCount: lines.size,
  }
}

const countedOf = (
  kind: ShownMoney['kind'],
  money: ShownMoney[],
  counted: ReadonlySet<ShownMoney>
) => money.filter((one) => one.kind === kind && counted.has(one))

/** A purchase without payments takes a line too. */
function withinBounds(
  purchases: ExplainedPurchase[]
): Pick<ExplainedBalance, 'purchases' | 'rest'> {
  const listed: ExplainedPurchase[] = []
  let left = MOST_PAYMENTS
  for (const purchase of purchases) {
    if (left === 0) break
    listed.push(withPayments(purchase, left))
    left -= Math.max(1, Math.min(left, purchase.payments.length))
  }
  const others = purchases.slice(listed.length)
  if (others.length === 0) return { purchases: listed, rest: null }
  const rest = {
    purchases: others.length,
    chargedTenge: sum(others.map(({ chargedTenge }) => chargedTenge)),
    returnedTenge: sum(others.map(({ returnedTenge }) => returnedTenge)),
    boughtTenge: sum(others.map(({ boughtTenge }) => boughtTenge)),
  }
  return { purchases: listed, rest }
}

function withPayments(purchase: ExplainedPurchase, most: number): ExplainedPurchase {
  const others = purchase.payments.slice(most)
  if (others.length === 0) return purchase
  const rest = {
    payments: others.length,
    chargedTenge: sum(others.map(({ chargedTenge }) => chargedTenge)),
    returnedTenge: sum(others.map(({ returnedTenge }) => returnedTenge)),
  }
  return { ...purchase, payments: purchase.payments.slice(0, most), rest }
}

/** With sums as numbers, for pages. The database has them as the texts that `toJson` writes. */
export const fromStored = (stored: ExplainedBalance<string>) => {
  const balance = toNumbers(stored)
  return { ...balance, acknowledgedTenge: balance.acknowledgedTenge ?? leastAcknowledged(balance) }
}

/** Balances of before had no sum over all sources: the source that acknowledged least counted. */
const leastAcknowledged = ({ acknowledged, boughtTenge }: ExplainedBalance<number>) =>
  Math.min(boughtTenge, ...acknowledged.map((one) => one.acknowledgedTenge))

const toNumbers = (stored: ExplainedBalance<string>): ExplainedBalance<number> =>
  JSON.parse(
    JSON.stringify(stored, (key, value) => (key.endsWith('Tenge') ? Number(value) : value))
  )
