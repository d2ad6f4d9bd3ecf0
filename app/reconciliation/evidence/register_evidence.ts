import { EvidenceSource, type Evidence } from '#defects/facts/evidence'
import { isPlaceholder, namesNoPayment } from '#defects/facts/placeholder_ids'
import type { LackedOrder, RegisterDays, ShownRow } from '#defects/facts/register_facts'
import {
  readPlainCases,
  readRemarkableCases,
  type EvidenceCase,
} from '#reconciliation/evidence/read_cases'
import { shownByCase } from '#reconciliation/evidence/shown_by_case'
import { ordersOfPayments, readDays } from '#reconciliation/evidence/read_joins'
import { spelling } from '#reconciliation/evidence/payment_spelling'
import { foldId } from '#register_reading/read_id'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

interface UnknownOrder {
  /** As a register spells it first. */
  name: string
  /** When money was taken for it, within the days of the registers and their edges. */
  chargedAt: number[]
}

/** What a partner's confirmed registers show of orders, ours and unknown ones. */
export class RegisterEvidence implements Evidence {
  readonly groups: string[][] = []
  days: RegisterDays[] = []
  readonly #rows = new Map<string, ShownRow[]>()
  readonly #lacked = new Map<string, LackedOrder[]>()
  /** Folded name → the order. */
  readonly #unknown = new Map<string, UnknownOrder>()
  /** Folded payment → its spellings, and the orders that rows name with it. */
  readonly #payments = new Map<string, { spellings: Set<string>; orderIds: Set<string> }>()
  /** Orders whose plain cases were read, and all cases: one of a cart is read for each of its orders. */
  readonly #readOrders = new Set<string>()
  readonly #readCases = new Set<number>()
  /** A row's content → how many rows with it each register has. */
  readonly #shown = new Map<string, Map<number, number>>()

  private constructor(private readonly partnerId: number) {}

  static async of(partnerId: number, trx: TransactionClientContract) {
    const evidence = new RegisterEvidence(partnerId)
    evidence.days = await readDays(partnerId, trx)
    const ours = new Set<string>()
    for await (const found of readRemarkableCases(partnerId, trx))
      for (const id of evidence.#take(found)) ours.add(id)
    for (const id of await evidence.#joinPayments(trx)) ours.add(id)
    await evidence.addPlainRows([...ours], trx)
    return evidence
  }

  async addPlainRows(orderIds: string[], trx: TransactionClientContract) {
    const missing = orderIds.filter((id) => !this.#readOrders.has(id))
    for (const id of missing) this.#readOrders.add(id)
    if (missing.length === 0 || this.days.length === 0) return
    for await (const found of readPlainCases(this.partnerId, missing, trx)) this.#take(found)
  }

  /** With payments as confirms spell them, whatever a spreadsheet made of them. */
  rowsOf(orderIds: Iterable<string>, knownPayments: () => Iterable<string>): ShownRow[] {
    const rows = new Set([...orderIds].flatMap((id) => this.#rows.get(this.#keyOf(id)) ?? []))
    // Of nearly all orders there is nothing remarkable.
    if (rows.size === 0) return []
    const spell = spelling(knownPayments())
    return [...rows].map((row) => ({
      ...row,
      paymentId: spell(this.#identifying(row.paymentId)),
    }))
  }

  orderIds() {
    return new Set([...this.#rows.keys(), ...this.#lacked.keys(), ...this.#unknown.keys()])
  }

  lackedOf(orderIds: Iterable<string>): LackedOrder[] {
    return [...orderIds].flatMap((id) => this.#lacked.get(id) ?? [])
  }

  *unknownIn({ from, to }: { from: Date; to: Date }, asked: string[]) {
    const names = new Set(asked.map(foldId))
    const isIn = (at: number) => at >= from.getTime() && at < to.getTime()
    for (const [folded, { name, chargedAt }] of this.#unknown)
      if (chargedAt.some(isIn) || (names.has(folded) && chargedAt.length > 0)) yield name
  }

  spellingOf(id: string) {
    return this.#unknown.get(foldId(id))?.name ?? id
  }

  /** Returns our orders in the case. */
  #take(found: EvidenceCase): string[] {
    if (this.#readCases.has(found.id)) return []
    this.#readCases.add(found.id)
    const { ours, unknown, rows, lacked } = shownByCase(found)
    const names = unknown.map((name) => this.#nameOf(name))
    for (const group of [ours, names]) if (group.length > 1) this.groups.push(group)
    for (const row of rows) this.#addRow(row)
    for (const one of lacked) put(this.#lacked, one.orderId, one)
    return [...ours, ...lacked.map(({ orderId }) => orderId)]
  }

  #addRow(row: ShownRow) {
    const orderIds = row.orderIds.map((id) => this.spellingOf(id))
    const own = { ...row, orderIds }
    if (this.#wasShownBefore(own)) return
    for (const id of orderIds) put(this.#rows, this.#keyOf(id), own)
    const unknown = this.#unknown.get(foldId(orderIds[0]))
    if (row.kind === 'charge' && unknown) unknown.chargedAt.push(row.shownAt)
    if (row.paymentId !== null) this.#notePayment(row.paymentId, orderIds[0])
  }

  /**
   * Whether another register of the source has shown as many rows like this one. The first hour of a month may stand in the
   * registers of both months, and a payment under the day that it was made and the day that it was posted. Equal refunds of one
   * payment on different days are different refunds.
   */
  #wasShownBefore({ source, registerId, kind, tenge, paymentId, orderIds, at }: ShownRow) {
    const isPayment = kind === 'charge' && paymentId !== null && !isPlaceholder(paymentId)
    if (at === null && !isPayment) return false
    const folded = paymentId === null ? null : foldId(paymentId)
    const key = [source, kind, tenge, folded, orderIds, isPayment ? '' : at].join('\n')
    const counts = this.#shown.get(key) ?? new Map<number, number>()
    this.#shown.set(key, counts)
    const own = (counts.get(registerId) ?? 0) + 1
    counts.set(registerId, own)
    const others = [...counts].filter(([id]) => id !== registerId).map(([, count]) => count)
    return others.some((count) => count >= own)
  }

  #notePayment(paymentId: string, orderId: string) {
    const folded = foldId(paymentId)
    const known = this.#payments.get(folded) ?? { spellings: new Set(), orderIds: new Set() }
    known.spellings.add(paymentId)
    known.orderIds.add(orderId)
    this.#payments.set(folded, known)
  }

  /**
   * Rows of one payment are of one purchase, whatever they call its order; confirms and other rows may name further orders with
   * it. Returns those.
   */
  async #joinPayments(trx: TransactionClientContract) {
    const spellings = [...this.#payments.values()].flatMap((one) => [...one.spellings])
    const found = await ordersOfPayments(this.partnerId, spellings, trx)
    for (const { paymentId, orderIds } of found)
      for (const id of orderIds) this.#notePayment(paymentId, id)
    for (const [folded, { orderIds }] of this.#payments)
      if (orderIds.size > 1 && !namesNoPayment(folded, orderIds.size))
        this.groups.push([...orderIds])
    return found.flatMap(({ orderIds }) => orderIds)
  }

  #identifying(paymentId: string | null) {
    if (paymentId === null) return null
    const orders = this.#payments.get(foldId(paymentId))?.orderIds.size ?? 1
    return namesNoPayment(paymentId, orders) ? null : paymentId
  }

  #nameOf(name: string) {
    const folded = foldId(name)
    const known = this.#unknown.get(folded) ?? { name, chargedAt: [] }
    this.#unknown.set(folded, known)
    return known.name
  }

  #keyOf = (id: string) => this.#unknown.get(foldId(id))?.name ?? id
}

/** Evidence of partners' confirmed registers. */
export class RegisterEvidenceSource extends EvidenceSource {
  override read = (partnerId: number, trx: TransactionClientContract) =>
    RegisterEvidence.of(partnerId, trx)
}

function put<Value>(groups: Map<string, Value[]>, key: string, value: Value) {
  const known = groups.get(key)
  if (known) known.push(value)
  else groups.set(key, [value])
}
