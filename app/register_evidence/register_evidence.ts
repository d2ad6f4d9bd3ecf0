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
  /** Folded payment of a row → the orders that rows and confirms name with it. */
  readonly #payments = new Map<string, Set<string>>()
  /** A row's content → the register of each row with it. */
  readonly #shown = new Map<string, number[]>()

  private constructor(
    private readonly registers: ReadonlyMap<number, KeptRegister>,
    /** Folded payment → the orders that confirms, or rows of cases that are not read, name with it. */
    private readonly ordersOfPayments: ConnectedCases['ordersOfPayments'] = new Map()
  ) {
    this.days = [...registers.values()]
    this.sourcesSharingIds = sourcesSharingIdsOf(registers.values())
  }

  static async of(scope: EvidenceScope, trx: TransactionClientContract) {
    const registers = await readKeptRegisters(scope.partnerId, trx)
    if (registers.size === 0) return new RegisterEvidence(registers)
    const sharing = sourcesSharingIdsOf(registers.values())
    const charged = await ordersOfSecondPayments(scope, sharing, trx)
    const asked = { ...scope, orderIds: [...scope.orderIds, ...charged] }
    const { cases, ordersOfPayments } = await connectedCases(asked, registers, trx)
    const evidence = new RegisterEvidence(registers, ordersOfPayments)
    // Payments of differing cases join orders. Those of ordinary ones only count towards what has too many orders to be a payment.
    for (const one of cases.filter(({ isDiffering }) => isDiffering)) evidence.#take(one)
    evidence.#joinOrdersOfPayments()
    for (const one of cases.filter(({ isDiffering }) => !isDiffering)) evidence.#take(one)
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
    const spelledOurs = ours.map((id) => this.spellingOf(id))
    for (const { line, kind, tenge, paymentId, at, shownAt, unknown: name } of rows) {
      const orderIds = name === null ? spelledOurs : [this.spellingOf(name)]
      this.#addRow({ source, registerId, line, kind, tenge, paymentId, orderIds, at, shownAt })
    }
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
    if (this.#wasShownBefore(row)) return
    const { orderIds } = row
    for (const id of orderIds) appendTo(this.#rows, this.#keyOf(id), row)
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
    appendTo(this.#shown, key, registerId)
    const registerIds = this.#shown.get(key)!
    if (registerIds.length === 1) return false
    const shown = Map.groupBy(registerIds, (id) => id)
    const own = shown.get(registerId)!.length
    return [...shown].some(([id, { length }]) => id !== registerId && length >= own)
  }

  #notePayment(paymentId: string, orderId: string) {
    const folded = foldId(paymentId)
    const known =
      this.#payments.get(folded) ?? this.ordersOfPayments.get(folded) ?? new Set<string>()
    known.add(orderId)
    this.#payments.set(folded, known)
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
