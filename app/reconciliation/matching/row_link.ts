import type { MatchStep, OurOrder, Reason } from '#reconciliation/matching/match_case'
import { MOST_CANDIDATES } from '#reconciliation/matching/our_orders'
import type { MatchRow } from '#reconciliation/matching/match_row'

/** Which of our orders a row of a register belongs to, and how that was found. */
export interface RowLink {
  row: MatchRow
  /** Paid orders. Several where its identifiers name several, or where nobody knows which of them it is. */
  orders: readonly OurOrder[]
  step: MatchStep
  why: readonly Reason[]
  /** The orders may be those of another row as well: amounts or damaged ids led to them. */
  isUncertain: boolean
  /** Orders that its money was meant for, or may have been, and did not pay: never paid, or paid by another payment. */
  meantOrders: readonly OurOrder[]
  /** Identifiers that lead to no paid order: they may still lead to other rows. Without a payment id that is as good as none. */
  unknownIds: UnknownIds
}

export interface UnknownIds {
  names: readonly string[]
  paymentId: string | null
}

/** Shared by nearly all links, which saves memory. */
export const NO_REASONS: readonly Reason[] = []
export const NONE_UNKNOWN: UnknownIds = { names: [], paymentId: null }

/** Shared by the links without any, as they are many. */
export const NONE_MEANT: readonly OurOrder[] = []

/** A row that leads to no paid order. */
export const unlinked = (
  row: MatchRow,
  meantOrders: readonly OurOrder[] = NONE_MEANT
): RowLink => ({
  row,
  orders: [],
  step: 'NONE',
  why: [],
  isUncertain: false,
  meantOrders,
  unknownIds: allUnknown(row),
})

/** A person confirms it, or not. */
export const suggestedLink = (
  row: MatchRow,
  found: Pick<RowLink, 'orders' | 'step' | 'why' | 'isUncertain'>
): RowLink => ({ row, ...found, meantOrders: NONE_MEANT, unknownIds: allUnknown(row) })

/** All identifiers of a row: none leads to a paid order. */
export const allUnknown = ({ orderKey, orderId, paymentId }: MatchRow): UnknownIds => ({
  names: [orderKey, orderId].filter((name) => name !== null),
  paymentId,
})

export const idsOf = ({ orderKey, orderId, paymentId }: MatchRow) =>
  [orderKey, orderId, paymentId].filter((id) => id !== null)

/** The lists of their orders. Rows that fit the same orders share one list: a long one comes once. */
export function* listsOf(links: Iterable<RowLink>): Generator<readonly OurOrder[]> {
  const long = new Set<readonly OurOrder[]>()
  for (const { orders } of links) {
    if (long.has(orders)) continue
    if (orders.length > 1) long.add(orders)
    yield orders
  }
}

export const severalCandidates = (orders: readonly OurOrder[]): Reason => ({
  code: 'SEVERAL_CANDIDATES',
  detail: { orderIds: orders.slice(0, MOST_CANDIDATES).map(({ orderId }) => orderId) },
})
