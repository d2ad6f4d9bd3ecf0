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
  const isUnique = uniqueIds(links)
  const joinedLists = new Set<readonly OurOrder[]>()
  for (const link of links) {
    const { orders, meant, unknown, step } = link
    if (orders.length > 0) union.join(link, orders[0])
    if (meant && !isSuggestion(step)) union.join(link, meant)
    // What a person may reject takes no other row with it.
    if (orders.length === 0 || !isSuggestion(step)) {
      for (const name of unknown.names) if (isUnique(name)) union.join(link, `name ${foldId(name)}`)
      if (unknown.paymentId !== null && isUnique(unknown.paymentId))
        union.join(link, `payment ${unknown.paymentId}`)
    }
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

/**
 * Whether an unknown id is that of one order or payment: no dummy text, whole (a spreadsheet makes different ids one when it rounds
 * them), and not next to more different ids than an order or a payment can have.
 */
function uniqueIds(links: readonly RowLink[]) {
  const nextTo = new Map<string, Set<string>>()
  const note = (id: string | null, other: string) => {
    if (id === null) return
    const known = nextTo.get(id) ?? new Set()
    nextTo.set(id, known)
    if (known.size <= MOST_CANDIDATES) known.add(other)
  }
  for (const { row, unknown } of links) {
    for (const name of unknown.names) note(name, row.paymentId ?? '')
    note(unknown.paymentId, row.orderKey ?? row.orderId ?? `line ${row.line}`)
  }
  return (id: string) =>
    !isPlaceholder(id) && lostDigitsOf(id) === null && nextTo.get(id)!.size <= MOST_CANDIDATES
}
