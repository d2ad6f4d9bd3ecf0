import { isPlaceholder } from '#settlement/defects/duplicates'
import { foldId } from '#settlement/registers/read_id'
import type { Said } from '#settlement/registers/register_evidence'
import { larger, lesser, sum } from '#shared/tenge'

/** A row of a sale that names its order and its payment. */
export interface NamedRow {
  registerId: number
  paymentId: string
  orderId: string
  isOurs: boolean
  /** Whether it is what the order was paid with; otherwise it is money without a ticket. */
  isSale: boolean
  tenge: string
}

type NamedOrder = Pick<NamedRow, 'orderId' | 'isOurs' | 'isSale'> & { tenge: bigint }

/** Of which orders rows are that name a payment alone, by those that name it with an order. */
export class NamedPayments {
  readonly #orders = new Map<string, NamedOrder[]>()

  constructor(rows: readonly NamedRow[]) {
    for (const [payment, of] of Map.groupBy(rows, ({ paymentId }) => foldId(paymentId))) {
      const orders = [...Map.groupBy(of, ({ orderId }) => orderId).values()].map(together)
      if (!isPlaceholder(payment, orders.length)) this.#orders.set(payment, orders)
    }
  }

  /** What was said of a payment, order by order; what is known of none stays where it was. */
  share(said: Said): Said[] {
    const shares = new Map<NamedOrder | null, Said>()
    const shareOf = (order: NamedOrder | null) => {
      const { orderId, isOurs } = order ?? said
      const share = shares.get(order) ?? { orderId, isOurs, facts: [], refunds: [] }
      shares.set(order, share)
      return share
    }
    for (const { fact, at } of said.facts) {
      const rooms = this.#roomsOf(fact.paymentIds[0])
      const heir = [...rooms.keys()].findLast(({ isSale }) => !isSale) ?? null
      for (const [order, tenge] of split(fact.tenge, rooms, heir))
        if (!order?.isSale) shareOf(order).facts.push({ fact: { ...fact, tenge }, at })
    }
    for (const [paymentId, refunds] of Map.groupBy(said.refunds, (refund) => refund.paymentId)) {
      const rooms = this.#roomsOf(paymentId)
      const heir = [...rooms.keys()].at(-1) ?? null
      for (const refund of refunds)
        for (const [order, tenge] of split(refund.tenge, rooms, heir))
          shareOf(order).refunds.push({ ...refund, tenge })
    }
    return [...shares.values()]
  }

  /** order → what was taken for it. */
  #roomsOf(paymentId: string | null | undefined): Map<NamedOrder, bigint> {
    const orders = (paymentId && this.#orders.get(foldId(paymentId))) || []
    return new Map(orders.map((order) => [order, order.tenge]))
  }
}

/** One order's rows of one payment, in whichever register most of it stands. */
function together(rows: NamedRow[]): NamedOrder {
  const { orderId, isOurs } = rows[0]
  const sales = rows.filter(({ isSale }) => isSale)
  const sums = [
    ...Map.groupBy(sales.length > 0 ? sales : rows, ({ registerId }) => registerId),
  ].map(([, of]) => sum(of.map(({ tenge }) => BigInt(tenge))))
  return { orderId, isOurs, isSale: sales.length > 0, tenge: sums.reduce(larger) }
}

/** Fills the rooms in turn; what is beyond them is the heir's. */
function split(tenge: bigint, rooms: Map<NamedOrder, bigint>, heir: NamedOrder | null) {
  const parts = new Map<NamedOrder | null, bigint>()
  let left = tenge
  for (const [order, room] of rooms) {
    const part = lesser(left, room)
    rooms.set(order, room - part)
    left -= part
    parts.set(order, part)
  }
  parts.set(heir, (parts.get(heir) ?? 0n) + left)
  return [...parts].filter(([, part]) => part > 0n)
}
