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
    // More than its purchases were charged beyond valid tickets, or more than is void of this order.
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
 *
 * Example: an order of 12,000 confirmed with payment A
 *     a register shows A 13,000                    REGISTER_AMOUNT_DIFFERS 1,000
 *     R7 13,000, a number of the register's own    REGISTER_AMOUNT_DIFFERS 1,000
 *     A 12,000 and B 5,000                         MISSING_AT_PLATFORM 5,000, SECOND_CHARGE
 */
export function chargesBeyondOrders(facts: CaseFacts, _: Thresholds, balance: Balance): Finding[] {
  const confirmed = new Set(allCreditedAttempts(facts).map(({ paymentId }) => paymentId))
  const charges = facts.registerRows.filter(({ kind }) => kind === 'charge')
  const counted = [...balance.counted].filter(({ kind }) => kind === 'charge')
  return balance.groups.flatMap(({ orderIds }) => {
    const orders = facts.orders.filter(({ id }) => orderIds.includes(id))
    const paid = orders.filter(({ confirmedAt }) => confirmedAt !== null).map(({ id }) => id)
    const own = charges.filter((row) => isOf(row, orderIds))
    const unconfirmed = own.filter(
      ({ paymentId }) => paymentId === null || !confirmed.has(paymentId)
    )
    const ofGroup = counted.filter((one) => isOf(one, orderIds))
    const isAmount =
      paid.length > 0 && (unconfirmed.length === 0 || countShownPayments(ofGroup, own) <= 1)
    const rows = isAmount ? own : unconfirmed
    const countedTenge = sumOf(rows.filter((row) => balance.counted.has(row)))
    const tenge = min(openMoneyOf(orderIds[0], balance), max(mostOf(rows), countedTenge))
    if (rows.length === 0 || tenge === 0n) return []
    const isOfPaid = rows.every((row) => row.orderIds.every((id) => paid.includes(id)))
    return finding({
      code: isAmount ? 'REGISTER_AMOUNT_DIFFERS' : 'MISSING_AT_PLATFORM',
      subclass: isOfPaid && !isAmount ? 'SECOND_CHARGE' : null,
      severity: 'HIGH',
      ...hintOfTiyn(
        rows.map((row) => row.tenge),
        sum(orders.map(({ totalTenge }) => totalTenge))
      ),
      orderId: rows[0].orderIds[0] ?? orderIds[0],
      paymentId: rows[0].paymentId,
      ...atRisk(tenge, 'BUYER'),
      evidence: linesOf(rows),
    })
  })
}

/** Of these charges how many payments registers show, too. A row without a payment id is a payment of its own. */
function countShownPayments(charges: ShownMoney[], rows: ShownRow[]): number {
  const named = new Set(rows.map(({ paymentId }) => paymentId))
  const ids = charges.flatMap(({ paymentId, registerId, line }) => {
    if (paymentId !== null) return named.has(paymentId) ? paymentId : []
    return registerId === undefined ? [] : `${registerId} ${line}`
  })
  return new Set(ids).size
}

const isOf = ({ orderIds }: Pick<ShownRow, 'orderIds'>, ids: string[]) =>
  orderIds.some((id) => ids.includes(id))
const isChargeOf = (row: ShownRow, id: string) => row.kind === 'charge' && isOf(row, [id])
const isReturnOf = (row: ShownRow, id: string) => row.kind === 'return' && isOf(row, [id])

/** A register's page has all of it. */
const MOST_EVIDENCE = 200
const linesOf = (rows: ShownRow[]) =>
  distinct(rows.map((row) => nameRegister(row.registerId, row.line))).slice(0, MOST_EVIDENCE)

/** What the source shows that shows most. */
const mostOf = (rows: ShownRow[]) => sumOf(largestSource(rows))
