import { isSuggestion, type OurOrder } from '#reconciliation/matching/match_case'
import { MOST_CANDIDATES } from '#reconciliation/matching/our_orders'
import type { RowLink } from '#reconciliation/matching/row_link'
import { isPlaceholder } from '#defects/facts/placeholder_ids'
import { DisjointSets } from '#shared/disjoint_sets'
import { foldId, lostDigitsOf } from '#register_reading/read_id'

/** Rows and orders that any identifier joins, directly or through others. */
export interface MatchComponent {
  links: RowLink[]
  orders: OurOrder[]
}

/**
 * Connected components of rows and orders, by union–find. The order of rows does not matter.
 *
 * Example:
 *   line 2: order P-1, payment A
 *   line 3: order P-1, payment B     joined with line 2 by P-1
 *   line 4: order P-9, payment B     joined with line 3 by B, although nobody knows P-9
 *   line 5: order P-2, payment test  alone: "test" is no payment
 */
export function componentsOf(links: readonly RowLink[]): MatchComponent[] {
  const union = new DisjointSets<RowLink | OurOrder | string>()
  const isPayment = paymentFilter(links)
  const joinedLists = new Set<readonly OurOrder[]>()
  for (const link of links) {
    const { orders, meant, unknown } = link
    for (const name of unknown.names) if (isReliable(name)) union.join(link, `name ${name}`)
    if (unknown.paymentId !== null && isPayment(unknown.paymentId))
      union.join(link, `payment ${unknown.paymentId}`)
    if (meant && !isSuggestion(link.step)) union.join(link, meant)
    // However its rows spell it, an unknown order is one.
    if (orders.length === 0 && !meant)
      for (const name of unknown.names) union.join(link, `unknown ${foldId(name)}`)
    if (orders.length > 0) union.join(link, orders[0])
    // Rows that fit the same orders share one list of them.
    if (!joinedLists.has(orders)) for (const order of orders) union.join(orders[0], order)
    joinedLists.add(orders)
  }
  return componentsFrom(links, union)
}

function componentsFrom(
  links: readonly RowLink[],
  union: DisjointSets<RowLink | OurOrder | string>
): MatchComponent[] {
  const components = new Map<unknown, { links: RowLink[]; orders: Set<OurOrder> }>()
  const joinedLists = new Set<readonly OurOrder[]>()
  for (const link of links) {
    const root = union.rootOf(link)
    const component = components.get(root) ?? { links: [], orders: new Set() }
    components.set(root, component)
    component.links.push(link)
    if (!joinedLists.has(link.orders)) for (const order of link.orders) component.orders.add(order)
    joinedLists.add(link.orders)
  }
  return [...components.values()].map(({ links: own, orders }) => ({
    links: own,
    orders: [...orders].sort((one, other) => (one.orderId < other.orderId ? -1 : 1)),
  }))
}

/** Different identifiers may have become one when a spreadsheet rounded them. */
const isReliable = (id: string) => lostDigitsOf(id) === null

/** Whether a payment id identifies a payment: no dummy text, and not that of more orders than a payment can have. */
function paymentFilter(links: readonly RowLink[]) {
  const names = new Map<string, Set<string>>()
  for (const { row, unknown } of links) {
    if (unknown.paymentId === null) continue
    const known = names.get(unknown.paymentId) ?? new Set()
    names.set(unknown.paymentId, known)
    if (known.size <= MOST_CANDIDATES) known.add(row.orderKey ?? row.orderId ?? '')
  }
  return (paymentId: string) =>
    isReliable(paymentId) &&
    !isPlaceholder(paymentId) &&
    names.get(paymentId)!.size <= MOST_CANDIDATES
}
