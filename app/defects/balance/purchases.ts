import { CONFIRMS, type Component, type ShownMoney } from '#defects/balance/component'
import { OrderGroups } from '#defects/facts/order_groups'
import type { SourcesSharingIds } from '#defects/facts/sources_sharing_ids'

/**
 * Sorts a component's orders into purchases: orders that one payment was to pay.
 *
 * Example: confirms name payment A for orders 1 and 2, payment B for order 3; a register names payment C for order 3
 *   purchaseOfRow(of orders 1 and 2)   = 1     orders 1 and 2 are one purchase, called by the first
 *   purchaseOfRow(of order 3)          = 3
 *   purchaseOfRow(of order 1 or 3)     = null  not known: purchases 1 and 3 are one group, judged together
 */
export class Purchases {
  readonly #purchases = new OrderGroups()
  readonly #groups = new OrderGroups()
  /** Payment → an order of its purchase. */
  readonly #orderOfPayment = new Map<string, string>()
  /** Payment → charges of it, of all sources. */
  readonly #chargedBy: ReadonlyMap<string | null, ShownMoney[]>
  readonly #paid = new Set<string>()
  /** Source and purchase → payments that the source charges for it. */
  readonly #chargedFor = new Map<string, Set<string>>()
  readonly #sourcesSharingIds: SourcesSharingIds
  /** Purchase → sources whose payment ids can be compared with each other. */
  readonly #comparable = new Map<string | null, Set<string>>()

  constructor({ orders, money, sourcesSharingIds }: Component) {
    this.#sourcesSharingIds = sourcesSharingIds
    for (const { id } of orders) this.#purchases.join([id])
    for (const one of money) if (isCertain(one)) this.#joinPurchase(one)
    for (const one of money)
      if (this.purchaseOfRow(one) === null) this.#groups.join(one.orderIds.map(this.ofOrder))
    for (const { id, soldTenge } of orders) if (soldTenge > 0n) this.#paid.add(this.ofOrder(id))
    const charges = money.filter(({ kind }) => kind === 'charge')
    this.#chargedBy = Map.groupBy(charges, ({ paymentId }) => paymentId)
    for (const one of charges) this.#noteCharge(one)
    const named = money.filter(({ paymentId }) => paymentId !== null)
    for (const own of Map.groupBy(named, ({ paymentId }) => paymentId).values())
      this.#noteComparable(own)
  }

  #joinPurchase({ paymentId, orderIds }: ShownMoney) {
    const [orderId] = orderIds
    const known = paymentId === null ? orderId : (this.#orderOfPayment.get(paymentId) ?? orderId)
    this.#purchases.join([known, ...orderIds])
    if (paymentId !== null) this.#orderOfPayment.set(paymentId, known)
  }

  #noteCharge(charge: ShownMoney) {
    const purchase = this.purchaseOfRow(charge)
    if (charge.paymentId === null || purchase === null) return
    const key = keyOf(charge.source, purchase)
    const known = this.#chargedFor.get(key) ?? new Set()
    this.#chargedFor.set(key, known.add(charge.paymentId))
  }

  #noteComparable(ofOnePayment: ShownMoney[]) {
    const sources = new Set(ofOnePayment.map(({ source }) => source))
    for (const purchase of new Set(ofOnePayment.map((one) => this.purchaseOfRow(one)))) {
      const isKnown = this.isPaid(purchase) ? sources.has(CONFIRMS) : sources.size > 1
      if (!isKnown) continue
      const others = this.#comparable.get(purchase) ?? []
      this.#comparable.set(purchase, new Set([...others, ...sources]))
    }
  }

  /**
   * Whether a source is seen to number the payments of this purchase as others do. Of a paid purchase: it names a payment that
   * confirms name. Of one that was never paid: it names a payment that any other source names.
   */
  hasComparableIds = (source: string, purchase: string) =>
    this.#comparable.get(purchase)?.has(source) ?? false

  /**
   * How much of all sales a source shows, over all its registers; null where it is not known to number payments as confirms do.
   */
  salesShownBy = (source: string) => this.#sourcesSharingIds.get(source) ?? null

  /** Whether any source shows a charge with this payment id. */
  isCharged = (paymentId: string) => this.#chargedBy.has(paymentId)

  /**
   * The payment that a return under an id of its own gives back: the only one that its source charges for the purchase, else the first by
   * id that no other register shows; null where neither is known.
   */
  chargeReturnedBy(source: string, purchase: string): string | null {
    const charged = [...(this.#chargedFor.get(keyOf(source, purchase)) ?? [])].toSorted()
    if (charged.length === 1) return charged[0]
    const isAlone = (one: ShownMoney) => one.source === source || one.source === CONFIRMS
    return charged.find((paymentId) => this.#chargedBy.get(paymentId)!.every(isAlone)) ?? null
  }

  /** Whether another source shows a charge with this payment id. */
  isChargedElsewhere = (paymentId: string, source: string) =>
    (this.#chargedBy.get(paymentId) ?? []).some((one) => one.source !== source)

  /** Whether it was paid; its tickets may be void by now. */
  isPaid = (purchase: string | null) => purchase !== null && this.#paid.has(purchase)

  ofOrder = (orderId: string) => this.#purchases.firstOf(orderId)

  /** Null where its orders are of several purchases, also when its payment is of one of them. */
  purchaseOfRow({ orderIds }: Pick<ShownMoney, 'orderIds'>): string | null {
    const [purchase, ...others] = new Set(orderIds.map(this.ofOrder))
    return others.length === 0 ? purchase : null
  }

  groupOfOrder = (orderId: string) => this.#groups.firstOf(this.ofOrder(orderId))

  groupOfRow(one: ShownMoney): string {
    const purchase = this.purchaseOfRow(one)
    return purchase === null ? this.groupOfOrder(one.orderIds[0]) : this.#groups.firstOf(purchase)
  }
}

const keyOf = (source: string, purchase: string) => `${source}\n${purchase}`

/** Confirms name all orders of a payment; a row of several orders may be of any one of them. */
const isCertain = ({ source, orderIds }: ShownMoney) => source === CONFIRMS || orderIds.length === 1
