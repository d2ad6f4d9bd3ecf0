import type { Balance } from '#defects/balance/balance'
import { sumOf, type ShownMoney } from '#defects/balance/component'
import {
  chargesWithoutRefused,
  isDue,
  missingOrdersWithRefused,
  pricesOf,
  validTengeOf,
} from '#defects/balance/component_of'
import { largestSource } from '#defects/balance/dedupe_sources'
import { distinct, earliest, type CaseFacts, type OrderFacts } from '#defects/facts/facts'
import { allCreditedAttempts } from '#defects/facts/credited_attempts'
import type { ShownRow } from '#defects/facts/register_facts'
import { atRisk, finding, type Finding } from '#defects/rules/finding'
import { openMoneyOf, groupOf } from '#defects/rules/open_money'
import { nameRegister } from '#defects/rules/register_evidence'
import { hintOfTiyn } from '#defects/rules/strange_sums'
import type { Thresholds } from '#defects/rules/thresholds'
import { atLeastZero, max, min, sum } from '#shared/tenge'

/**
 * What registers show that differs from our orders. A difference counts as far as the balance leaves something open
 * (`share_exposure.ts`).
 */

/** MISSING_AT_PARTNER: a register of its days does not have an order whose tickets are valid. */
export function missingAtPartner(facts: CaseFacts): Finding[] {
  const missing = Map.groupBy(missingInAllSources(facts), ({ orderId }) => orderId)
  return facts.orders.flatMap((order) => {
    const tenge = validTengeOf(order)
    const own = missing.get(order.id) ?? []
    if (own.length === 0 || tenge === 0n) return []
    return finding({
      code: 'MISSING_AT_PARTNER',
      severity: 'HIGH',
      orderId: order.id,
      fault: 'UNKNOWN',
      ...atRisk(tenge, 'PLATFORM'),
      evidence: distinct(own.map(({ registerId }) => nameRegister(registerId))),
    })
  })
}

/** An order that any source shows is missing in none: a partner's cards and wallets may have a register each. */
function missingInAllSources(facts: CaseFacts) {
  const shown = new Set(chargesWithoutRefused(facts).flatMap(({ orderIds }) => orderIds))
  return missingOrdersWithRefused(facts).filter(({ orderId }) => !shown.has(orderId))
}

/** REFUND_WITHOUT_VOID, or REFUND_SUM_MISMATCH where a part is void or nothing was bought: more went back than had to. */
export function returnedWithoutVoid(
  { orders, registerRows }: CaseFacts,
  _: Thresholds,
  balance: Balance
): Finding[] {
  return orders.flatMap((order) => {
    const returns = registerRows.filter((row) => isReturnOf(row, order.id))
    const group = groupOf(order.id, balance)!
    const beyond = group.returnedTenge + group.boughtTenge - group.chargedTenge
    const tenge = max(beyond, mostOf(returns) - pricesOf(order.voids))
    if (returns.length === 0 || tenge <= 0n) return []
    const isWhole = order.voids.length === 0 && order.confirmedAt !== null
    return finding({
      code: isWhole ? 'REFUND_WITHOUT_VOID' : 'REFUND_SUM_MISMATCH',
      severity: isWhole ? 'HIGH' : 'MEDIUM',
      orderId: order.id,
      paymentId: returns[0].paymentId,
      ...atRisk(isWhole ? min(tenge, order.totalTenge) : tenge, 'PLATFORM'),
      evidence: linesOf(returns),
    })
  })
}

/** REGISTER_AMOUNT_DIFFERS: the partner shows less for an order than its valid tickets cost. */
export function chargedLess({ orders, registerRows }: CaseFacts): Finding[] {
  return orders.flatMap((order) => {
    const charges = registerRows.filter((row) => isChargeOf(row, order.id))
    const sources = Map.groupBy(charges, ({ source }) => source)
    const least = [...sources.values()].map(sumOf).reduce(min, order.totalTenge)
    const tenge = validTengeOf(order) - least
    if (charges.length === 0 || tenge <= 0n) return []
    return finding({
      code: 'REGISTER_AMOUNT_DIFFERS',
      severity: 'HIGH',
      orderId: order.id,
      paymentId: charges[0].paymentId,
      ...atRisk(tenge, 'PLATFORM'),
      evidence: linesOf(charges),
    })
  })
}

/** VOID_WITHOUT_REFUND, or REFUND_SUM_MISMATCH where a part went back: the price of void tickets was not returned. */
export function voidWithoutRefund(facts: CaseFacts, _: Thresholds, balance: Balance): Finding[] {
  return balance.groups.flatMap(({ orderIds, returnedTenge }) => {
    const orders = facts.orders.filter(({ id }) => orderIds.includes(id))
    let left = returnedTenge
    return orders.toSorted(byFirstVoid).flatMap((order) => {
      const back = min(left, pricesOf(order.voids))
      left -= back
      const voids = order.voids.filter(
        (one) => one.cause !== 'event_cancelled' && isDue(one, order, facts)
      )
      const tenge = min(atLeastZero(pricesOf(voids) - back), openMoneyOf(order.id, balance))
      if (tenge === 0n) return []
      const returns = facts.registerRows.filter((row) => isReturnOf(row, order.id))
      return finding({
        code: back > 0n ? 'REFUND_SUM_MISMATCH' : 'VOID_WITHOUT_REFUND',
        severity: 'MEDIUM',
        orderId: order.id,
        paymentId: order.payment?.paymentId ?? null,
        ...atRisk(tenge, 'BUYER'),
        evidence: [...voids.map(({ ticketId }) => ticketId), ...linesOf(returns)],
      })
    })
  })
}

/** What went back is of what was void first. */
const byFirstVoid = (one: OrderFacts, other: OrderFacts) =>
  earliest(one.voids.map(({ voidedAt }) => voidedAt)) -
    earliest(other.voids.map(({ voidedAt }) => voidedAt)) || 0

/**
 * MISSING_AT_PLATFORM: a charge of a buyer that no confirm shows, SECOND_CHARGE of a paid order. REGISTER_AMOUNT_DIFFERS: a payment that
 * we know took more than was confirmed.
 */
export function chargesBeyondOrders(facts: CaseFacts, _: Thresholds, balance: Balance): Finding[] {
  const confirmed = new Set(allCreditedAttempts(facts).map(({ paymentId }) => paymentId))
  const charges = facts.registerRows.filter(({ kind }) => kind === 'charge')
  const charged = [...balance.counted].filter(({ kind }) => kind === 'charge')
  return balance.groups.flatMap(({ orderIds }) => {
    const own = charges.filter((row) => isOf(row, orderIds))
    const orders = facts.orders.filter(({ id }) => orderIds.includes(id))
    const isPaid = orders.some(({ confirmedAt }) => confirmedAt !== null)
    const strange = own.filter(({ paymentId }) => paymentId === null || !confirmed.has(paymentId))
    const named = new Set(own.map(({ paymentId }) => paymentId))
    // Of confirms only those of payments that registers show, too.
    const isShown = ({ paymentId, registerId }: ShownMoney) =>
      paymentId === null ? registerId !== undefined : named.has(paymentId)
    const counted = charged.filter((one) => isOf(one, orderIds) && isShown(one))
    const isAmount = isPaid && (strange.length === 0 || countPayments(counted) <= 1)
    const [code, rows] = isAmount
      ? (['REGISTER_AMOUNT_DIFFERS', own] as const)
      : (['MISSING_AT_PLATFORM', strange] as const)
    const countedTenge = sumOf(rows.filter((row) => balance.counted.has(row)))
    const tenge = min(openMoneyOf(orderIds[0], balance), max(mostOf(rows), countedTenge))
    if (rows.length === 0 || tenge === 0n) return []
    const orderId = rows[0].orderIds[0] ?? orderIds[0]
    const paidIds = orders.filter(({ confirmedAt }) => confirmedAt !== null).map(({ id }) => id)
    const isSecond =
      !isAmount && rows.every((row) => row.orderIds.every((id) => paidIds.includes(id)))
    const total = sum(orders.map(({ totalTenge }) => totalTenge))
    const sums = rows.map((row) => row.tenge)
    return finding({
      code,
      subclass: isSecond ? 'SECOND_CHARGE' : null,
      severity: 'HIGH',
      ...hintOfTiyn(sums, total),
      orderId,
      paymentId: rows[0].paymentId,
      ...atRisk(tenge, 'BUYER'),
      evidence: linesOf(rows),
    })
  })
}

const isOf = ({ orderIds }: Pick<ShownRow, 'orderIds'>, ids: string[]) =>
  orderIds.some((id) => ids.includes(id))
const isChargeOf = (row: ShownRow, id: string) => row.kind === 'charge' && isOf(row, [id])
const isReturnOf = (row: ShownRow, id: string) => row.kind === 'return' && isOf(row, [id])

/** A register's page has all of it. */
const MOST_EVIDENCE = 200
const linesOf = (rows: ShownRow[]) =>
  distinct(rows.map((row) => nameRegister(row.registerId, row.line))).slice(0, MOST_EVIDENCE)

/** A row without a payment id is a payment of its own. */
const countPayments = (charges: ShownMoney[]) =>
  new Set(charges.map((one) => one.paymentId ?? `${one.registerId} ${one.line}`)).size

/** What the source shows that shows most. */
const mostOf = (rows: ShownRow[]) => sumOf(largestSource(rows))
