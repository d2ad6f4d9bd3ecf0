import { namesNoPayment } from '#defects/facts/placeholder_ids'
import { foldId } from '#reconciliation/reading/read_id'
import type { ReportedOrder } from '#reconciliation/evidence/register_evidence'
import { larger, lesser, sum } from '#shared/tenge'

/** A row of a sale that names its order and its payment. */
export interface NamedRow {
  registerId: number
  paymentId: string
  orderId: string
  isOurs: boolean
  tenge: string
  /** Of an order that was paid with it; null for money without a ticket. */
  totalTenge: string | null
  voidTenge: string | null
}

interface NamedOrder {
  orderId: string
  isOurs: boolean
  isSale: boolean
  /** What was taken for it, and what of that is void. */
  tenge: bigint
  voidTenge: bigint
  /** register → what it shows. */
  registers: Map<number, bigint>
}

/** Of which orders rows are that name a payment alone, or with a number of somebody else's, by those that name it with an order. */
export class NamedPayments {
  readonly #orders = new Map<string, NamedOrder[]>()
  /** payment and name → the order that it is another name of. */
  readonly #aliases = new Map<string, NamedOrder>()

  constructor(rows: readonly NamedRow[]) {
    for (const [payment, ofPayment] of Map.groupBy(rows, (row) => foldId(row.paymentId))) {
      const orders = [...Map.groupBy(ofPayment, nameOf).values()].map(together)
      if (namesNoPayment(payment, orders.length)) continue
      const own: NamedOrder[] = []
      for (const order of orders) {
        const other = orders.find((one) => isOtherNameOf(order, one))
        if (other) this.#aliases.set(keyOf(payment, order.orderId), other)
        else own.push(order)
      }
      this.#orders.set(payment, own)
    }
  }

  /** What was said of payments for an order that we never had, order by order; what is known of none stays where it was. */
  share(said: ReportedOrder, isNamed: boolean): ReportedOrder[] {
    const shares = new Map<NamedOrder | null, ReportedOrder>()
    const shareOf = (order: NamedOrder | null) => {
      const { orderId, isOurs } = order ?? said
      const share = shares.get(order) ?? { orderId, isOurs, facts: [], refunds: [] }
      shares.set(order, share)
      return share
    }
    const ordersOf = (paymentId: string | null | undefined) => {
      if (!paymentId) return []
      const alias = this.#aliases.get(keyOf(foldId(paymentId), said.orderId))
      if (alias) return [alias]
      return isNamed ? [] : (this.#orders.get(foldId(paymentId)) ?? [])
    }
    for (const { fact, at } of said.facts) {
      const orders = ordersOf(fact.paymentIds[0])
      const heir = orders.findLast(({ isSale }) => !isSale) ?? null
      for (const [order, tenge] of split(fact.tenge, takenFor(orders), heir))
        if (!order?.isSale) shareOf(order).facts.push({ fact: { ...fact, tenge }, at })
    }
    for (const [paymentId, refunds] of Map.groupBy(said.refunds, (refund) => refund.paymentId)) {
      const orders = ordersOf(paymentId)
      const rooms = roomsOf(orders)
      for (const refund of refunds)
        for (const [order, tenge] of split(refund.tenge, rooms, orders.at(-1) ?? null))
          shareOf(order).refunds.push({ ...refund, tenge })
    }
    return [...shares.values()]
  }
}

const nameOf = ({ orderId, isOurs }: NamedRow) => (isOurs ? orderId : foldId(orderId))
const keyOf = (payment: string, name: string) => `${payment}\n${foldId(name)}`

/** One order's rows of one payment: a sale is its total at least, other money what a register has most of it. */
function together(rows: NamedRow[]): NamedOrder {
  const { orderId, isOurs } = rows[0]
  const sale = rows.find(({ totalTenge }) => totalTenge !== null)
  const registers = new Map(
    [...Map.groupBy(rows, ({ registerId }) => registerId)].map(([registerId, own]) => [
      registerId,
      sum(own.map(({ tenge }) => BigInt(tenge))),
    ])
  )
  const tenge = [...registers.values()].reduce(larger, BigInt(sale?.totalTenge ?? 0))
  const voidTenge = BigInt(sale?.voidTenge ?? 0)
  return { orderId, isOurs, isSale: sale !== undefined, tenge, voidTenge, registers }
}

/** A shop and its bank number orders each in their own way: the same sum by the same payment is the same order's. */
function isOtherNameOf(order: NamedOrder, other: NamedOrder) {
  if (order.isOurs || order === other) return false
  const [own, others] = [[...order.registers], [...other.registers]]
  const isApart = own.every(([registerId]) => !other.registers.has(registerId))
  const isBefore = other.isOurs || others[0][0] < own[0][0]
  return isApart && isBefore && own.every(([, tenge]) => others.some(([, sums]) => sums === tenge))
}

type Room = [order: NamedOrder, tenge: bigint]

const takenFor = (orders: NamedOrder[]) => orders.map((order): Room => [order, order.tenge])

/** Money without a ticket goes back first, then what is void, then the rest. */
const roomsOf = (orders: NamedOrder[]): Room[] => [
  ...takenFor(orders.filter(({ isSale }) => !isSale)),
  ...orders.filter(({ isSale }) => isSale).map((order): Room => [order, order.voidTenge]),
  ...orders
    .filter(({ isSale }) => isSale)
    .map((order): Room => [order, order.tenge - order.voidTenge]),
]

/** Fills the rooms in turn; what is beyond them is the heir's. */
function split(tenge: bigint, rooms: Room[], heir: NamedOrder | null) {
  const parts = new Map<NamedOrder | null, bigint>()
  const add = (order: NamedOrder | null, part: bigint) =>
    parts.set(order, (parts.get(order) ?? 0n) + part)
  let left = tenge
  for (const room of rooms) {
    const part = lesser(left, room[1])
    room[1] -= part
    left -= part
    add(room[0], part)
  }
  add(heir, left)
  return [...parts].filter(([, part]) => part > 0n)
}
