import { isOverShared, isPlaceholder } from '#defects/facts/placeholder_ids'
import {
  casesByKeys,
  casesByPaymentsOfOrders,
  casesByPaymentsOfPeriod,
  ordersOf,
  readCasesOfPeriod,
  readKeptCases,
  type ShownCase,
} from '#register_evidence/kept_cases'
import type { KeptRegister } from '#register_evidence/kept_registers'
import { ordersOfPayments, spellingsOf } from '#register_evidence/payment_ids'
import { findCasesOfOrders, readOrdinaryCases } from '#register_evidence/read_cases'
import { shownByCase } from '#register_evidence/shown_by_case'
import type { EvidenceScope } from '#defects/facts/evidence'
import { sumNumbers } from '#shared/sums'
import { DisjointSets } from '#shared/disjoint_sets'
import { foldId } from '#register_reading/read_id'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface ConnectedCases {
  /** Those that differ, then ordinary ones; in the order of registers and of their lines. */
  cases: ShownCase[]
  /** Folded payment → orders that confirms, or rows of any case, name with it. */
  ordersOfPayments: Map<string, Set<string>>
}

/**
 * Cases of confirmed registers that a period is checked with: those that touch it, and everything that they are connected with by
 * an order or a payment, however far apart in time. A breadth-first search.
 *
 * Example, of a check of November:
 *   order A made in November       a case of the register of November
 *   its payment P                  named again by a row of December: that case, too
 *   order B made in September      what the row of December is of: its cases, too
 */
export async function connectedCases(
  scope: EvidenceScope,
  registers: ReadonlyMap<number, KeptRegister>,
  trx: TransactionClientContract
): Promise<ConnectedCases> {
  const kept = sumNumbers([...registers.values()], ({ cases }) => cases)
  const search = new Search(scope, kept, trx)
  await search.run()
  return search.result()
}

class Search {
  readonly #cases = new Map<number, ShownCase>()
  /** Of kept cases: ordinary cases of these orders are kept, too. */
  readonly #ordersOfKept = new Set<string>()
  readonly #orders = new Unasked()
  readonly #payments = new Unasked()
  readonly #ordersOfPayments = new Map<string, Set<string>>()
  #keptRead = 0

  constructor(
    private readonly scope: EvidenceScope,
    /** How many cases are kept of all registers. */
    private readonly kept: number,
    private readonly trx: TransactionClientContract
  ) {}

  async run() {
    const { scope, trx } = this
    for (const id of scope.orderIds) this.#orders.add(id)
    this.#addKept(await readCasesOfPeriod(scope, trx))
    if (!this.#isAllRead) await this.#readKept(await casesByPaymentsOfPeriod(scope, trx))
    while (this.#orders.size + this.#payments.size > 0) {
      await this.#followPayments(this.#payments.take())
      await this.#followOrders(this.#orders.take())
    }
    await this.#findOrdersOfOrdinaryRows()
  }

  result(): ConnectedCases {
    const all = [...this.#cases.values()].sort(byPlace)
    const differing = all.filter(({ isDiffering }) => isDiffering)
    const ordinary = this.#connectedWith(
      differing,
      all.filter(({ isDiffering }) => !isDiffering)
    )
    return { cases: [...differing, ...ordinary], ordersOfPayments: this.#ordersOfPayments }
  }

  async #followPayments(payments: string[]) {
    await this.#findOrdersOf(payments)
    const few = payments.filter((payment) => !this.#isOverShared(payment))
    for (const payment of few)
      for (const id of this.#ordersOfPayments.get(foldId(payment)) ?? []) this.#orders.add(id)
    if (!this.#isAllRead) await this.#readByKeys('payment', few.flatMap(spellingsOf))
  }

  async #followOrders(orderIds: string[]) {
    const { scope, trx } = this
    const { partnerId } = scope
    if (!this.#isAllRead) {
      await this.#readByKeys('order', orderIds.map(foldId))
      await this.#readKept(await casesByPaymentsOfOrders({ partnerId, orderIds }, trx))
    }
    const others = orderIds.filter((id) => !this.#ordersOfKept.has(id))
    const found = await findCasesOfOrders(others, trx)
    const unread = found.filter((id) => !this.#cases.has(id))
    for (const one of await readOrdinaryCases(partnerId, unread, trx))
      this.#add({ ...one, ...shownByCase(one) })
  }

  async #readByKeys(kind: 'order' | 'payment', keys: string[]) {
    const { partnerId } = this.scope
    await this.#readKept(await casesByKeys({ partnerId, kind, keys }, this.trx))
  }

  async #readKept(ids: number[]) {
    const unread = ids.filter((id) => !this.#cases.has(id))
    this.#addKept(await readKeptCases(unread, this.trx))
  }

  #addKept(found: ShownCase[]) {
    for (const one of found) {
      this.#add(one)
      for (const id of ordersOf(one)) this.#ordersOfKept.add(id)
    }
    this.#keptRead += found.length
  }

  #add(found: ShownCase) {
    if (this.#cases.has(found.id)) return
    this.#cases.set(found.id, found)
    for (const id of ordersOf(found)) this.#orders.add(id)
    // A payment that ordinary rows alone name is no second name of their orders.
    if (found.isDiffering) for (const payment of paymentsOf(found)) this.#payments.add(payment)
  }

  async #findOrdersOf(payments: string[]) {
    const found = await ordersOfPayments(this.scope.partnerId, payments, this.trx)
    for (const { paymentId, orderId } of found) {
      const folded = foldId(paymentId)
      const known = this.#ordersOfPayments.get(folded) ?? new Set()
      known.add(orderId)
      this.#ordersOfPayments.set(folded, known)
    }
  }

  /** Whether an id is a payment at all depends on how many orders have it, in whichever registers. */
  async #findOrdersOfOrdinaryRows() {
    const ordinary = [...this.#cases.values()].filter(({ isDiffering }) => !isDiffering)
    const unknown = new Set(
      ordinary.flatMap(paymentsOf).filter((id) => !this.#payments.known.has(id))
    )
    await this.#findOrdersOf([...unknown])
  }

  /** Ordinary cases of orders that differing ones lead to, or that were asked for, directly or through other ordinary cases. */
  #connectedWith(differing: ShownCase[], ordinary: ShownCase[]): ShownCase[] {
    const union = new DisjointSets<string>()
    for (const one of ordinary) {
      const [first, ...others] = ordersOf(one)
      for (const other of others) union.join(first, other)
    }
    const reached = new Set<string>()
    for (const id of this.scope.orderIds) reached.add(union.rootOf(id))
    for (const one of differing) for (const id of ordersOf(one)) reached.add(union.rootOf(id))
    for (const payment of this.#payments.known)
      if (!this.#isOverShared(payment))
        for (const id of this.#ordersOfPayments.get(foldId(payment)) ?? [])
          reached.add(union.rootOf(id))
    return ordinary.filter((one) => ordersOf(one).some((id) => reached.has(union.rootOf(id))))
  }

  #isOverShared = (payment: string) =>
    isOverShared(this.#ordersOfPayments.get(foldId(payment))?.size ?? 0)

  /** Nothing is left to be found. */
  get #isAllRead() {
    return this.#keptRead === this.kept
  }
}

/** Ids to look for, each once. */
class Unasked {
  readonly known = new Set<string>()
  #unasked: string[] = []

  add(id: string) {
    if (this.known.has(id)) return
    this.known.add(id)
    this.#unasked.push(id)
  }

  take() {
    const taken = this.#unasked
    this.#unasked = []
    return taken
  }

  get size() {
    return this.#unasked.length
  }
}

const paymentsOf = ({ rows }: ShownCase) =>
  rows.flatMap(({ paymentId }) => paymentId ?? []).filter((paymentId) => !isPlaceholder(paymentId))

const byPlace = (one: ShownCase, other: ShownCase) =>
  one.registerId - other.registerId || one.place - other.place
