import {
  refusedPayments,
  type Component,
  type ComponentOrder,
  type ShownMoney,
} from '#defects/balance/component'
import { confirmedCharges, payingId } from '#defects/balance/confirmed_charges'
import {
  mayStillBePaid,
  type CaseFacts,
  type OrderFacts,
  type VoidFacts,
} from '#defects/facts/facts'
import type { MissingOrder, RegisterDays, ShownRow } from '#defects/facts/register_facts'
import { DAY_MS } from '#shared/days'
import { sum } from '#shared/tenge'

/** The plain records that a case's balance is drawn from. */
export function componentOf(facts: CaseFacts): Component {
  const pending = new Set(facts.orders.filter(mayStillBePaid).map(({ id }) => id))
  const confirmed = confirmedCharges(facts)
  const known = new Set(confirmed.map(({ paymentId }) => paymentId))
  // What a pending order may still be paid with, unless another confirm has shown that payment.
  const isOfPending = ({ orderIds, paymentId }: ShownMoney) =>
    orderIds.every((id) => pending.has(id)) && !(paymentId !== null && known.has(paymentId))
  const shown: ShownMoney[] = facts.registerRows.filter(
    (row) => !isOfPending(row) && !(row.kind === 'return' && isInFuture(row.at, facts.asOf))
  )
  return {
    orders: facts.orders.map((order) => componentOrder(order, facts)),
    money: [...confirmed, ...shown],
    missingOrders: missingOrdersWithRefused(facts).filter(({ orderId }) => !pending.has(orderId)),
    sourcesSharingIds: facts.sourcesSharingIds,
  }
}

/**
 * Orders that registers of their days lack. A register that shows an order with refused payments alone still lacks its sale, although
 * its rows are joined with the order.
 *
 * Example: order 1 was paid with A, after B was refused for it; the register of its day has B alone
 *     order 1
 */
export function missingOrdersWithRefused(facts: CaseFacts): MissingOrder[] {
  const { orders, registerRows, registerDays, missingOrders } = facts
  const paid = new Set(chargesWithoutRefused(facts))
  const refused = registerRows.filter((row) => row.kind === 'charge' && !paid.has(row))
  if (refused.length === 0) return missingOrders
  const shownAsRefused = orders.flatMap(({ id, confirmedAt }) => {
    const isOwn = ({ orderIds }: ShownRow) => orderIds.includes(id)
    const refusing = new Set(refused.filter(isOwn).map(({ source }) => source))
    const showing = new Set([...paid].filter(isOwn).map(({ source }) => source))
    const lacksSale = (one: RegisterDays) =>
      one.coversSales &&
      isWithin(confirmedAt, one) &&
      refusing.has(one.source) &&
      !showing.has(one.source)
    return registerDays
      .filter(lacksSale)
      .map(({ source, registerId }) => ({ source, registerId, orderId: id }))
  })
  return [...missingOrders, ...shownAsRefused]
}

/** Charges that registers show, without those of refused payments. */
export function chargesWithoutRefused(facts: CaseFacts): ShownRow[] {
  const charges = facts.registerRows.filter(({ kind }) => kind === 'charge')
  // Most stories have no register rows.
  if (charges.length === 0) return []
  const orders = facts.orders.map((order) => ({ paymentId: payingId(order, facts) }))
  const refused = refusedPayments(orders, confirmedCharges(facts))
  return charges.filter(({ paymentId }) => !refused.has(paymentId))
}

const isWithin = (at: number | null, { from, to }: RegisterDays) =>
  at !== null && from <= at && at < to

const isInFuture = (at: number | null, asOf: number) => at !== null && at > asOf + DAY_MS

function componentOrder(order: OrderFacts, facts: CaseFacts): ComponentOrder {
  const { id, totalTenge, voids, confirmedAt } = order
  return {
    id,
    paymentId: payingId(order, facts),
    soldTenge: confirmedAt === null ? 0n : totalTenge,
    validTenge: validTengeOf(order),
    notYetDueTenge: pricesOf(voids.filter((one) => !wasUsed(one) && !isDue(one, order, facts))),
    usedVoidTenge: pricesOf(voids.filter(wasUsed)),
  }
}

/** A guest was admitted with it: after the void at a gate without network, or before a refund. */
const wasUsed = ({ usedAt, voidedAt, cause }: VoidFacts) =>
  usedAt !== null && (cause === 'refund' || usedAt > voidedAt)

/**
 * Whether its price must have gone back by now. Of a cancelled event it is due some days later, by the terms. A refund is
 * believed until a register of its day should show it.
 */
export function isDue({ cause, voidedAt }: VoidFacts, order: OrderFacts, facts: CaseFacts) {
  const { partner, asOf, registerDays } = facts
  if (cause !== 'refund') return asOf - voidedAt > partner.refundEvidenceDays * DAY_MS
  const days = registerDays.filter(
    ({ from, to, coversRefunds }) => coversRefunds && from <= voidedAt && voidedAt < to
  )
  return days.length > 0 && days.some(canShowRefundOf(order, facts))
}

/**
 * Cards and wallets may have a register each: the refund of a purchase stands where its payment stands, or in a register of
 * refunds alone. As long as no register shows the charge, it may stand in any.
 *
 * Example, of sources that cover the day of the void: cards and wallets with sales and refunds, a shop with sales, a bank with refunds
 *     cards show the charge    cards
 *     the shop shows it        the bank
 *     none shows it            cards, wallets or the bank
 */
function canShowRefundOf(order: OrderFacts, facts: CaseFacts) {
  const own = rowsOf(order, facts)
  const sources = new Set(own.map(({ source }) => source))
  const isCharged = own.some(({ kind }) => kind === 'charge')
  const coverRefunds = facts.registerDays.some(
    ({ source, coversRefunds }) => coversRefunds && sources.has(source)
  )
  return ({ source, coversSales }: RegisterDays) => {
    if (coverRefunds) return sources.has(source)
    return !isCharged || !coversSales
  }
}

/**
 * Rows of an order. Where a register shows the payment that paid it, another payment of a source whose ids are known to be those of
 * confirms is a second charge.
 */
function rowsOf(order: OrderFacts, facts: CaseFacts): ShownRow[] {
  const { registerRows, sourcesSharingIds } = facts
  const paying = payingId(order, facts)
  const isPaying = ({ paymentId }: ShownRow) => paying !== null && paymentId === paying
  const isShown = registerRows.some((row) => row.kind === 'charge' && isPaying(row))
  const isOfSecond = (row: ShownRow) =>
    isShown && !isPaying(row) && sourcesSharingIds.has(row.source)
  const payments = new Set([order.payment, ...order.attempts].map((one) => one?.paymentId ?? null))
  payments.delete(null)
  return registerRows.filter(
    (row) => !isOfSecond(row) && (row.orderIds.includes(order.id) || payments.has(row.paymentId))
  )
}

/** Prices of its valid tickets; nothing where it was never paid. */
export const validTengeOf = ({ confirmedAt, totalTenge, voids }: OrderFacts) =>
  confirmedAt === null ? 0n : totalTenge - pricesOf(voids)

export const pricesOf = (tickets: Pick<VoidFacts, 'priceTenge'>[]) =>
  sum(tickets.map(({ priceTenge }) => priceTenge))
