import { EvidenceSource, type Evidence, type EvidenceScope } from '#defects/facts/evidence'
import { isPlaceholder, namesNoPayment } from '#defects/facts/placeholder_ids'
import type { MissingOrder, RegisterDays, ShownRow } from '#defects/facts/register_facts'
import type { SourcesSharingIds } from '#defects/facts/sources_sharing_ids'
import { connectedCases, type ConnectedCases } from '#register_evidence/connected_cases'
import { keepEvidence } from '#register_evidence/keep_evidence'
import type { ShownCase } from '#register_evidence/kept_cases'
import {
  ordersOfSecondPayments,
  readKeptRegisters,
  salesOfDays,
  sourcesSharingIdsOf,
  type KeptRegister,
} from '#register_evidence/kept_registers'
import { spelling } from '#register_evidence/payment_ids'
import { foldId } from '#register_reading/read_id'
import { appendTo } from '#shared/append_to'
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
  readonly days: RegisterDays[]
  readonly sourcesSharingIds: SourcesSharingIds
  readonly #rows = new Map<string, ShownRow[]>()
  readonly #missing = new Map<string, MissingOrder[]>()
  /** Folded name → the order. */
  readonly #unknown = new Map<string, UnknownOrder>()
  /** Folded payment → the orders that rows and confirms name with it. */
  readonly #payments = new Map<string, Set<string>>()
  /** A row's content → how many rows with it each register has. */
  readonly #shown = new Map<string, Map<number, number>>()

  private constructor(private readonly registers: ReadonlyMap<number, KeptRegister>) {
    this.days = [...registers.values()]
    this.sourcesSharingIds = sourcesSharingIdsOf(registers.values())
  }

  static async of(scope: EvidenceScope, trx: TransactionClientContract) {
    const registers = await readKeptRegisters(scope.partnerId, trx)
    const evidence = new RegisterEvidence(registers)
    if (registers.size === 0) return evidence
    const charged = await ordersOfSecondPayments(scope, evidence.sourcesSharingIds, trx)
    const asked = { ...scope, orderIds: [...scope.orderIds, ...charged] }
    const { cases, ordersOfPayments } = await connectedCases(asked, registers, trx)
    // Payments of differing cases join orders. Those of ordinary ones only count towards what has too many orders to be a payment.
    for (const one of cases.filter(({ isDiffering }) => isDiffering)) evidence.#take(one)
    evidence.#addOrdersOfPayments(ordersOfPayments)
    evidence.#joinOrdersOfPayments()
    for (const one of cases.filter(({ isDiffering }) => !isDiffering)) evidence.#take(one)
    evidence.#addOrdersOfPayments(ordersOfPayments)
    await evidence.#findMissing(cases, trx)
    return evidence
  }

  /** With payments as confirms spell them, whatever a spreadsheet made of them. */
  rowsOf(orderIds: Iterable<string>, knownPayments: () => Iterable<string>): ShownRow[] {
    const rows = new Set([...orderIds].flatMap((id) => this.#rows.get(this.#keyOf(id)) ?? []))
    // Nearly all orders are ordinary.
    if (rows.size === 0) return []
    const spell = spelling(knownPayments())
    return [...rows].map((row) => ({
      ...row,
      paymentId: spell(this.#identifying(row.paymentId)),
    }))
  }

  orderIds() {
    return new Set([...this.#rows.keys(), ...this.#missing.keys(), ...this.#unknown.keys()])
  }

  missingOf(orderIds: Iterable<string>): MissingOrder[] {
    return [...orderIds].flatMap((id) => this.#missing.get(id) ?? [])
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

  #take({ registerId, ours, unknown, rows }: ShownCase) {
    const { source } = this.registers.get(registerId)!
    const names = unknown.map((name) => this.#nameOf(name))
    for (const group of [ours, names]) if (group.length > 1) this.groups.push(group)
    for (const { unknown: name, ...row } of rows)
      this.#addRow({ ...row, source, registerId, orderIds: name === null ? ours : [name] })
  }

  async #findMissing(cases: ShownCase[], trx: TransactionClientContract) {
    const toMissing =
      (ids: 'missing' | 'missingIfOfDays') =>
      ({ registerId, [ids]: orderIds }: ShownCase): MissingOrder[] => {
        const { source } = this.registers.get(registerId)!
        return orderIds.map((orderId) => ({ source, registerId, orderId }))
      }
    const missing = cases.flatMap(toMissing('missing'))
    const ofDays = await salesOfDays(cases.flatMap(toMissing('missingIfOfDays')), trx)
    const inOrder = [...missing, ...ofDays].sort((one, other) => one.registerId - other.registerId)
    for (const one of inOrder) appendTo(this.#missing, one.orderId, one)
  }

  #addRow(row: ShownRow) {
    const orderIds = row.orderIds.map((id) => this.spellingOf(id))
    const own = { ...row, orderIds }
    if (this.#wasShownBefore(own)) return
    for (const id of orderIds) appendTo(this.#rows, this.#keyOf(id), own)
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
    const known = this.#payments.get(folded) ?? new Set()
    known.add(orderId)
    this.#payments.set(folded, known)
  }

  /** Confirms and rows of other cases may name further orders with a payment. */
  #addOrdersOfPayments(found: ConnectedCases['ordersOfPayments']) {
    for (const [folded, orderIds] of this.#payments)
      for (const id of found.get(folded) ?? []) orderIds.add(id)
  }

  /** Rows of one payment are of one purchase, whatever they call its order. */
  #joinOrdersOfPayments() {
    for (const [folded, orderIds] of this.#payments)
      if (orderIds.size > 1 && !namesNoPayment(folded, orderIds.size))
        this.groups.push([...orderIds])
  }

  #identifying(paymentId: string | null) {
    if (paymentId === null) return null
    const orders = this.#payments.get(foldId(paymentId))?.size ?? 1
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
  override keep = keepEvidence
  override read = RegisterEvidence.of
}
